import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import fc from 'fast-check'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'
import { type Fields, type ModerationFixture, openModerationFixture } from './fixture.ts'
import { createInsightsReader, EMPTY } from './insights-fixture.ts'

/** Random histories of the property. */
const RUNS = Number(process.env.REEVE_TEST_INSIGHT_RUNS ?? 4)
const DAY = 86_400_000
const MINUTE = 60_000

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const readInsights = createInsightsReader(() => instance)

const NAMES = { ban: 'bans', mute: 'mutes', warn: 'warnings', kick: 'kicks' } as const

interface Listed {
  readonly action: keyof typeof NAMES | 'note'
  readonly reason: string | null
  readonly actorUserId: string
  readonly createdAt: string
  readonly revokedAt: string | null
  readonly appealCode: string | null
  readonly id: string
}

/** Counts records by a key, as the insights show them. @param appealed the IDs of the bans that were appealed */
function countBy(
  records: readonly Listed[],
  appealed: ReadonlySet<string>,
  toKey: (record: Listed) => string | null,
) {
  const counts = new Map<string, Record<string, number>>()
  for (const record of records) {
    const key = toKey(record)
    if (key === null || record.action === 'note') continue
    const count = counts.get(key) ?? { bans: 0, mutes: 0, warnings: 0, kicks: 0, lifted: 0, appealed: 0 }
    const name = NAMES[record.action]
    count[name] = (count[name] ?? 0) + 1
    if (record.revokedAt !== null) count.lifted = (count.lifted ?? 0) + 1
    if (appealed.has(record.id)) count.appealed = (count.appealed ?? 0) + 1
    counts.set(key, count)
  }
  const format = (count: Record<string, number>) =>
    Object.fromEntries(Object.entries(count).map(([name, value]) => [name, String(value)]))
  return new Map([...counts].map(([key, count]) => [key, format(count)]))
}

/** The IDs of the records that were appealed, each as often as it was. */
async function listAppealed({ id: workspaceId, ownerId }: ModerationFixture): Promise<string[]> {
  // Another session may have been idle for too long, because the histories advance the clock.
  const session = await instance.session(ownerId)
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ workspaceId, state: 'all', limit: '200', ...(cursor && { cursor }) })
    const { body } = await instance.request('GET', `/portal/api/appeals?${query}`, { session })
    ids.push(...body.appeals.map(({ recordId }: { recordId: string }) => recordId))
    cursor = body.nextCursor
  }
  return ids
}

/** Expects that the insights are what the records of the workspace add up to. */
async function expectNaiveCounts(fixture: ModerationFixture): Promise<void> {
  const appealed = new Set(await listAppealed(fixture))
  const records: Listed[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await fixture.get({ limit: '200', ...(cursor && { cursor }) })
    records.push(...body.records)
    cursor = body.nextCursor
  }
  const { days, moderators, reasons, totals } = await readInsights(fixture)
  const byDay = countBy(records, appealed, ({ createdAt }) => createdAt.slice(0, 10))
  for (const { day, ...counts } of days) expect([day, counts]).toEqual([day, byDay.get(day) ?? EMPTY])
  const byActor = countBy(records, appealed, ({ actorUserId }) => actorUserId)
  expect(
    new Map(
      moderators.map(({ actorUserId, actorUsername: _, ...counts }: Record<string, string>) => [
        actorUserId,
        counts,
      ]),
    ),
  ).toEqual(byActor)
  const byReason = countBy(records, appealed, ({ reason }) => reason)
  expect(new Map(reasons.map(({ reason, ...counts }: { reason: string }) => [reason, counts]))).toEqual(
    byReason,
  )
  expect(totals).toEqual(countBy(records, appealed, () => 'all').get('all') ?? EMPTY)
}

const reason = fc.constantFrom('Spam', 'spam', 'Exploiting', 'Insult')
const step = fc.record({
  action: fc.constantFrom(
    'ban',
    'mute',
    'warn',
    'kick',
    'note',
    'edit',
    'revoke',
    'redact',
    'unban',
    'appeal',
  ),
  player: fc.constantFrom('1', '2', '3'),
  reason,
  pick: fc.nat(20),
  hours: fc.constantFrom(0, 0, 9),
})

