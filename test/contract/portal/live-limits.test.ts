import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { insertMember } from '@reeve/db'
import { type Instance, openInstance, PUBLIC_URL } from '../../support/instance.ts'
import { type LiveStream, readLiveStream, startStreamServer } from '../../support/live-stream.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'
import { banPlayer } from './live-changes.ts'

let instance: Instance
let server: ReturnType<typeof startStreamServer>

beforeAll(async () => {
  instance = await openInstance()
  server = startStreamServer(instance)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await server.close()
  await instance.close()
})

/** Opens streams one after another, without a connection: many would take long. */
async function openStreams(count: number, workspaceId: string, session: string): Promise<LiveStream[]> {
  const streams: LiveStream[] = []
  for (let index = 0; index < count; index++) {
    const url = `${PUBLIC_URL}/portal/api/live?workspaceId=${workspaceId}`
    const response = await instance.fetch(
      new Request(url, { headers: { cookie: `reeve_session=${session}` } }),
    )
    expect(response.status).toBe(200)
    streams.push(readLiveStream(response))
  }
  return streams
}

/** Opens streams in one workspace, 16 for each of its members. */
async function fillWorkspace(count: number) {
  const workspace = await instance.workspace()
  const streams: LiveStream[] = []
  while (streams.length < count) {
    const { session } = await instance.member(workspace.id, ['moderation.view'])
    streams.push(...(await openStreams(Math.min(16, count - streams.length), workspace.id, session)))
  }
  return { workspace, streams }
}

async function renameTable(from: string, to: string): Promise<void> {
  await instance.storage.query(`alter table ${from} rename to ${to}`)
  // On SQLite, reads share a snapshot until the next commit.
  await instance.db.write(async () => null)
}

const countEvicted = (streams: readonly LiveStream[]) => streams.filter((stream) => stream.isEvicted()).length
const closeAll = (streams: readonly LiveStream[]) => Promise.all(streams.map((stream) => stream.close()))
/** Waits until the open streams of a workspace have received a change. */
async function expectAllReceive(streams: readonly LiveStream[], change: () => Promise<unknown>) {
  await change()
  await Promise.all(streams.map((stream) => stream.next('moderation')))
}

describe('a new stream', () => {
  test('ends the oldest of an account with 16, whatever its session and workspace; the others continue', async () => {
    const [workspace, otherWorkspace] = [await instance.workspace(), await instance.workspace()]
    const { ownerId: accountId } = workspace
    const member = { workspaceId: otherWorkspace.id, accountId, now: instance.clock.now() }
    await instance.db.write((tx) => tx.run(insertMember, member))
    const bystander = await server.openStream(otherWorkspace.id, otherWorkspace.ownerSession)
    const oldest = await server.openStream(otherWorkspace.id, await instance.session(accountId))
    const streams = await openStreams(15, workspace.id, workspace.ownerSession)
    expect(oldest.isEvicted()).toBe(false)
    streams.push(await server.openStream(workspace.id, await instance.session(accountId)))
    await oldest.closed
    expect(oldest.isEvicted()).toBe(true)
    await expectAllReceive(streams, () => banPlayer(instance, workspace))
    await expectAllReceive([bystander], () => banPlayer(instance, otherWorkspace))
    expect(countEvicted([...streams, bystander])).toBe(0)
    await closeAll([...streams, bystander])
  })

  test('in a workspace with 200 ends the oldest of the account with most', async () => {
    const { workspace, streams } = await fillWorkspace(200)
    const elsewhere = await instance.workspace()
    const bystander = await server.openStream(elsewhere.id, elsewhere.ownerSession)
    const owned = await server.openStream(workspace.id, workspace.ownerSession)
    await streams[0]?.closed
    expect(streams[0]?.isEvicted()).toBe(true)
    expect(countEvicted([...streams, owned, bystander])).toBe(1)
    // The first account has 15 now, the second 16.
    const second = await server.openStream(workspace.id, workspace.ownerSession)
    await streams[16]?.closed
    expect(countEvicted([...streams, owned, second, bystander])).toBe(2)
    await expectAllReceive([owned, second, ...streams.filter((stream) => !stream.isEvicted())], () =>
      banPlayer(instance, workspace),
    )
    await closeAll([...streams, owned, second, bystander])
  }, 60_000)

  test('in a process with a thousand ends one of the workspace with most', async () => {
    const small = await instance.workspace()
    const bystander = await server.openStream(small.id, small.ownerSession)
    const filled = []
    for (const count of [200, 200, 200, 200, 199]) filled.push(await fillWorkspace(count))
    const streams = filled.flatMap((workspace) => workspace.streams)
    expect(countEvicted(streams)).toBe(0)
    const added = await server.openStream(small.id, small.ownerSession)
    await streams[0]?.closed
    expect(countEvicted(streams)).toBe(1)
    expect(streams[0]?.isEvicted()).toBe(true)
    await expectAllReceive([bystander, added], () => banPlayer(instance, small))
    await closeAll([...streams, bystander, added])
  }, 60_000)
})

describe('the check of all sessions', () => {
  test('ends exactly the streams of the session that has ended', async () => {
    const workspace = await instance.workspace()
    const others = await Promise.all(
      Array.from({ length: 3 }, () => instance.member(workspace.id, ['moderation.view'])),
    )
    const remaining = (
      await Promise.all(others.map(({ session }) => openStreams(4, workspace.id, session)))
    ).flat()
    const ended = await openStreams(4, workspace.id, workspace.ownerSession)
    await instance.request('POST', '/portal/api/sign-out', { session: workspace.ownerSession })
    await Promise.all(ended.map(({ closed }) => closed))
    const ownerSession = await instance.session(workspace.ownerId)
    await expectAllReceive(remaining, () => banPlayer(instance, { ...workspace, ownerSession }))
    await closeAll(remaining)
  })

  test('continues after one that failed', async () => {
    const workspace = await instance.workspace()
    const stream = await server.openStream(workspace.id, workspace.ownerSession)
    await renameTable('session', 'session_away')
    // The access of a reader that cannot be checked ends.
    await stream.closed
    await renameTable('session_away', 'session')
    const reopened = await server.openStream(workspace.id, workspace.ownerSession)
    await instance.request('POST', '/portal/api/sign-out', { session: workspace.ownerSession })
    await reopened.closed
  })
})

test('a member who is removed loses the stream at once, even without reading it', async () => {
  const workspace = await instance.workspace()
  const { removeMember } = createWorkspaceRequests(instance, workspace)
  const member = await instance.member(workspace.id, ['moderation.view'], 5)
  const request = new Request(`${PUBLIC_URL}/portal/api/live?workspaceId=${workspace.id}`, {
    headers: { cookie: `reeve_session=${member.session}` },
  })
  const unread = await instance.fetch(request)
  // More than the server buffers for a reader.
  const fast = await server.openStream(workspace.id, workspace.ownerSession)
  for (let player = 1; player <= 8; player++) {
    await banPlayer(instance, workspace, String(player))
    await fast.next('moderation')
  }
  await removeMember(member.accountId)
  const stream = readLiveStream(unread)
  await stream.closed
  await fast.close()
})
