import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type FollowOptions, Reeve, type SanctionChange, UnauthorizedError } from '@reeve/client'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { type ReeveServer, startReeve } from './fixture.ts'
import { startFollowing } from './following.ts'

setDefaultTimeout(60_000)

let server: ReeveServer
let proxy: FaultProxy
let staff: Reeve
beforeAll(async () => {
  server = await startReeve({ REEVE_KEY_RATE_PER_MINUTE: '0' })
  proxy = startFaultProxy(server.url)
  staff = new Reeve(server.options)
}, 60_000)
afterAll(async () => {
  await proxy.close()
  await server.stop()
})

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Follows through the proxy. */
async function follow(
  options: FollowOptions = {},
  client = new Reeve({ ...server.options, url: proxy.url, timeout: 500 }),
) {
  const following = startFollowing(client, { wait: 1, ...options })
  ends.push(() => following.follower.stop())
  await following.follower.ready
  return following
}

let player = 0
const nextPlayer = () => `p${++player}`
const ban = (userId: string, durationSeconds?: number) =>
  staff.moderation.ban({ userId, reason: 'Exploiting', durationSeconds })
const toText = ({ op, kind, userId }: SanctionChange) => `${op} ${kind} ${userId}`

describe('a follower', () => {
  test('knows every sanction once it is ready, and nothing before', async () => {
    const [banned, muted, free] = [nextPlayer(), nextPlayer(), nextPlayer()]
    const record = await ban(banned)
    await staff.moderation.mute({ userId: muted, reason: 'Loud' })
    const follower = staff.follow()
    ends.push(() => follower.stop())
    expect([follower.status, follower.age]).toEqual(['starting', Number.POSITIVE_INFINITY])
    expect(() => follower.isBanned(banned)).toThrow(
      'The sanctions are not known yet: wait for `ready` first.',
    )
    await follower.ready
    expect([banned, muted, free].map((one) => [follower.isBanned(one), follower.isMuted(one)])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ])
    expect(follower.find('ban', banned)).toEqual({
      kind: 'ban',
      userId: banned,
      recordId: record.id,
      caseNumber: record.caseNumber,
      expiresAt: null,
      reason: 'Exploiting',
      appealCode: record.appealCode,
    })
    expect([...follower.list('mute')].map(({ userId }) => userId)).toContain(muted)
  })

  test('hears of a ban, a change of it and its end while the server holds its request', async () => {
    const userId = nextPlayer()
    const { follower, waitFor, changes } = await follow({ wait: 25 })
    const record = await ban(userId)
    await waitFor(({ op }) => op === 'set')
    expect(follower.isBanned(userId)).toBe(true)
    await staff.moderation.edit({ id: record.id, reason: 'Exploiting twice' })
    await waitFor(({ sanction }) => sanction.reason === 'Exploiting twice')
    await staff.moderation.unban({ userId })
    await waitFor(({ op }) => op === 'clear')
    expect(follower.isBanned(userId)).toBe(false)
    expect(changes.map(toText)).toEqual([`set ban ${userId}`, `set ban ${userId}`, `clear ban ${userId}`])
    expect(follower.age).toBeLessThan(25_000)
  })

  test('of bans only hears of no mute, and rejects questions about mutes', async () => {
    const [muted, banned] = [nextPlayer(), nextPlayer()]
    const { follower, waitFor, changes } = await follow({ kinds: ['ban'] })
    await staff.moderation.mute({ userId: muted, reason: 'Loud' })
    await ban(banned)
    await waitFor(({ userId }) => userId === banned)
    expect(changes.map(toText)).toEqual([`set ban ${banned}`])
    expect(() => follower.isMuted(muted)).toThrow(new TypeError('kinds: does not contain mute.'))
  })

  test('ends a ban when it expires, without a request', async () => {
    const userId = nextPlayer()
    const { follower, waitFor } = await follow({ wait: 25 })
    await ban(userId, 1)
    await waitFor(({ op }) => op === 'set')
    expect(follower.isBanned(userId)).toBe(true)
    const { sanction } = await waitFor(({ op }) => op === 'expire')
    expect(follower.isBanned(userId)).toBe(false)
    expect(Date.parse(sanction.expiresAt ?? '')).toBeLessThanOrEqual(Date.now())
  })

  test('reports no ban when the case of one that has expired is changed', async () => {
    const [userId, other] = [nextPlayer(), nextPlayer()]
    const { waitFor, changes } = await follow({ wait: 25 })
    const { id } = await ban(userId, 1)
    await waitFor(({ op }) => op === 'expire')
    await staff.moderation.comment({ id, value: 'Played on another account' })
    await ban(other)
    await waitFor((change) => change.userId === other)
    expect(changes.map(toText)).toEqual([`set ban ${userId}`, `expire ban ${userId}`, `set ban ${other}`])
  })

  test('goes by the clock of the server, not by its own', async () => {
    const userId = nextPlayer()
    await ban(userId, 1800)
    const { follower: correct } = await follow()
    expect(correct.isBanned(userId)).toBe(true)
    const hourAhead = new Reeve({
      ...server.options,
      async fetch(url, init) {
        const response = await fetch(url, init)
        const body = await response.json()
        const now = body.now && new Date(Date.parse(body.now) + 3_600_000).toISOString()
        return Response.json({ ...body, now }, { status: response.status })
      },
    })
    const { follower } = await follow({}, hourAhead)
    expect(follower.isBanned(userId)).toBe(false)
  })

  test('knows when bans stand for players who were pseudonymised, whom only the check finds', async () => {
    const userId = nextPlayer()
    const { follower, waitFor } = await follow({ wait: 25 })
    await ban(userId)
    await waitFor((change) => change.op === 'set' && change.userId === userId)
    expect(follower.hasPseudonyms).toBe(false)
    await staff.erasures.create({
      userId,
      confirmUserId: userId,
      mode: 'pseudonymise',
      reason: 'On request',
    })
    const { userId: pseudonym } = await waitFor((change) => change.userId.startsWith('pseudonym:'))
    expect([follower.hasPseudonyms, follower.isBanned(userId), follower.isBanned(pseudonym)]).toEqual([
      true,
      false,
      true,
    ])
    const { bans } = await staff.check([userId])
    expect(bans.map((found) => found.userId)).toEqual([userId])
  })

  test('that cannot start says why, and one whose server is away starts once it is there', async () => {
    const wrong = new Reeve({ ...server.options, key: 'rve_unknown' }).follow()
    await expect(wrong.ready).rejects.toThrow(UnauthorizedError)
    expect([wrong.status, wrong.error]).toEqual(['stopped', expect.any(UnauthorizedError)])
    const unavailable = () => new Response('', { status: 503 })
    proxy.failNext({ kind: 'respond', response: unavailable }, { kind: 'respond', response: unavailable })
    const { follower } = await follow()
    expect([follower.status, follower.error]).toEqual(['current', null])
  })

  test('ends with stop and with its signal, and keeps what it knows', async () => {
    const userId = nextPlayer()
    await ban(userId)
    const end = new AbortController()
    for (const stop of [(follower: { stop(): void }) => follower.stop(), () => end.abort()]) {
      const { follower, statuses } = await follow({ signal: end.signal, wait: 25 })
      stop(follower)
      expect([follower.status, follower.isBanned(userId), statuses.at(-1)]).toEqual([
        'stopped',
        true,
        'stopped',
      ])
    }
  })
})

describe('check', () => {
  test('finds the sanctions of many players, and asks only for changes when it is repeated', async () => {
    const [banned, muted] = [nextPlayer(), nextPlayer()]
    await ban(banned)
    await staff.moderation.mute({ userId: muted, reason: 'Loud' })
    const client = new Reeve({ ...server.options, url: proxy.url })
    const players = [muted, banned, ...Array.from({ length: 1398 }, (_, i) => i + 1000)]
    proxy.requests.length = 0
    const find = async () => {
      const { bans, mutes } = await client.check(players)
      return [bans.map(({ userId }) => userId), mutes.map(({ userId }) => userId)]
    }
    expect(await find()).toEqual([[banned], [muted]])
    expect(await find()).toEqual([[banned], [muted]])
    expect(proxy.requests.map(({ body }) => 'tag' in JSON.parse(body))).toEqual([false, false, true, true])
    await staff.moderation.unban({ userId: banned })
    expect(await find()).toEqual([[], [muted]])
    expect(await client.check([])).toEqual({ bans: [], mutes: [] })
  })
})