/** Appeals a ban as its player, if it can be appealed, and withdraws the appeal, so that the next one of the ban is possible. */
async function appealAndWithdraw(fixture: ModerationFixture, code: string | null | undefined): Promise<void> {
  if (typeof code !== 'string') return
  for (const fields of [{ message: 'It was my brother.' }, { action: 'withdraw' }])
    await instance.request('POST', '/api/appeals', {
      key: fixture.key,
      body: { workspaceId: fixture.id, code, ...fields },
    })
}

async function runSteps(
  fixture: ModerationFixture,
  steps: readonly { action: string; player: string; reason: string; pick: number; hours: number }[],
): Promise<void> {
  for (const { action, player, reason: text, pick, hours } of steps) {
    instance.clock.advance(hours * 3_600_000)
    const { records } = (await fixture.get({ limit: '200' })).body
    if (action === 'appeal') {
      await appealAndWithdraw(fixture, records[pick % Math.max(1, records.length)]?.appealCode)
      continue
    }
    const id = records[pick % Math.max(1, records.length)]?.id
    const isChange = ['edit', 'revoke', 'redact'].includes(action)
    if (isChange && id === undefined) continue
    const body: Fields = isChange ? { action, id, reason: text } : { action, userId: player, reason: text }
    await fixture.act(body)
  }
}

describe('the counts', () => {
  test('are what the records add up to, after any changes, a roll-back and a copy', async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const fixture = await openModerationFixture(instance)
        await runSteps(fixture, history)
        await expectNaiveCounts(fixture)
      }),
      { numRuns: RUNS },
    )
    const fixture = await openModerationFixture(instance)
    const { workspaces } = createWorkspaceRequests(instance, fixture)
    const sample = fc.sample(step, 40)
    await runSteps(fixture, sample.slice(0, 20))
    const { archive } = (await workspaces({ id: fixture.id, archive: true })).body
    await workspaces({ id: fixture.id, archive: false })
    await runSteps(fixture, sample.slice(20))
    await workspaces({ id: fixture.id, archive: true })
    const rolledBack = await workspaces({ id: fixture.id, fromArchive: archive.id })
    expect(rolledBack.status).toBe(200)
    await expectNaiveCounts(fixture)
  }, 60_000)

  test('contain no reason that was redacted', async () => {
    const fixture = await openModerationFixture(instance)
    const { id } = await fixture.ban('1', { reason: 'Something secret' })
    await fixture.actOk({ action: 'redact', id, reason: 'Request' })
    expect((await readInsights(fixture)).reasons).toEqual([])
    const rows = await instance.storage.query<{ reason: string }>('select reason from reason_count')
    expect(rows.map((row) => row.reason)).not.toContain('Something secret')
  })

  test('are of the days of UTC in the period, at most 366 of them', async () => {
    const fixture = await openModerationFixture(instance)
    await fixture.ban('1')
    instance.clock.advance(2 * DAY)
    await fixture.ban('2')
    const to = fixture.timeFromNow()
    const from = fixture.timeFromNow(-2 * DAY)
    const { days } = await readInsights(fixture, { from, to })
    expect(days.map(({ day, bans }: Record<string, string>) => [day, bans])).toEqual([
      [from.slice(0, 10), '1'],
      [fixture.timeFromNow(-DAY).slice(0, 10), '0'],
      [to.slice(0, 10), '1'],
    ])
    for (const [query, message] of [
      [{ from: to, to: from }, 'must be after from'],
      [{ from: fixture.timeFromNow(-400 * DAY), to }, 'must be at most 366 days after from'],
    ] as const) {
      const path = `/api/moderation/insights?${new URLSearchParams({ workspaceId: fixture.id, ...query })}`
      const { status, body } = await instance.request('GET', path, { key: fixture.key })
      expect([status, body.details]).toEqual([400, [{ field: 'to', message }]])
    }
  })
})

