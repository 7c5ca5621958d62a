import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createActivityJob } from '@reeve/api/jobs/activity'
import { appendAuditEntry } from '@reeve/audit'
import { type Actor, anonymousActor } from '@reeve/core'
import { type Database, openDatabase, yieldToEventLoop } from '@reeve/db'
import { createTestClock, createTestPorts } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { advanceAuditSequence } from '../../support/workspace-states.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'

// Thousands of audit entries take a while on PostgreSQL.
setDefaultTimeout(60_000)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Daylight saving time ends in Berlin and begins in Lord Howe, by half an hour, in the month before. */
const NOW = Date.UTC(2026, 9, 30, 21, 40)

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
]

let instance: Instance
/** One connection per process. SQLite allows a single process. */
let databases: Database[]

beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
  const { db, storage, ports } = instance
  databases = db.isShared ? [db, (await openDatabase(storage, ports.now)).database] : [db]
})
afterAll(async () => {
  for (const db of databases.slice(1)) await db.close()
  await instance.close()
})

interface Action {
  readonly action: string
  readonly at: number
  readonly by?: string
}

/** Appends actions to the audit log of a workspace, as the API does. */
async function act(workspaceId: string, actions: readonly Action[]): Promise<void> {
  for (let index = 0; index < actions.length; index += 250) {
    await instance.db.write(async (tx) => {
      for (const { action, at, by = 'robin' } of actions.slice(index, index + 250)) {
        const actor: Actor = {
          ...anonymousActor,
          kind: 'account',
          id: by,
          name: `Name of ${by}`,
          workspaceId,
        }
        const ports = createTestPorts(createTestClock(at))
        await appendAuditEntry(tx, ports, actor, { action, target: { kind: 'record', id: 'r' } })
      }
    })
  }
}

async function readActivity({ id, ownerSession }: Workspace, timeZone = 'UTC') {
  const search = new URLSearchParams({ workspaceId: id, timeZone })
  const { body } = await instance.request('GET', `/portal/api/overview?${search}`, { session: ownerSession })
  return body.done as {
    readonly from: string
    readonly to: string
    readonly count: string
    readonly actions: readonly { action: string; count: string }[]
    readonly actors: readonly { actorKind: string; actorId: string; actorName: string; count: string }[]
    readonly days: readonly { from: string; to: string; bans: string; warnings: string }[]
  }
}

const runJob = (db = instance.db) => createActivityJob(db).run(AbortSignal.timeout(60_000))

const repeat = (count: number, action: (index: number) => Action): Action[] =>
  Array.from({ length: count }, (_, index) => action(index))

const countSummarized = async ({ id }: Workspace): Promise<number> => {
  const rows = await instance.storage.query<{ sequence: number | string }>(
    `select sequence from activity_progress where workspace_id = '${id}'`,
  )
  return Number(rows[0]?.sequence ?? 0)
}

