import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { type FollowOptions, Reeve } from '@reeve/client'
import { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { type ReeveServer, startReeve } from './fixture.ts'
import { startFollowing } from './following.ts'

setDefaultTimeout(60_000)

let server: ReeveServer
let proxy: FaultProxy
let staff: Reeve
let following: ReturnType<typeof startFollowing>
beforeAll(async () => {
  server = await startReeve({ REEVE_KEY_RATE_PER_MINUTE: '0' })
  proxy = startFaultProxy(server.url)
  staff = new Reeve({ ...server.options, retries: 10 })
})
afterAll(async () => {
  await proxy.close()
  await server.stop()
})
afterEach(() => following.follower.stop())

async function follow(options: FollowOptions = {}) {
  const client = new Reeve({ ...server.options, url: proxy.url, timeout: 500 })
  following = startFollowing(client, { wait: 1, ...options })
  await following.follower.ready
  return following
}
let player = 0
beforeEach(() => {
  player += 100
})
const ban = (userId: number | string) => staff.moderation.ban({ userId, reason: 'Exploiting' })

/** The players that the server, and the follower, hold to be banned. */
const listBanned = async () => {
  const banned: string[] = []
  for await (const { userId } of staff.moderation.listAllBans()) banned.push(userId)
  return banned.sort()
}
const listFollowed = () => [...following.follower.list('ban')].map(({ userId }) => userId).sort()

const respond = (status: number, headers = {}): Fault => ({
  kind: 'respond',
  response: () => new Response('<h1>Fault</h1>', { status, headers }),
})
const gone = (): Fault => ({
  kind: 'respond',
  response: () => Response.json({ error: 'Gone.', code: 'cursor_gone', requestId: 'x' }, { status: 410 }),
})

test('a follower survives kills of the server, is stale meanwhile, and hears of what it missed', async () => {
  const { follower, waitFor, waitForStatus } = await follow()
  for (const userId of [player, player + 1]) {
    await server.kill()
    await waitForStatus('stale')
    expect(follower.error).toMatchObject({ status: 502 })
    await server.start()
    await ban(userId)
    await waitFor((change) => change.userId === String(userId))
    expect([follower.status, follower.error, follower.isBanned(userId)]).toEqual(['current', null, true])
  }
})

test('a follower that starts while a proxy says that the server is away follows once it is back', async () => {
  proxy.failNext(respond(521), respond(530))
  const { follower } = await follow()
  expect([follower.status, follower.error]).toEqual(['current', null])
})

test('a follower is exact after any series of errors, lost responses, held requests and lost positions', async () => {
  const { follower, waitFor, changes } = await follow()
  const { promise: never, resolve: release } = Promise.withResolvers<void>()
  const faults: readonly (() => Fault)[] = [
    () => respond(503, { 'retry-after': '0' }),
    () => respond(429, { 'retry-after': '1' }),
    () => respond(502),
    () => ({ kind: 'replace', response: () => new Response('{"changes":', { status: 200 }) }),
    () => ({ kind: 'hold', until: never }),
    gone,
  ]
  for (const [index, createFault] of faults.entries()) {
    const [added, removed] = [player + index, player + index - 1]
    const arrived = proxy.requests.length
    proxy.failNext(createFault())
    await ban(added)
    if (index > 0) await staff.moderation.unban({ userId: removed })
    // The fault was used up, and the follower came back.
    await waitFor(({ op, userId }) => op === 'set' && userId === String(added))
    if (index > 0) await waitFor(({ op, userId }) => op === 'clear' && userId === String(removed))
    expect(proxy.requests.length).toBeGreaterThan(arrived)
    expect(listFollowed()).toEqual(await listBanned())
  }
  release()
  expect(follower.status).toBe('current')
  // Nothing is reported twice.
  expect(new Set(changes.map(({ op, userId }) => `${op} ${userId}`)).size).toBe(changes.length)
})

test('after a restore of a backup, a follower drops the bans that the backup does not contain', async () => {
  const [before, after] = [player, player + 1]
  await ban(before)
  const file = `${server.folder.path}/backup.db`
  expect(await server.runCommand('backup', '--to', file)).toMatchObject({ exitCode: 0 })
  const { follower, waitFor } = await follow()
  await ban(after)
  await waitFor(({ op, userId }) => op === 'set' && userId === String(after))
  await server.kill()
  expect(await server.runCommand('restore', '--from', file)).toMatchObject({ exitCode: 0 })
  await server.start()
  await waitFor(({ op, userId }) => op === 'clear' && userId === String(after))
  expect([follower.isBanned(before), follower.isBanned(after)]).toEqual([true, false])
  expect(listFollowed()).toEqual(await listBanned())
})