test('a report waits until a person changes it, or creates a record about its player', async () => {
  const fixture = await openModerationFixture(instance)
  const member = await instance.member(fixture.id, permissions)
  const report = (userId: string) => fixture.actOk({ action: 'note', userId, reason: 'Reported in game' })
  const respond = async (body: Fields) => {
    const response = await instance.request('POST', fixture.toPath({}), { session: member.session, body })
    expect(response.status).toBe(200)
  }
  const changed = await report('1')
  await report('2')
  const ignored = await report('3')
  instance.clock.advance(3 * MINUTE)
  await respond({ action: 'comment', id: changed.id, value: 'Looking at it' })
  await fixture.actOk({ action: 'comment', id: ignored.id, value: 'A comment of the key' })
  instance.clock.advance(30 * MINUTE)
  await respond({ action: 'comment', id: changed.id, value: 'Still looking at it' })
  await respond({ action: 'ban', userId: '2', reason: 'Confirmed' })
  const { responses } = await readInsights(fixture)
  expect(responses[0]).toEqual({
    kind: 'report',
    count: '3',
    answered: '2',
    medianMinutes: '3',
    withinFiveMinutes: '1',
    withinHour: '2',
    withinDay: '2',
  })
})

test('a ban that is appealed again counts once, on the day of the ban', async () => {
  const fixture = await openModerationFixture(instance)
  const banned = await fixture.ban('1', { reason: 'Spam' })
  const day = fixture.timeFromNow().slice(0, 10)
  await fixture.ban('2', { reason: 'Spam' })
  instance.clock.advance(DAY)
  for (const _ of [1, 2, 3]) await appealAndWithdraw(fixture, banned.appealCode)
  expect(await listAppealed(fixture)).toEqual([banned.id, banned.id, banned.id])
  const { totals, days, moderators, reasons, responses } = await readInsights(fixture)
  expect(totals).toEqual({ ...EMPTY, bans: '2', appealed: '1' })
  expect(days.filter(({ appealed }: { appealed: string }) => appealed !== '0')).toEqual([
    { day, ...EMPTY, bans: '2', appealed: '1' },
  ])
  expect(moderators).toMatchObject([{ bans: '2', appealed: '1' }])
  expect(reasons).toEqual([{ reason: 'Spam', ...EMPTY, bans: '2', appealed: '1' }])
  expect(responses).toMatchObject([
    { kind: 'report', count: '0' },
    { kind: 'appeal', count: '3' },
  ])
})

test('a file has the same counts', async () => {
  const fixture = await openModerationFixture(instance)
  const { appealCode } = await fixture.ban('1', { reason: 'Spam' })
  await fixture.ban('2', { reason: 'Spam' })
  await fixture.actOk({ action: 'mute', userId: '2', reason: 'Insult' })
  await appealAndWithdraw(fixture, appealCode)
  const { days, moderators, reasons, responses } = await readInsights(fixture)
  expect(days.at(-1)).toEqual({
    day: fixture.timeFromNow().slice(0, 10),
    ...EMPTY,
    bans: '2',
    mutes: '1',
    appealed: '1',
  })
  for (const [view, rows] of Object.entries({ days, moderators, reasons, responses })) {
    const query = new URLSearchParams({ workspaceId: fixture.id, view })
    const path = `/portal/api/insights.csv?${query}`
    const { text } = await instance.request('GET', path, { session: fixture.ownerSession })
    const [header = '', ...lines] = text
      .trim()
      .split('\r\n')
      .slice(-rows.length - 1)
    const columns = header
      .replace(/^\uFEFF/, '')
      .replace('day (UTC)', 'day')
      .split(',')
    expect(columns.toSorted()).toEqual(Object.keys(rows[0]).toSorted())
    expect(lines).toEqual(
      rows.map((row: Record<string, string | null>) => columns.map((column) => row[column] ?? '').join(',')),
    )
  }
})
