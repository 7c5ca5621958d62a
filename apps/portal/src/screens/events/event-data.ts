import { parseImageName } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, ifMatch, type Schemas, unwrap } from '../../api/client.ts'
import { addDays, type Day, startOfDay, toDay } from './calendar.ts'

export type Event = Schemas['Event']

/** What kinds of events there are, as people say them. */
export const eventTypeLabels = {
  event: 'Event',
  training: 'Training',
  shift: 'Shift',
  meeting: 'Meeting',
  tryout: 'Tryout',
  other: 'Other',
} as const
export type EventType = keyof typeof eventTypeLabels

/** How a kind is called; as it came where it is one that came later than this page. */
export const formatEventType = (type: string): string => eventTypeLabels[type as EventType] ?? type

/** Every query of a workspace's events begins so. */
export const eventsKey = (workspaceId: string) => [workspaceId, 'events'] as const
export const eventKey = (workspaceId: string, id: string) => [...eventsKey(workspaceId), 'one', id] as const

/** The most that one page of a list holds. */
const PAGE_SIZE = '200'

interface EventsPage {
  readonly events: readonly Event[]
  readonly nextCursor: string | null
}

/** One page of the events of a workspace, soonest first. */
export async function readEvents(query: {
  readonly workspaceId: string
  readonly from?: string
  readonly to?: string
  readonly eventType?: string
  readonly limit?: string
  readonly cursor?: string
}): Promise<EventsPage> {
  return (await unwrap(api.GET('/api/events', { params: { query } }))) as EventsPage
}

/** All events that are scheduled for these days, soonest first. @param last the last of them */
export const eventsInRangeQuery = (
  workspaceId: string,
  first: Day,
  last: Day,
  eventType: string | undefined,
) =>
  queryOptions({
    queryKey: [...eventsKey(workspaceId), 'days', first, last, eventType ?? ''],
    queryFn: async () => {
      const from = new Date(startOfDay(first)).toISOString()
      const to = new Date(startOfDay(addDays(last, 1))).toISOString()
      const events: Event[] = []
      let cursor: string | null = null
      do {
        const page: EventsPage = await readEvents({
          workspaceId,
          from,
          to,
          limit: PAGE_SIZE,
          ...(eventType !== undefined && { eventType }),
          ...(cursor !== null && { cursor }),
        })
        events.push(...page.events)
        cursor = page.nextCursor
      } while (cursor !== null)
      return events
    },
  })

export const eventQuery = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: eventKey(workspaceId, id),
    queryFn: async () => {
      const response = await unwrap(api.GET('/api/events', { params: { query: { workspaceId, id } } }))
      return (response as { readonly event: Event }).event
    },
  })

/** Publishes an event, or takes it back. */
export async function setPublished({ workspaceId, id, version }: Event, published: boolean): Promise<Event> {
  const body = { workspaceId, id, published: String(published) }
  return (await unwrap(api.PATCH('/api/events', { body, headers: ifMatch(version) }))).event
}

/** Deletes an event for good. */
export async function deleteEvent({ workspaceId, id, version }: Event): Promise<void> {
  await unwrap(
    api.DELETE('/api/events', { params: { query: { workspaceId, id } }, headers: ifMatch(version) }),
  )
}

export type Phase = 'draft' | 'scheduled' | 'live' | 'ended'

/** What an event is at a moment, which goes on after it was read. */
export function getPhase({ published, scheduledFor, trainingStart, endsAt }: Event, now: number): Phase {
  if (published !== 'true') return 'draft'
  if (now < Date.parse(trainingStart ?? scheduledFor)) return 'scheduled'
  return now < Date.parse(endsAt) ? 'live' : 'ended'
}

/** From when to when an event is shown: it may have been set to end before it is scheduled. */
export function getTimeSpan({ scheduledFor, endsAt }: Event): {
  readonly start: number
  readonly end: number
} {
  const start = Date.parse(scheduledFor)
  return { start, end: Math.max(start, Date.parse(endsAt)) }
}

/** Events by the day of the reader's on which they begin. */
export const groupByDay = (events: readonly Event[]): ReadonlyMap<Day, readonly Event[]> =>
  Map.groupBy(events, ({ scheduledFor }) => toDay(scheduledFor))

const LOCAL_IMAGE_PATH = /\/media\/([^/?#]+)$/

/** The path of an image that this instance keeps; null for one of another host, which the page does not load. */
export function toLocalImagePath(url: string): string | null {
  const [path, file = ''] = LOCAL_IMAGE_PATH.exec(url) ?? []
  return path !== undefined && parseImageName(file) ? path : null
}
