import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOW, type Workspace } from './import-fixture.ts'

/** More finds more: `REEVE_AS_OF_RUNS=200`. */
const RUNS = Number(process.env.REEVE_AS_OF_RUNS ?? 8)
const HOUR = 3_600_000

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const { importFile, importText } = createImportRequests(() => instance)

async function findBans({ id, key }: Workspace, userId: string, asOf: string | number) {
  const time = new Date(asOf).toISOString()
  const query = new URLSearchParams({ workspaceId: id, banList: 'true', userId, asOf: time })
  const { status, body, text } = await instance.request('GET', `/api/moderation?${query}`, { key })
  expect(status, text).toBe(200)
  return body.bans as { sourceId: string | null; status: string; expiresAt: string | null; revokedAt: null }[]
}
const findIds = async (...args: Parameters<typeof findBans>) =>
  (await findBans(...args)).map(({ sourceId, status, revokedAt }) => {
    expect([status, revokedAt]).toEqual(['active', null])
    return sourceId
  })

const HEADER = 'userId,action,occurredAt,expiresAt,liftedAt,sourceId'
const importRows = (rows: readonly string[], options = {}) =>
  importText('csv', 'bans.csv', [HEADER, ...rows].join('\n'), options)

describe('a ban check as of a time before the import', () => {
  test('has the ban that was in force in the other tool, from when it happened until it was lifted or expired', async () => {
    const { workspace } = await importRows([
      '1,ban,2026-01-05T00:00Z,2026-01-06T00:00Z,,short',
      '1,ban,2026-01-10T00:00Z,never,2026-01-12T00:00Z,lifted',
      '1,ban,2026-01-20T00:00Z,never,,permanent',
      '2,mute,2026-01-05T00:00Z,never,,mute',
    ])
    for (const [time, ids] of [
      ['2026-01-04T23:59:59.999Z', []],
      ['2026-01-05T00:00:00Z', ['short']],
      ['2026-01-05T23:59:59.999Z', ['short']],
      ['2026-01-06T00:00:00Z', []],
      ['2026-01-10T00:00:00Z', ['lifted']],
      ['2026-01-12T00:00:00Z', []],
      ['2026-01-20T00:00:00Z', ['permanent']],
      [NOW, ['permanent']],
    ] as const)
      expect<unknown>([time, await findIds(workspace, '1', time)]).toEqual([time, ids])
    expect(await findIds(workspace, '2', '2026-01-07T00:00Z')).toEqual([])
    expect((await findBans(workspace, '1', '2026-01-05T12:00Z'))[0]?.expiresAt).toBe(
      '2026-01-06T00:00:00.000Z',
    )
  })

  test('has the ban as it was imported, whatever changed here since', async () => {
    const { workspace } = await importRows(['1,ban,2026-01-05T00:00Z,2026-03-01T00:00Z,,one'])
    const { id: workspaceId, key } = workspace
    const [ban] = await findBans(workspace, '1', instance.clock.now())
    instance.clock.advance(HOUR)
    const act = (body: object) =>
      instance.request('POST', '/api/moderation', { key, body: { workspaceId, ...body } })
    expect((await act({ action: 'unban', userId: '1', reason: 'Appealed' })).status).toBe(200)
    expect(await findIds(workspace, '1', instance.clock.now())).toEqual([])
    expect(await findIds(workspace, '1', '2026-01-07T00:00Z')).toEqual(['one'])
    expect((await findBans(workspace, '1', '2026-01-07T00:00Z'))[0]?.expiresAt).toBe(ban?.expiresAt ?? '')
  })

  test('knows a ban that an unban of the same file has lifted, and one that another has replaced', async () => {
    const { workspace } = await importFile('roblox', 'roblox-logs.json')
    for (const [userId, time, ids] of [
      ['156', '2026-01-03T12:00Z', ['universe/users/156@1767434400000']],
      ['156', '2026-01-05T12:00Z', ['universe/users/156@1767520800250']],
      ['156', '2026-01-08T12:00Z', []],
      ['157', '2026-01-05T11:30Z', ['universe/users/157@1767607200000']],
      ['157', '2026-01-05T12:00Z', []],
      ['157', '2026-01-07T11:00Z', ['universe/users/157@1767783600000']],
    ] as const)
      expect<unknown>([userId, time, await findIds(workspace, userId, time)]).toEqual([userId, time, ids])
    const zeppelin = await importFile('zeppelin', 'zeppelin.json')
    const discord = 'discord:106391128718245888'
    expect(await findIds(zeppelin.workspace, discord, '2026-01-07T09:59Z')).toEqual(['2'])
    expect(await findIds(zeppelin.workspace, discord, '2026-01-07T10:00Z')).toEqual([])
  })

  test('has the ban of this workspace rather than one that was imported later', async () => {
    const workspace = await instance.workspace()
    const { id: workspaceId, key } = workspace
    const body = { workspaceId, action: 'ban', userId: '1', reason: 'Here' }
    expect((await instance.request('POST', '/api/moderation', { key, body })).status).toBe(200)
    const at = instance.clock.now()
    instance.clock.advance(HOUR)
    await importRows(['1,ban,2026-01-05T00:00Z,never,,there'], { workspace, conflicts: 'supersede' })
    expect(await findIds(workspace, '1', at)).toEqual([null])
    expect(await findIds(workspace, '1', at - 1)).toEqual(['there'])
    expect(await findIds(workspace, '1', instance.clock.now())).toEqual(['there'])
  })

  test('returns what a replay of the history that was imported has in force', async () => {
    const hours = fc.integer({ min: 0, max: 200 })
    const rows = fc.array(
      fc.record({
        from: hours,
        /** Hours; null for never. */
        expires: fc.option(fc.integer({ min: 1, max: 60 })),
        lifted: fc.integer({ min: 1, max: 60 }),
      }),
      { minLength: 1, maxLength: 12 },
    )
    const start = NOW - 400 * HOUR
    const write = (hour: number) => new Date(start + hour * HOUR).toISOString()
    await fc.assert(
      fc.asyncProperty(rows, async (bans) => {
        const lines = bans.map(
          ({ from, expires, lifted }, index) =>
            `1,ban,${write(from)},${expires === null ? 'never' : write(from + expires)},${write(from + lifted)},${index}`,
        )
        const { workspace, result } = await importRows(lines)
        expect(result).toMatchObject({ created: String(bans.length) })
        for (const hour of new Set(
          bans.flatMap(({ from, lifted }) => [from - 1, from, from + 1, from + lifted]),
        )) {
          const inForce = bans
            .map((ban, index) => ({ ...ban, index }))
            .filter(
              ({ from, expires, lifted }) =>
                from <= hour && hour < from + Math.min(lifted, expires ?? Number.POSITIVE_INFINITY),
            )
            .sort((one, other) => other.from - one.from || other.index - one.index)
            .slice(0, 1)
            .map(({ index }) => String(index))
          expect([hour, await findIds(workspace, '1', write(hour))]).toEqual([hour, inForce])
        }
      }),
      { numRuns: RUNS },
    )
  }, 60_000)
})
