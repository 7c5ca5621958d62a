import type { Instance, RequestOptions } from '../../support/instance.ts'

export const path = '/api/events'

const MINUTE = 60_000

/** A workspace of its own in an instance, and the calls that these tests make in it. */
export async function openEventsFixture(instance: Instance) {
  const workspace = await instance.workspace()
  const credentials = { key: workspace.key }
  const toPath = (query: Record<string, string> = {}) =>
    `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`
  const readEvents = (query: Record<string, string> = {}, options: RequestOptions = credentials) =>
    instance.request('GET', toPath(query), options)
  const writeEvent = (method: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    instance.request(method, toPath(), { ...credentials, body, headers })
  /** The time so many minutes from now, as answers write it. */
  const minutesFromNow = (minutes: number) => new Date(instance.clock.now() + minutes * MINUTE).toISOString()
  /** Makes an event, an hour from now where nothing else is said. */
  const createEvent = async (fields: Record<string, unknown> = {}) => {
    const response = await writeEvent('POST', { title: 'Event', scheduledFor: minutesFromNow(60), ...fields })
    if (response.status !== 200) throw new Error(response.text)
    return response.body.event
  }
  const updateEvent = async (id: string, fields: Record<string, unknown>) =>
    (await writeEvent('PATCH', { id, ...fields })).body.event
  const listTitles = async (query: Record<string, string> = {}, options: RequestOptions = credentials) =>
    (await readEvents(query, options)).body.events.map((event: { title: string }) => event.title)
  const advanceMinutes = (minutes: number) => instance.clock.advance(minutes * MINUTE)
  return {
    workspace,
    credentials,
    toPath,
    readEvents,
    writeEvent,
    createEvent,
    updateEvent,
    listTitles,
    minutesFromNow,
    advanceMinutes,
  }
}

export type EventsFixture = Awaited<ReturnType<typeof openEventsFixture>>
