import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { MAX_WAITING_OF_WORKSPACE } from '@reeve/moderation'
import { type Instance, openInstance, PUBLIC_URL, type RequestOptions } from '../../support/instance.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'
import { openFeedFixture } from './fixture.ts'

let instance: Instance
let feed: Awaited<ReturnType<typeof openFeedFixture>>

beforeEach(async () => {
  instance = await openInstance()
  feed = await openFeedFixture(instance)
})
afterEach(() => instance.close())

/** Longer than a test may take: a request that answers earlier was woken. */
const WAIT = '25'

/** Lets everything run that needs no database, and most of what does. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
}

/** Starts a request that waits. @returns its response, and where it started */
async function startWaiting(query: Record<string, string> = {}, options: RequestOptions = {}) {
  const position = await feed.readPosition()
  const response = feed.read('', { ...position, wait: WAIT, ...query }, options)
  await settle()
  return { response, position }
}

/** Starts a request that waits and whose client can end it. */
function openWaiting(position: Readonly<Record<string, string>>) {
  const url = `${PUBLIC_URL}/api/changes?${new URLSearchParams({ workspaceId: feed.id, ...position, wait: WAIT })}`
  const headers = { authorization: `Bearer ${feed.key}` }
  const client = new AbortController()
  return { client, response: instance.fetch(new Request(url, { headers, signal: client.signal })) }
}

const usageOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('usage').select(['endpoint', 'calls']).where('workspace_id', '=', p.workspaceId),
)

const usageByStatus = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('usage').select(['status_class', 'calls']).where('workspace_id', '=', p.workspaceId),
)

describe('a request that waits', () => {
  test('is answered by the ban itself, and not by changes of other kinds or workspaces', async () => {
    const other = await openFeedFixture(instance)
    const { response } = await startWaiting({ kinds: 'ban' })
    let isAnswered = false
    void response.then(() => {
      isAnswered = true
    })
    await feed.actOk({ action: 'note', userId: '1', reason: 'Seen' })
    await feed.actOk({ action: 'mute', userId: '1', reason: 'Loud' })
    await createWorkspaceRequests(instance, feed).writeDepartment({ name: 'Other' })
    await other.ban('1')
    await settle()
    expect(isAnswered).toBe(false)
    const ban = await feed.ban('2')
    const { status, body } = await response
    expect(status).toBe(200)
    expect(body.changes.map(({ userId }: { userId: string }) => userId)).toEqual(['2'])
    expect([body.next, body.pollAfter]).toEqual([ban.sequence, '0'])
  })

  test('says which platforms the workspace has when it is answered, not when it began', async () => {
    const { response } = await startWaiting()
    await feed.setPlatform('steam')
    await feed.ban('1')
    expect((await response).body.platforms).toEqual(['steam', 'roblox'])
  })

  test('is answered at once if there is a change already', async () => {
    const position = await feed.readPosition()
    await feed.ban('1')
    expect((await feed.readChanges({ ...position, wait: WAIT })).changes).toHaveLength(1)
  })

  test('is answered without changes when its time is over', async () => {
    const position = await feed.readPosition()
    const startedAt = performance.now()
    const { changes, next, pollAfter } = await feed.readChanges({ ...position, wait: '1' })
    expect(performance.now() - startedAt).toBeGreaterThan(990)
    expect({ changes, next, pollAfter }).toEqual({ changes: [], next: position.since, pollAfter: '0' })
  })

  test('gets no data after its key was revoked or lost, its session ended, or the endpoint was turned off', async () => {
    const { setEndpointControl } = createWorkspaceRequests(instance, feed)
    const revoked = await instance.key(feed.id, ['moderation.view'])
    const byKey = (await startWaiting({}, { key: revoked })).response
    const { apiKeys } = (
      await instance.request('GET', `/portal/api/api-keys?workspaceId=${feed.id}`, {
        session: feed.ownerSession,
      })
    ).body
    const { id } = apiKeys.find((one: { permissions: string }) => one.permissions === '["moderation.view"]')
    await instance.request('POST', '/portal/api/api-keys/revoke', {
      session: feed.ownerSession,
      body: { workspaceId: feed.id, id },
    })
    const rejected = await byKey
    expect([rejected.status, rejected.body.reason]).toEqual([401, 'key_revoked'])

    const { session, accountId } = await instance.member(feed.id, ['moderation.view'])
    const query = new URLSearchParams({ workspaceId: feed.id, ...(await feed.readPosition()), wait: WAIT })
    const bySession = instance.request('GET', `/api/changes?${query}`, { session })
    await settle()
    await createWorkspaceRequests(instance, feed).removeMember(accountId)
    const removed = await bySession
    expect([removed.status, removed.body.reason]).toEqual([403, 'not_a_member'])

    const waiting = (await startWaiting()).response
    await setEndpointControl('moderation', 'off')
    expect((await waiting).body.reason).toBe('endpoint_disabled')
  })

  test('learns that the history has changed', async () => {
    const { response } = await startWaiting()
    const { workspaces } = createWorkspaceRequests(instance, feed)
    await workspaces({ id: feed.id, archive: true })
    const archives = await instance.request('GET', `/api/workspaces?id=${feed.id}&archives=true`, {
      key: feed.key,
    })
    await workspaces({ id: feed.id, fromArchive: archives.body.archives[0].id })
    expect((await response).body.code).toBe('cursor_gone')
  })

  test('counts once, however long it waits', async () => {
    const { response } = await startWaiting({ kinds: 'ban' })
    await feed.actOk({ action: 'mute', userId: '1', reason: 'Loud' })
    await feed.ban('1')
    await response
    await instance.flush()
    // The snapshot, the request that waited, the mute and the ban.
    expect(await instance.db.read.all(usageOf, { workspaceId: feed.id })).toEqual([
      { endpoint: 'moderation', calls: 4 },
    ])
  })

  test('is not counted as rejected when its client ends it', async () => {
    const { client, response } = openWaiting(await feed.readPosition())
    await settle()
    client.abort()
    expect((await response).status).toBe(499)
    await instance.flush()
    // The snapshot, and the request that waited.
    expect(await instance.db.read.all(usageByStatus, { workspaceId: feed.id })).toEqual([
      { status_class: 2, calls: 2 },
    ])
  })

  test('leaves its place when its client disconnects; without a place, a request is answered at once', async () => {
    const position = await feed.readPosition()
    const requests = Array.from({ length: MAX_WAITING_OF_WORKSPACE }, () => openWaiting(position))
    await settle()
    const { changes, pollAfter } = await feed.readChanges({ ...position, wait: WAIT })
    expect([changes, pollAfter]).toEqual([[], '5'])
    requests[0]?.client.abort()
    expect((await requests[0]?.response)?.status).toBe(499)
    const next = openWaiting(position)
    await settle()
    await feed.ban('1')
    const answered = await Promise.all(
      [...requests.slice(1), next].map(async (one) => (await one.response).json()),
    )
    expect(new Set(answered.map((body) => JSON.stringify(body.changes))).size).toBe(1)
    expect(answered[0].changes).toHaveLength(1)
  })

  test('is answered at once when the server stops, and others do not wait then', async () => {
    const { response, position } = await startWaiting()
    instance.endStreams()
    const { status, body } = await response
    expect([status, body.changes, body.next, body.pollAfter]).toEqual([200, [], position.since, '1'])
    expect((await feed.readChanges({ ...position, wait: WAIT })).pollAfter).toBe('5')
  })
})
