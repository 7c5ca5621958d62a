import { afterAll, beforeAll, expect, test } from 'bun:test'
import { databaseEvidenceStore } from '@reeve/api/images/evidence-store'
import type { Database } from '@reeve/db'
import { applyRetention, deleteUnusedEvidence } from '@reeve/moderation'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readLastJob, runJobUntil } from '../../support/workspace-jobs.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'
import { openEvidenceFixture } from './fixture.ts'

const DAY = 86_400_000

let instance: Instance

beforeAll(async () => {
  instance = await openInstance({ finishesJobs: false })
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const cleanUp = (db: Database = instance.db) =>
  deleteUnusedEvidence(db, instance.ports, databaseEvidenceStore)

/** A workspace whose owner archives it, restores it and rolls it back. */
async function openWorkspace() {
  const fixture = await openEvidenceFixture(instance)
  const { workspaces } = createWorkspaceRequests(instance, fixture)
  const change = async (body: Record<string, unknown>) => {
    const response = await workspaces({ id: fixture.id, ...body }, { session: fixture.session })
    expect(response.status, response.text).toBe(200)
    return response.body
  }
  const archive = async (): Promise<string> => {
    const { archive } = await change({ archive: true })
    await instance.runJobs()
    return archive.id
  }
  return { ...fixture, change, archive, restore: () => change({ archive: false }) }
}

test.each([
  ['at once', 0],
  ['after an interruption of two days', 2 * DAY],
])('a roll-back that has found a file keeps it until its record is back, %s', async (_, interruptionMs) => {
  const fixture = await openWorkspace()
  const { change, archive } = fixture
  const empty = await archive()
  await fixture.restore()
  const record = await fixture.createRecord()
  const { file } = (await fixture.upload(record.id, 'a.txt', 'proof')).body
  await archive()
  const { archive: full } = await change({ fromArchive: empty })
  await instance.runJobs()
  await archive()
  instance.clock.advance(DAY)

  await change({ fromArchive: full.id })
  await runJobUntil(instance, fixture, 'apply')
  instance.clock.advance(interruptionMs)
  await cleanUp()
  await instance.runJobs()
  expect(await readLastJob(instance, fixture)).toMatchObject({ state: 'succeeded' })
  expect((await fixture.readRecord(record.id)).record.evidenceFiles).toEqual([file])
  expect(Buffer.from(await fixture.readBytes(file.id)).toString()).toBe('proof')
})

test.each(['before it deletes anything', 'between two of its transactions'])(
  'cleanup that finds a removed file keeps what a roll-back restores %s',
  async (moment) => {
    const fixture = await openWorkspace()
    const record = await fixture.createRecord()
    const text = 'proof '.repeat(400_000)
    const { file } = (await fixture.upload(record.id, 'a.txt', text)).body
    const full = await fixture.archive()
    await fixture.restore()
    const configured = await instance.request('POST', '/api/moderation/retention', {
      session: fixture.session,
      body: { workspaceId: fixture.id, warnDays: '1' },
    })
    expect(configured.status, configured.text).toBe(200)
    instance.clock.advance(3 * DAY)
    await applyRetention(instance.db, instance.ports, AbortSignal.timeout(60_000))
    expect((await fixture.download(file.id)).status).toBe(404)
    await fixture.archive()

    await fixture.change({ fromArchive: full })
    const { db } = instance
    const finishRollBack = once(() => instance.runJobs())
    await cleanUp({
      ...db,
      read: {
        ...db.read,
        async all(statement, params) {
          const rows = await db.read.all(statement, params)
          if (moment === 'before it deletes anything') await finishRollBack()
          return rows
        },
      },
      async write(unit) {
        const result = await db.write(unit)
        await finishRollBack()
        return result
      },
    })
    expect(await readLastJob(instance, fixture)).toMatchObject({ state: 'succeeded' })
    expect((await fixture.readRecord(record.id)).record.evidenceFiles).toEqual([file])
    expect(Buffer.from(await fixture.readBytes(file.id)).toString()).toBe(text)
  },
)

/** Calls a function with the first call only. */
function once(run: () => Promise<unknown>): () => Promise<unknown> {
  let first: Promise<unknown> | undefined
  return () => {
    first ??= run()
    return first
  }
}
