import type { CallOptions, Instance } from '../../support/instance.ts'

export const path = '/api/events'

const MINUTE = 60_000

/** A workspace of its own in an instance, and the calls that these tests make in it. */
export async function openScene(instance: Instance) {
  const workspace = await instance.workspace()
  const as = { key: workspace.key }
  const at = (query: Record<string, string> = {}) =>
    `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`
  const read = (query: Record<string, string> = {}, given: CallOptions = as) =>
    instance.call('GET', at(query), given)
  const write = (method: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    instance.call(method, at(), { ...as, body, headers })
  /** The time so many minutes from now, as answers write it. */
  const inMinutes = (minutes: number) => new Date(instance.clock.now() + minutes * MINUTE).toISOString()
  /** Makes an event, an hour from now where nothing else is said. */
  const create = async (more: Record<string, unknown> = {}) => {
    const answer = await write('POST', { title: 'Event', scheduledFor: inMinutes(60), ...more })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.body.event
  }
  const update = async (id: string, fields: Record<string, unknown>) =>
    (await write('PATCH', { id, ...fields })).body.event
  const titles = async (query: Record<string, string> = {}, given: CallOptions = as) =>
    (await read(query, given)).body.events.map((one: { title: string }) => one.title)
  const advance = (minutes: number) => instance.clock.advance(minutes * MINUTE)
  return { workspace, as, at, read, write, create, update, titles, inMinutes, advance }
}

export type Scene = Awaited<ReturnType<typeof openScene>>
