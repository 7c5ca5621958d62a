import type { ReactNode } from 'react'
import { usePages } from '../../api/pages.ts'
import { DataList } from '../../components/data-list.tsx'
import { type Day, startOfDay } from './calendar.ts'
import { DayList } from './day-list.tsx'
import { type Event, eventsKey, groupByDay, readEvents } from './event-data.ts'

interface Props {
  readonly workspaceId: string
  readonly from: Day
  readonly eventType: string | undefined
  readonly open: (event: Event) => void
  /** Shown if there are no events. */
  readonly empty: ReactNode
}

/** Events from a day on, grouped by day. The list loads more when its end is scrolled into view. */
export function AgendaView({ workspaceId, from, eventType, open, empty }: Props) {
  const pages = usePages([...eventsKey(workspaceId), 'from', from, eventType ?? ''], (cursor) =>
    readEvents({
      workspaceId,
      from: new Date(startOfDay(from)).toISOString(),
      ...(eventType !== undefined && { eventType }),
      ...cursor,
    }),
  )
  const days = groupByDay(pages.data?.pages.flatMap(({ events }) => events) ?? [])
  return (
    <DataList
      pages={pages}
      rows={(page) => page.events}
      rowKey={({ id }) => id}
      empty={empty}
      label="Events"
      renderContainer={() => (
        <div>
          {[...days].map(([day, events]) => (
            <DayList key={day} day={day} events={events} open={open} />
          ))}
        </div>
      )}
    >
      {() => null}
    </DataList>
  )
}
