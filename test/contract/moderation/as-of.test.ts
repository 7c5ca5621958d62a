import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
import { type Fields, openModerationFixture, SECOND } from './fixture.ts'

/** More finds more: `REEVE_AS_OF_RUNS=200`. */
const RUNS = Number(process.env.REEVE_AS_OF_RUNS ?? 8)

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const PLAYERS = ['261', 'steam:76561197960287930']

/** A ban in the naive replay: from when on it had which end, and when something else ended it. */
interface ReplayedBan {
  readonly id: string
  readonly caseNumber: string
  readonly userId: string
  readonly ends: { readonly from: number; readonly expiresAt: string | null }[]
  endedAt: number
}

const player = fc.constantFrom(...PLAYERS)
const seconds = fc.integer({ min: 1, max: 90 })
const steps = fc.array(
  fc.record({
    pause: fc.constantFrom(0, 0, 1, 5 * SECOND, 40 * SECOND),
    /** Which ban a change is about, counted from the newest. */
    index: fc.nat({ max: 3 }),
    body: fc.oneof(
      fc.record({ action: fc.constant('ban'), userId: player, reason: fc.constant('x') }),
      fc.record({
        action: fc.constant('ban'),
        userId: player,
        reason: fc.constant('x'),
        durationSeconds: seconds,
      }),
      fc.record({ action: fc.constant('unban'), userId: player }),
      fc.record({ action: fc.constant('extend'), value: fc.integer({ min: -30, max: 90 }) }),
      fc.record({
        action: fc.constant('edit'),
        durationSeconds: fc.oneof(seconds, fc.constant('permanent')),
      }),
      fc.record({ action: fc.constant('edit'), reason: fc.string({ minLength: 1, maxLength: 40 }) }),
      fc.record({ action: fc.constant('comment'), value: fc.constant('Seen again') }),
      fc.record({ action: fc.constantFrom('revoke', 'redact'), reason: fc.constant('Wrong') }),
      fc.record({ action: fc.constantFrom('note', 'mute'), userId: player, reason: fc.constant('x') }),
    ),
  }),
  { minLength: 10, maxLength: 40 },
)

