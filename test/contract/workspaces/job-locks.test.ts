import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Instance, openInstance } from '../../support/instance.ts'
import { runWithLockedInstance } from '../../support/locked-instance.ts'
import { readLastJob } from '../../support/workspace-jobs.ts'
import { openBatchFixture } from '../moderation/batch-fixture.ts'
import { queueJob } from './job-fixture.ts'

/** Jobs that wait for the lock never end: the tests fail by their timeout. */
const TIMEOUT_MS = 60_000

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ engine: 'PostgreSQL', finishesJobs: false })
}, TIMEOUT_MS)
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
}, TIMEOUT_MS)

test.each(Object.keys(queueJob) as (keyof typeof queueJob)[])(
  'the job %s runs to its end while another transaction has the lock of the instance',
  async (kind) => {
    const { workspace } = await queueJob[kind](instance)
    await runWithLockedInstance(instance, () => instance.runJobs())
    const { kind: ended, state } = await readLastJob(instance, workspace)
    expect([ended, state]).toEqual([kind, 'succeeded'])
  },
  TIMEOUT_MS,
)

test(
  'a batch runs to its end while another transaction has the lock of the instance',
  async () => {
    const fixture = await openBatchFixture(instance)
    const userIds = ['1', '2', '3']
    const { id } = await fixture.queue({ action: 'ban', userIds, reason: 'Raid', durationSeconds: '60' })
    await runWithLockedInstance(instance, () => instance.runJobs())
    const { batch } = await fixture.readBatch(id)
    expect(batch).toMatchObject({ state: 'succeeded', succeeded: '3' })
  },
  TIMEOUT_MS,
)

test(
  'an import runs to its end while another transaction has the lock of the instance',
  async () => {
    const { id: workspaceId, ownerSession: session } = await instance.workspace()
    const bytes = readFileSync(join(import.meta.dir, '../../import/litebans.sql'))
    const send = async (path: string, body: object) => {
      const response = await instance.request('POST', `/portal/api/imports${path}`, {
        session,
        body: { workspaceId, ...body },
      })
      expect(response.status, response.text).toBe(200)
      return response.body.import.id
    }
    const file = { format: 'litebans', fileName: 'litebans.sql', sizeBytes: bytes.length }
    const id = await send('', file)
    await send('/part', { id, part: 0, data: bytes.toString('base64') })
    await runWithLockedInstance(instance, () => instance.runImports())
    const path = `/portal/api/imports/import?workspaceId=${workspaceId}&id=${id}`
    const { body } = await instance.request('GET', path, { session })
    expect(body.import).toMatchObject({ state: 'succeeded' })
  },
  TIMEOUT_MS,
)
