import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createActivityJob } from '@reeve/api/jobs/activity'
import { appendAuditEntry } from '@reeve/audit'
import { DAY_MS, HOUR_MS } from '@reeve/core'
import { type Database, openDatabase, yieldToEventLoop } from '@reeve/db'
import type { Instance } from '../../support/instance.ts'
import { advanceAuditSequence } from '../../support/workspace-states.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'
import {
  ACTIVITY_TIMEOUT_MS,
  type ActivityFixture,
  createActor,
  NOW,
  openActivityFixture,
  repeat,
} from './activity-fixture.ts'

setDefaultTimeout(ACTIVITY_TIMEOUT_MS)

let fixture: ActivityFixture
let instance: Instance
/** One connection per process. SQLite allows a single process. */
let databases: Database[]

beforeAll(async () => {
  fixture = await openActivityFixture()
  instance = fixture.instance
  const { db, storage, ports } = instance
  databases = db.isShared ? [db, (await openDatabase(storage, { now: ports.now })).database] : [db]
})
afterAll(async () => {
  for (const db of databases.slice(1)) await db.close()
  await instance.close()
})

describe("today's activity", () => {
  test('counts more than 5,000 actions exactly, by kind and by person, before and after the job and after later actions', async () => {
    const workspace = await instance.workspace()
    const today = repeat(5600, (index) => ({
      action: index % 7 === 0 ? 'moderation.ban' : 'moderation.warn',
      at: NOW - HOUR_MS + Math.floor(index / 2),
      by: index % 3 === 0 ? 'night-owl' : 'robin',
    }))
    await fixture.act(workspace.id, [{ action: 'moderation.kick', at: NOW - DAY_MS }, ...today])
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
    expect(await fixture.readActivity(workspace)).toMatchObject(expected)
    await fixture.runJob()
    expect(await fixture.countSummarized(workspace)).toBeGreaterThan(5000)
    expect(await fixture.readActivity(workspace)).toMatchObject(expected)
    await fixture.act(
      workspace.id,
      repeat(3, () => ({ action: 'moderation.ban', at: NOW })),
    )
    const later = await fixture.readActivity(workspace)
    expect([later.count, later.days.at(-1)]).toMatchObject(['5603', { bans: '803', warnings: '4800' }])
    await fixture.runJob()
    expect(await fixture.readActivity(workspace)).toEqual(later)
  })

  test('leaves out consequences of other actions, and what is not moderation', async () => {
    const workspace = await instance.workspace()
    const { moderate, writeDepartment } = createWorkspaceRequests(instance, workspace)
    await moderate({ action: 'ban', userId: '1', reason: 'One', durationSeconds: '60' })
    await moderate({ action: 'ban', userId: '1', reason: 'Instead' })
    await moderate({ action: 'unban', userId: '1' })
    await writeDepartment({ name: 'Not moderation' })
    expect((await fixture.readActivity(workspace)).actions).toEqual([
      { action: 'ban', count: '2' },
      { action: 'unban', count: '1' },
    ])
  })

  test('gives a person the last of their names', async () => {
    const workspace = await instance.workspace()
    const warn = { action: 'moderation.warn', at: NOW }
    await fixture.act(
      workspace.id,
      repeat(600, () => ({ ...warn, by: 'ash' })),
    )
    await fixture.runJob()
    await instance.db.write((tx) => {
      const actor = createActor(workspace.id, 'ash', 'Ashley')
      return appendAuditEntry(tx, instance.ports, actor, { ...warn, target: { kind: 'record', id: 'r' } })
    })
    expect((await fixture.readActivity(workspace)).actors).toEqual([
      { actorKind: 'account', actorId: 'ash', actorName: 'Ashley', count: '601' },
    ])
  })

  test('is what the audit log lists under the filters of its links', async () => {
    const workspace = await instance.workspace()
    const actions = ['moderation.ban', 'moderation.unban', 'moderation.expire', 'moderation.supersede']
    await fixture.act(
      workspace.id,
      repeat(80, (index) => ({
        action: actions[index % 4] ?? '',
        at: NOW - index * HOUR_MS,
        by: index % 3 === 0 ? 'ash' : 'robin',
      })).reverse(),
    )
    const { from, to, actors, count } = await fixture.readActivity(workspace, 'Asia/Kolkata')
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
    await fixture.act(
      workspace.id,
      repeat(2600, () => ({ action: 'moderation.ban', at: NOW })),
    )
    let isDone = false
    const counts: number[] = []
    const keepReading = async () => {
      while (!isDone) {
        const { count, actions, days } = await fixture.readActivity(workspace)
        expect([actions, days.at(-1)?.bans]).toEqual([[{ action: 'ban', count }], count])
        counts.push(Number(count))
        await yieldToEventLoop()
      }
    }
    const work = async () => {
      await Promise.all([
        ...databases.map((db) => fixture.runJob(db)),
        fixture.act(
          workspace.id,
          repeat(900, () => ({ action: 'moderation.ban', at: NOW })),
        ),
      ])
      await Promise.all(databases.flatMap((db) => [fixture.runJob(db), fixture.runJob(db)]))
      isDone = true
    }
    await Promise.all([keepReading(), work()])
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts[0]).toBeGreaterThanOrEqual(2600)
    expect((await fixture.readActivity(workspace)).count).toBe('3500')
    expect(await fixture.countSummarized(workspace)).toBeGreaterThan(2600)
  })

  test('continues after a stopped job, and across gaps in the log', async () => {
    const workspace = await instance.workspace()
    const ban = () => ({ action: 'moderation.ban', at: NOW })
    await advanceAuditSequence(instance, workspace.id, 100_000)
    await fixture.act(workspace.id, repeat(1200, ban))
    await createActivityJob(instance.db).run(AbortSignal.abort())
    await advanceAuditSequence(instance, workspace.id, 3000)
    await fixture.act(workspace.id, repeat(1200, ban))
    expect((await fixture.readActivity(workspace)).count).toBe('2400')
    await fixture.runJob()
    expect((await fixture.readActivity(workspace)).count).toBe('2400')
  })

  test('contains nothing of another workspace', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    await fixture.act(
      other.id,
      repeat(700, () => ({ action: 'moderation.ban', at: NOW })),
    )
    await fixture.runJob()
    const { count, actions, actors, days } = await fixture.readActivity(workspace)
    expect([count, actions, actors]).toEqual(['0', [], []])
    expect(days.every(({ bans }) => bans === '0')).toBe(true)
  })

  test('survives a roll-back, because the audit log does', async () => {
    const workspace = await instance.workspace()
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    await fixture.act(
      workspace.id,
      repeat(700, () => ({ action: 'moderation.ban', at: NOW })),
    )
    await fixture.runJob()
    const owner = { session: workspace.ownerSession }
    const { body } = await workspaces({ id: workspace.id, action: 'archive' }, owner)
    const rollback = { id: workspace.id, action: 'restore', fromArchive: body.archive.id }
    expect((await workspaces(rollback, owner)).status).toBe(200)
    expect((await fixture.readActivity(workspace)).count).toBe('700')
  })
})
