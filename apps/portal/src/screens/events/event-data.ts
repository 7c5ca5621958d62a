import { MAX_EVENT_DAYS, parseImageName, wire } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, ifMatch, type Schemas, unwrap } from '../../api/client.ts'
import { addDays, compareDays, type Day, startOfDay, toDay } from './calendar.ts'

export type Event = Schemas['Event']

/** The event types with their labels. */
export const eventTypeLabels = {
  event: 'Event',
  training: 'Training',
  shift: 'Shift',
  meeting: 'Meeting',
  tryout: 'Tryout',
  other: 'Other',
} as const
export type EventType = keyof typeof eventTypeLabels

/** The label of an event type. An unknown one, from a newer server, is returned as it is. */
export const formatEventType = (type: string): string => eventTypeLabels[type as EventType] ?? type

/** Prefix of all query keys about events of a workspace. */
export const eventsKey = (workspaceId: string) => [workspaceId, 'events'] as const
export const eventKey = (workspaceId: string, id: string) => [...eventsKey(workspaceId), 'one', id] as const

/** The maximum page size of the API. */
const PAGE_SIZE = '200'

interface EventsPage {
  readonly events: readonly Event[]
  readonly nextCursor: string | null
}

/** Reads one page of the events of a workspace, soonest first. */
export async function readEvents(query: {
  readonly workspaceId: string
  readonly from?: string
  readonly to?: string
  readonly endsAfter?: string
  readonly eventType?: string
  readonly limit?: string
  readonly cursor?: string
}): Promise<EventsPage> {
  return (await unwrap(api.GET('/api/events', { params: { query } }))) as EventsPage
}

/** The start of a day as the API takes it: a day next to the first or the last one that an event can be on has none. */
const toTime = (day: Day): string =>
  new Date(Math.min(Math.max(startOfDay(day), 0), wire.MAX_TIME)).toISOString()

/** The filters for events that take place on a day or later, including those that started before. */
export const fromDay = (day: Day) => ({
  from: toTime(addDays(day, -MAX_EVENT_DAYS)),
  endsAfter: toTime(day),
})

/** All events that take place on these days, soonest first. @param last inclusive */
export const eventsInRangeQuery = (
  workspaceId: string,
  first: Day,
  last: Day,
  eventType: string | undefined,
) =>
  queryOptions({
    queryKey: [...eventsKey(workspaceId), 'days', first, last, eventType ?? ''],
    queryFn: async () => {
      const to = toTime(addDays(last, 1))
      const events: Event[] = []
      let cursor: string | null = null
      do {
        const page: EventsPage = await readEvents({
          workspaceId,
          ...fromDay(first),
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

/** Publishes or unpublishes an event. */
export async function setPublished({ workspaceId, id, version }: Event, published: boolean): Promise<Event> {
  const body = { workspaceId, id, published: String(published) }
  return (await unwrap(api.PATCH('/api/events', { body, headers: ifMatch(version) }))).event
}

/** Permanently deletes an event. */
export async function deleteEvent({ workspaceId, id, version }: Event): Promise<void> {
  await unwrap(
    api.DELETE('/api/events', { params: { query: { workspaceId, id } }, headers: ifMatch(version) }),
  )
}

export type Phase = 'draft' | 'scheduled' | 'live' | 'ended'

/** The phase of an event at a given time. It changes after the event was loaded, so it is not part of the data. */
export function getPhase({ published, scheduledFor, trainingStart, endsAt }: Event, now: number): Phase {
  if (published !== 'true') return 'draft'
  if (now < Date.parse(trainingStart ?? scheduledFor)) return 'scheduled'
  return now < Date.parse(endsAt) ? 'live' : 'ended'
}

/** The displayed start and end. The end is never before the start, although the stored one can be. */
export function getTimeSpan({ scheduledFor, endsAt }: Event): {
  readonly start: number
  readonly end: number
} {
  const start = Date.parse(scheduledFor)
  return { start, end: Math.max(start, Date.parse(endsAt)) }
}

/** The first and the last day of an event in the user's time zone. An event that ends at midnight is not on the next day. */
export function getEventDays(event: Event): { readonly first: Day; readonly last: Day } {
  const { start, end } = getTimeSpan(event)
  return { first: toDay(start), last: toDay(Math.max(start, end - 1)) }
}

/**
 * Groups events by each day on which they take place, in the order of the days; on a day, those that started earlier come first.
 * An event is at most on its first day and the `MAX_EVENT_DAYS` days after it, as in the queries: it can last until the year 9999.
 * @param last the last day to include
 */
export function groupByDay(
  events: readonly Event[],
  from: Day,
  last: Day | null,
): ReadonlyMap<Day, readonly Event[]> {
  const days = new Map<Day, Event[]>()
  for (const event of events) {
    const eventDays = getEventDays(event)
    const ends = [eventDays.last, addDays(eventDays.first, MAX_EVENT_DAYS), ...(last === null ? [] : [last])]
    const until = ends.sort(compareDays)[0] as Day
    let day = compareDays(eventDays.first, from) > 0 ? eventDays.first : from
    for (; compareDays(day, until) <= 0; day = addDays(day, 1)) {
      const onDay = days.get(day)
      if (onDay) onDay.push(event)
      else days.set(day, [event])
    }
  }
  return new Map([...days].sort(([a], [b]) => compareDays(a, b)))
}

const LOCAL_IMAGE_PATH = /\/media\/([^/?#]+)$/

/** The path of an image that this instance stores; null for an external one, which the page does not load. */
export function toLocalImagePath(url: string): string | null {
  const [path, file = ''] = LOCAL_IMAGE_PATH.exec(url) ?? []
  return path !== undefined && parseImageName(file) ? path : null
}