describe("today's activity", () => {
  test('counts more than 5,000 actions exactly, by kind and by person, before and after the job and after later actions', async () => {
    const workspace = await instance.workspace()
    const today = repeat(5600, (index) => ({
      action: index % 7 === 0 ? 'moderation.ban' : 'moderation.warn',
      at: NOW - HOUR + Math.floor(index / 2),
      by: index % 3 === 0 ? 'night-owl' : 'robin',
    }))
    await act(workspace.id, [{ action: 'moderation.kick', at: NOW - DAY }, ...today])
    const expected = {
      count: '5600',
      actions: [
        { action: 'warn', count: '4800' },
        { action: 'ban', count: '800' },
      ],
      actors: [
        { actorKind: 'account', actorId: 'robin', actorName: 'Name of robin', count: '3733' },
        { actorKind: 'account', actorId: 'night-owl', actorName: 'Name of night-owl', count: '1867' },
      ],
    }
    expect(await readActivity(workspace)).toMatchObject(expected)
    await runJob()
    expect(await countSummarized(workspace)).toBeGreaterThan(5000)
    expect(await readActivity(workspace)).toMatchObject(expected)
    await act(
      workspace.id,
      repeat(3, () => ({ action: 'moderation.ban', at: NOW })),
    )
    const later = await readActivity(workspace)
    expect([later.count, later.days.at(-1)]).toMatchObject(['5603', { bans: '803', warnings: '4800' }])
    await runJob()
    expect(await readActivity(workspace)).toEqual(later)
  })

  test('leaves out consequences of other actions, and what is not moderation', async () => {
    const workspace = await instance.workspace()
    const { moderate, writeDepartment } = createWorkspaceRequests(instance, workspace)
    await moderate({ action: 'ban', userId: '1', reason: 'One', durationSeconds: '60' })
    await moderate({ action: 'ban', userId: '1', reason: 'Instead' })
    await moderate({ action: 'unban', userId: '1' })
    await writeDepartment({ name: 'Not moderation' })
    expect((await readActivity(workspace)).actions).toEqual([
      { action: 'ban', count: '2' },
      { action: 'unban', count: '1' },
    ])
  })

  test('gives a person the last of their names', async () => {
    const workspace = await instance.workspace()
    const warn = { action: 'moderation.warn', at: NOW }
    await act(
      workspace.id,
      repeat(600, () => ({ ...warn, by: 'ash' })),
    )
    await runJob()
    await instance.db.write((tx) => {
      const actor: Actor = {
        ...anonymousActor,
        kind: 'account',
        id: 'ash',
        name: 'Ashley',
        workspaceId: workspace.id,
      }
      return appendAuditEntry(tx, instance.ports, actor, { ...warn, target: { kind: 'record', id: 'r' } })
    })
    expect((await readActivity(workspace)).actors).toEqual([
      { actorKind: 'account', actorId: 'ash', actorName: 'Ashley', count: '601' },
    ])
  })

  test('is what the audit log lists under the filters of its links', async () => {
    const workspace = await instance.workspace()
    const actions = ['moderation.ban', 'moderation.unban', 'moderation.expire', 'moderation.supersede']
    await act(
      workspace.id,
      repeat(80, (index) => ({
        action: actions[index % 4] ?? '',
        at: NOW - index * HOUR,
        by: index % 3 === 0 ? 'ash' : 'robin',
      })).reverse(),
    )
    const { from, to, actors, count } = await readActivity(workspace, 'Asia/Kolkata')
    const countListed = async (filter: Record<string, string>) => {
      const search = new URLSearchParams({ workspaceId: workspace.id, limit: '200', from, to, ...filter })
      const { body } = await instance.request('GET', `/portal/api/audit?${search}`, {
        session: workspace.ownerSession,
      })
      return String(body.entries.length)
    }
    expect(await countListed({ action: 'moderation.*' })).toBe(count)
    expect(actors.length).toBe(2)
    for (const { actorId, count: actorCount } of actors)
      expect(await countListed({ action: 'moderation.*', actorId })).toBe(actorCount)
  })

  test('stays complete while the job and other people are at work', async () => {
    const workspace = await instance.workspace()
    await act(
      workspace.id,
      repeat(2600, () => ({ action: 'moderation.ban', at: NOW })),
    )
    let isDone = false
    const counts: number[] = []
    const keepReading = async () => {
      while (!isDone) {
        const { count, actions, days } = await readActivity(workspace)
        expect([actions, days.at(-1)?.bans]).toEqual([[{ action: 'ban', count }], count])
        counts.push(Number(count))
        await yieldToEventLoop()
      }
    }
    const work = async () => {
      await Promise.all([
        ...databases.map((db) => runJob(db)),
        act(
          workspace.id,
          repeat(900, () => ({ action: 'moderation.ban', at: NOW })),
        ),
      ])
      await Promise.all(databases.flatMap((db) => [runJob(db), runJob(db)]))
      isDone = true
    }
    await Promise.all([keepReading(), work()])
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts[0]).toBeGreaterThanOrEqual(2600)
    expect((await readActivity(workspace)).count).toBe('3500')
    expect(await countSummarized(workspace)).toBeGreaterThan(2600)
  })

  test('continues after a stopped job, and across gaps in the log', async () => {
    const workspace = await instance.workspace()
    const ban = () => ({ action: 'moderation.ban', at: NOW })
    await advanceAuditSequence(instance, workspace.id, 100_000)
    await act(workspace.id, repeat(1200, ban))
    await createActivityJob(instance.db).run(AbortSignal.abort())
    await advanceAuditSequence(instance, workspace.id, 3000)
    await act(workspace.id, repeat(1200, ban))
    expect((await readActivity(workspace)).count).toBe('2400')
    await runJob()
    expect((await readActivity(workspace)).count).toBe('2400')
  })

  test('contains nothing of another workspace', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    await act(
      other.id,
      repeat(700, () => ({ action: 'moderation.ban', at: NOW })),
    )
    await runJob()
    const { count, actions, actors, days } = await readActivity(workspace)
    expect([count, actions, actors]).toEqual(['0', [], []])
    expect(days.every(({ bans }) => bans === '0')).toBe(true)
  })

  test('survives a roll-back, because the audit log does', async () => {
    const workspace = await instance.workspace()
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    await act(
      workspace.id,
      repeat(700, () => ({ action: 'moderation.ban', at: NOW })),
    )
    await runJob()
    const owner = { session: workspace.ownerSession }
    const { body } = await workspaces({ id: workspace.id, action: 'archive' }, owner)
    const rollback = { id: workspace.id, action: 'restore', fromArchive: body.archive.id }
    expect((await workspaces(rollback, owner)).status).toBe(200)
    expect((await readActivity(workspace)).count).toBe('700')
  })
})

