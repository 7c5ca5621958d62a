import type { ReactNode } from 'react'
import { usePages } from '../../api/pages.ts'
import { DataList } from '../../components/data-list.tsx'
import { type Day, toDay } from './calendar.ts'
import { DayList } from './day-list.tsx'
import { type Event, eventsKey, fromDay, groupByDay, readEvents } from './event-data.ts'

interface Props {
  readonly workspaceId: string
  readonly from: Day
  readonly eventType: string | undefined
  readonly open: (event: Event) => void
  /** Shown if there are no events. */
  readonly empty: ReactNode
}

/** Events from a day on, on each of their days. The list loads more when its end is scrolled into view. */
export function AgendaView({ workspaceId, from, eventType, open, empty }: Props) {
  const pages = usePages([...eventsKey(workspaceId), 'from', from, eventType ?? ''], (cursor) =>
    readEvents({
      workspaceId,
      ...fromDay(from),
      ...(eventType !== undefined && { eventType }),
      ...cursor,
    }),
  )
  const events = pages.data?.pages.flatMap((page) => page.events) ?? []
  const lastLoaded = events.at(-1)
  // Later days may have events of the next page.
  const lastDay = pages.hasNextPage && lastLoaded ? toDay(lastLoaded.scheduledFor) : null
  const days = groupByDay(events, from, lastDay)
  return (
    <DataList
      pages={pages}
      rows={(page) => page.events}
      rowKey={({ id }) => id}
      empty={empty}
      label="Events"
      renderContainer={() => (
        <div>
          {[...days].map(([day, eventsOfDay]) => (
            <DayList key={day} day={day} events={eventsOfDay} open={open} />
          ))}
        </div>
      )}
    >
      {() => null}
    </DataList>
  )
}
