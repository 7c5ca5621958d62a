import { afterAll, beforeAll, expect, test } from 'bun:test'
import { databaseEvidenceStore } from '@reeve/api/images/evidence-store'
import { deleteUnusedEvidence } from '@reeve/moderation'
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

const cleanUp = () => deleteUnusedEvidence(instance.db, instance.ports, databaseEvidenceStore)

test.each([
  ['at once', 0],
  ['after an interruption of two days', 2 * DAY],
])('a roll-back that has found a file keeps it until its record is back, %s', async (_, interruptionMs) => {
  const fixture = await openEvidenceFixture(instance)
  const { workspaces } = createWorkspaceRequests(instance, fixture)
  const change = async (body: Record<string, unknown>) => {
    const response = await workspaces(body, { session: fixture.session })
    expect(response.status, response.text).toBe(200)
    return response.body
  }
  const archive = async () => {
    const { archive } = await change({ id: fixture.id, archive: true })
    await instance.runJobs()
    return archive.id
  }
  const empty = await archive()
  await change({ id: fixture.id, archive: false })
  const record = await fixture.createRecord()
  const { file } = (await fixture.upload(record.id, 'a.txt', 'proof')).body
  await archive()
  const { archive: full } = await change({ id: fixture.id, fromArchive: empty })
  await instance.runJobs()
  await archive()
  instance.clock.advance(DAY)

  await change({ id: fixture.id, fromArchive: full.id })
  await runJobUntil(instance, fixture, 'apply')
  instance.clock.advance(interruptionMs)
  await cleanUp()
  await instance.runJobs()
  expect(await readLastJob(instance, fixture)).toMatchObject({ state: 'succeeded' })
  expect((await fixture.readRecord(record.id)).record.evidenceFiles).toEqual([file])
  expect(Buffer.from(await fixture.readBytes(file.id)).toString()).toBe('proof')
})