describe('the days of the charts', () => {
  test('are the last 30 of the reader, also in zones of half hours and when clocks change', async () => {
    const workspace = await instance.workspace()
    // Around the clock, so that every border of a day in every zone has actions on both sides.
    const actions = repeat(33 * 48, (index) => ({
      action: index % 5 === 0 ? 'moderation.warn' : 'moderation.ban',
      at: NOW - DAY * 33 + index * 30 * MINUTE + (index % 2) * (30 * MINUTE - 1),
    }))
    await act(workspace.id, actions)
    const check = async (zone: string) => {
      const { days, from, to } = await readActivity(workspace, zone)
      const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
      const countByDate = (action: string) =>
        Map.groupBy(
          actions.filter((entry) => entry.action === action),
          ({ at }) => format.format(at),
        )
      const [bans, warnings] = [countByDate('moderation.ban'), countByDate('moderation.warn')]
      const dates = days.map((day) => format.format(Date.parse(day.from)))
      expect([zone, new Set(dates).size, dates.at(-1)]).toEqual([zone, 30, format.format(NOW)])
      for (const [index, day] of days.entries()) {
        const date = dates[index] ?? ''
        expect({ zone, date, bans: day.bans, warnings: day.warnings }).toEqual({
          zone,
          date,
          bans: String(bans.get(date)?.length ?? 0),
          warnings: String(warnings.get(date)?.length ?? 0),
        })
        expect(format.format(Date.parse(day.to) - 1)).toBe(date)
        expect(day.to).toBe(days[index + 1]?.from ?? to)
      }
      expect(days.at(-1)?.from).toBe(from)
    }
    for (const zone of ZONES) await check(zone)
    await runJob()
    expect(await countSummarized(workspace)).toBeGreaterThan(1500)
    for (const zone of ZONES) await check(zone)
  })

  test('have 25 and 23 hours when clocks change', async () => {
    const workspace = await instance.workspace()
    const listLengths = async (zone: string) => {
      const { days } = await readActivity(workspace, zone)
      return new Set(days.map(({ from, to }) => (Date.parse(to) - Date.parse(from)) / HOUR))
    }
    expect(await listLengths('Europe/Berlin')).toEqual(new Set([24, 25]))
    expect(await listLengths('Australia/Lord_Howe')).toEqual(new Set([24, 23.5]))
    expect(await listLengths('Asia/Kolkata')).toEqual(new Set([24]))
  })

  test('need the name of a time zone', async () => {
    const { id, ownerSession } = await instance.workspace()
    for (const timeZone of ['Mars/Olympus', '+05:17', '2026', '']) {
      const search = new URLSearchParams({ workspaceId: id, timeZone })
      const response = await instance.request('GET', `/portal/api/overview?${search}`, {
        session: ownerSession,
      })
      expect([timeZone, response.status, response.body?.details?.[0]?.field]).toEqual([
        timeZone,
        400,
        'timeZone',
      ])
    }
    expect(instance.unexpectedErrors).toEqual([])
  })
})
