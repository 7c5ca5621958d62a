import { createBucketStore } from '@reeve/api/images/bucket'
import { databaseImageStore } from '@reeve/api/images/database-store'
import { type Instance, openInstance, type RequestOptions } from '../../support/instance.ts'
import { startObjectStore } from '../../support/object-store.ts'

export const path = '/api/events'

const MINUTE = 60_000

/** A new workspace in an instance, and the requests that these tests send. */
export async function openEventsFixture(instance: Instance) {
  const workspace = await instance.workspace()
  const credentials = { key: workspace.key }
  const toPath = (query: Record<string, string> = {}) =>
    `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`
  const readEvents = (query: Record<string, string> = {}, options: RequestOptions = credentials) =>
    instance.request('GET', toPath(query), options)
  const writeEvent = (method: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    instance.request(method, toPath(), { ...credentials, body, headers })
  /** The time in this many minutes, in the format of responses. */
  const minutesFromNow = (minutes: number) => new Date(instance.clock.now() + minutes * MINUTE).toISOString()
  /** Creates an event, by default in an hour. */
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

/** Where an instance can store images. */
export const imageStorages = ['the database', 'a bucket'] as const

/** Opens an instance that stores its images there. */
export async function openInstanceWithImages(storage: (typeof imageStorages)[number]) {
  const store = startObjectStore()
  const imageStore = storage === 'a bucket' ? createBucketStore(store.settings) : databaseImageStore
  const instance = await openInstance({ images: imageStore })
  const close = async () => {
    await instance.close()
    await store.close()
  }
  return { instance, imageStore, store, close }
}