describe('a ban check as of an earlier time', () => {
  test('returns the ban that a replay of all changes up to then has in force, with its end at that time', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (changes) => {
        const fixture = await openModerationFixture(instance)
        const bans: ReplayedBan[] = []
        const times = [instance.clock.now() - 1, instance.clock.now()]
        for (const { pause, index, body } of changes) {
          instance.clock.advance(pause)
          const now = instance.clock.now()
          times.push(now)
          const target = bans.at(-1 - index)
          const { status, body: result } = await fixture.act(
            'userId' in body ? body : { ...body, id: target?.id },
          )
          if (status !== 200) continue
          replay(bans, body.action, result.record, now)
        }
        instance.clock.advance(200 * SECOND)
        for (const [index, time] of [...times, instance.clock.now()].entries()) {
          const { body } = await fixture.get({
            banList: 'true',
            userId: PLAYERS.join(),
            asOf: index % 2 === 0 ? String(time) : new Date(time).toISOString(),
          })
          expect(
            body.bans.map(({ caseNumber, userId, expiresAt, status }: Fields) => [
              caseNumber,
              userId,
              expiresAt,
              status,
            ]),
          ).toEqual(findInForce(bans, time))
        }
      }),
      { numRuns: RUNS },
    )
  }, 60_000)

  test('is exact for a ban with hundreds of versions', async () => {
    const { ban, actOk, get } = await openModerationFixture(instance)
    const { id } = await ban('261', { durationSeconds: '86400' })
    const ends = [[instance.clock.now(), await end()]] as [number, string][]
    async function end() {
      return (await get({ id })).body.record.expiresAt
    }
    for (let count = 0; count < 260; count++) {
      instance.clock.advance(1)
      const { expiresAt } = await actOk({ action: 'extend', id, value: '1' })
      ends.push([instance.clock.now(), expiresAt])
    }
    for (const [time, expiresAt] of [0, 1, 126, 127, 128, 129, 255, 259, 260].map(
      (at) => ends[at] ?? [0, ''],
    )) {
      const { body } = await get({ banList: 'true', userId: '261', asOf: String(time) })
      expect(body.bans.map((found: Fields) => found.expiresAt)).toEqual([expiresAt])
    }
  })

  test('is the same in a POST for many players, named in the query or in the body', async () => {
    const { id: workspaceId, key, ban, actOk, toPath } = await openModerationFixture(instance)
    const players = Array.from({ length: 200 }, (_, index) => String(index + 1)).join()
    const { caseNumber } = await ban('1')
    await ban('200')
    const asOf = String(instance.clock.now())
    instance.clock.advance(SECOND)
    await actOk({ action: 'unban', userId: '1' })
    const check = (query: Record<string, string>, body?: object, under = '/api') =>
      instance.request('POST', toPath({ banList: 'true', ...query }).replace('/api', under), { key, body })
    for (const response of [
      await check({ userId: players, asOf }),
      await check({ asOf }, { userId: players }),
      await check({ userId: players, asOf }, undefined, LEGACY_PREFIX),
    ]) {
      expect([response.status, response.body.bans.at(-1)]).toMatchObject([
        200,
        { caseNumber, status: 'active' },
      ])
      expect(response.body.bans).toHaveLength(2)
    }
    expect((await check({ userId: players })).body.bans).toHaveLength(1)
    // The check of a game server is about now, because its tag is.
    const tagged = { workspaceId, userIds: '1', asOf }
    for (const [response, field] of [
      [await check({ asOf }, { userId: '1', severity: 'low' }), 'severity'],
      [await check({ asOf }), 'asOf'],
      [await check({ asOf }, { action: 'ban', userId: '1', reason: 'x' }), 'asOf'],
      [await instance.request('POST', '/api/moderation/check', { key, body: tagged }), 'asOf'],
    ] as const)
      expect([response.status, response.body.details?.map((one: Fields) => one.field)]).toEqual([
        400,
        expect.arrayContaining([field]),
      ])
  })

  test('needs players, and is rejected with another filter and for the future', async () => {
    const { expectReadRejected } = await openModerationFixture(instance)
    const asOf = String(instance.clock.now())
    const cases: [Record<string, string>, string[]][] = [
      [{ asOf, banList: 'true' }, ['asOf']],
      [{ asOf, userId: '1' }, ['asOf']],
      [{ asOf, userId: '1', banHistory: 'true' }, ['asOf']],
      [{ asOf, userId: '1', banList: 'true', severity: 'low', limit: '5' }, ['limit', 'severity']],
      [{ asOf: String(instance.clock.now() + 1), userId: '1', banList: 'true' }, ['asOf']],
    ]
    for (const [query, fields] of cases)
      expect(await expectReadRejected(query)).toMatchObject({ status: 400, fields })
  })
})

/** Applies one change to the bans, by the rules that a person would state. */
function replay(bans: ReplayedBan[], action: string, record: Fields, now: number): void {
  const expiresAt = record.expiresAt as string | null
  if (action === 'ban') {
    for (const other of bans) {
      if (other.userId === record.userId) other.endedAt = Math.min(other.endedAt, now)
    }
    bans.push({
      id: String(record.id),
      caseNumber: String(record.caseNumber),
      userId: String(record.userId),
      ends: [{ from: now, expiresAt }],
      endedAt: Number.POSITIVE_INFINITY,
    })
    return
  }
  const ban = bans.find(({ id }) => id === record.id)
  if (!ban) return
  if (action === 'unban' || action === 'revoke') ban.endedAt = Math.min(ban.endedAt, now)
  else ban.ends.push({ from: now, expiresAt })
}

/** The bans in force at a time, newest first. */
const findInForce = (bans: readonly ReplayedBan[], time: number) =>
  bans.toReversed().flatMap(({ caseNumber, userId, ends, endedAt }) => {
    const expiresAt = ends.findLast(({ from }) => from <= time)?.expiresAt
    if (expiresAt === undefined || endedAt <= time) return []
    return expiresAt === null || Date.parse(expiresAt) > time
      ? [[caseNumber, userId, expiresAt, 'active']]
      : []
  })
