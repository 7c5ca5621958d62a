import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { getEventListeners } from 'node:events'
import { createJobLease } from '@reeve/api/jobs/lease'
import { type Job, startScheduler } from '@reeve/api/jobs/scheduler'
import { createWorkspaceJobsJob } from '@reeve/api/jobs/workspace-jobs'
import { waitForNextTurn } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readArchive, readLastJob, stopAfter } from '../../support/workspace-jobs.ts'
import { createWorkspaceRequests, expectIntactAuditChain } from './fixture.ts'
import { cancelJob, queueJob, readContentRows } from './job-fixture.ts'
import { readEverything } from './read-everything.ts'

let instance: Instance
beforeEach(async () => {
  instance = await openInstance({ finishesJobs: false })
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

/** More transactions than any of these jobs has. */
const MAX_TRANSACTIONS = 100

describe('a job that is interrupted after every transaction', () => {
  /** Runs a job one transaction at a time. @returns how many there were */
  async function runInterrupted(workspace: Parameters<typeof readLastJob>[1]): Promise<number> {
    for (let count = 1; count <= MAX_TRANSACTIONS; count++) {
      await instance.runJobs(stopAfter(2))
      const { state } = await readLastJob(instance, workspace)
      if (state === 'succeeded') return count
      expect(state).toBe('running')
    }
    throw new Error('the job does not end')
  }

  test('archives the workspace completely', async () => {
    const { workspace, body } = await queueJob.archive(instance)
    expect(await runInterrupted(workspace)).toBeGreaterThan(2)
    const archive = await readArchive(instance, { key: workspace.key }, body.archive as never)
    expect(archive).toMatchObject({ state: 'ready', counts: { records: '10', events: '5', media: '2' } })
  })

  test('copies the archive completely', async () => {
    const { workspace, body } = await queueJob.copy(instance)
    expect(await runInterrupted(workspace)).toBeGreaterThan(8)
    const interrupted = await readEverything(instance, body.workspace?.id ?? '', workspace)
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    const archiveId = (await readLastJob(instance, workspace)).archiveId
    const other = await workspaces({ fromArchive: archiveId }, { session: workspace.ownerSession })
    await instance.runJobs()
    expect(interrupted).toEqual(await readEverything(instance, other.body.workspace.id, workspace))
    await expectIntactAuditChain(instance)
  }, 60_000)

  test('rolls the workspace back completely', async () => {
    const { workspace } = await queueJob.roll_back(instance)
    expect(await runInterrupted(workspace)).toBeGreaterThan(12)
    const { archiveId } = await readLastJob(instance, workspace)
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    const copy = await workspaces({ fromArchive: archiveId }, { session: workspace.ownerSession })
    await instance.runJobs()
    expect(await readEverything(instance, workspace.id, workspace)).toEqual(
      await readEverything(instance, copy.body.workspace.id, workspace),
    )
    expect((await readContentRows(instance)).workspace_job_row).toEqual([])
    await expectIntactAuditChain(instance)
  }, 60_000)

  test('prepares a download completely, and changes nothing', async () => {
    const { workspace } = await queueJob.download(instance)
    const before = await readContentRows(instance)
    const { archiveId } = await readLastJob(instance, workspace)
    const path = `/portal/api/archive?workspaceId=${workspace.id}&id=${archiveId}`
    const download = () => instance.request('GET', path, { session: workspace.ownerSession })
    // The verification of a small archive is one step.
    await instance.runJobs(stopAfter(1))
    expect((await readLastJob(instance, workspace)).finishedAt).toBeNull()
    expect((await download()).status).toBe(409)
    await runInterrupted(workspace)
    expect((await download()).status).toBe(200)
    expect(await readContentRows(instance)).toEqual(before)
  }, 60_000)
})

describe('cancelling', () => {
  for (const kind of ['archive', 'copy', 'roll_back', 'download'] as const) {
    test(`${kind} at any point undoes it, until a roll-back changes the workspace`, async () => {
      let refusals = 0
      let transactions = 0
      const step = kind === 'download' ? 1 : 3
      for (; transactions < MAX_TRANSACTIONS; transactions += step) {
        const job = await queueJob[kind](instance)
        const queued = await readContentRows(instance)
        await instance.runJobs(stopAfter(transactions))
        const { canBeCancelled, state } = await readLastJob(instance, job.workspace)
        const { status, body } = await cancelJob(instance, job)
        if (state === 'succeeded') {
          expect([status, body.error]).toEqual([409, 'The job is already finished.'])
          break
        }
        expect(status).toBe(canBeCancelled === 'true' ? 200 : 409)
        await instance.runJobs()
        const last = await readLastJob(instance, job.workspace)
        if (status === 409) {
          refusals += 1
          expect(body.error).toContain('has begun to change the workspace')
          expect(last.state).toBe('succeeded')
          continue
        }
        expect([last.state, last.canBeCancelled, last.error]).toEqual(['cancelled', 'false', null])
        const expected = Object.entries(queued).map(([table, rows]) => {
          const newIds = [last.newArchiveId, last.newWorkspaceId].filter(Boolean)
          return [table, rows.filter((row) => !newIds.some((id) => row.includes(String(id))))]
        })
        const after = await readContentRows(instance)
        expect({ transactions, ...after }).toEqual({ transactions, ...Object.fromEntries(expected) })
        const { key, id } = job.workspace
        const read = await instance.request('GET', `/api/workspaces?id=${id}`, { key })
        expect(read.body.workspace.status).toBe(kind === 'archive' ? 'active' : 'archived')
      }
      expect(transactions).toBeGreaterThan(step)
      expect(refusals > 0).toBe(kind === 'roll_back')
    }, 60_000)
  }

  test('requires the permission to start the job, and works only once', async () => {
    const job = await queueJob.archive(instance)
    const { session } = await instance.member(job.workspace.id, ['workspace.view', 'workspace.restore'])
    const cancel = (options: object) =>
      instance.request('POST', '/portal/api/jobs/cancel', {
        ...options,
        body: { workspaceId: job.workspace.id, id: job.id },
      })
    const rejected = await cancel({ session })
    expect([rejected.status, rejected.body.permission]).toEqual([403, 'workspace.archive'])
    expect((await cancelJob(instance, job)).body.job.state).toBe('cancelled')
    expect((await cancelJob(instance, job)).status).toBe(409)
    const other = await instance.workspace()
    const foreign = await cancelJob(instance, { ...job, workspace: other })
    expect(foreign.status).toBe(404)
  })
})

describe('jobs', () => {
  test('of several workspaces run one after the other', async () => {
    const first = await queueJob.archive(instance)
    const second = await queueJob.archive(instance)
    expect((await readLastJob(instance, first.workspace)).jobsAhead).toBe('0')
    expect(await readLastJob(instance, second.workspace)).toMatchObject({ state: 'queued', jobsAhead: '1' })
    await instance.runJobs(stopAfter(2))
    expect((await readLastJob(instance, first.workspace)).state).toBe('running')
    expect(await readLastJob(instance, second.workspace)).toMatchObject({ state: 'queued', jobsAhead: '1' })
    await instance.runJobs()
    for (const { workspace } of [first, second])
      expect(await readLastJob(instance, workspace)).toMatchObject({ state: 'succeeded', progress: '1' })
  })

  test('of one workspace exclude each other, and the error names the one that is not finished', async () => {
    const { workspace, id } = await queueJob.archive(instance)
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    for (const body of [{ archive: true }, { archive: false }, { fromArchive: 'x' }]) {
      const { status, body: response } = await workspaces({ id: workspace.id, ...body })
      expect([status, response.code]).toEqual('fromArchive' in body ? [404, 'not_found'] : [409, 'conflict'])
      if (status === 409)
        expect(response.error).toBe(
          `Another job of this workspace is not finished: archive (job ${id}). Wait for it, or cancel it.`,
        )
    }
  })

  test('show their progress, which never goes back', async () => {
    const { workspace } = await queueJob.roll_back(instance)
    let last = -1
    for (;;) {
      const { progress, state } = await readLastJob(instance, workspace)
      expect(Number(progress)).toBeGreaterThanOrEqual(last)
      last = Number(progress)
      if (state === 'succeeded') break
      await instance.runJobs(stopAfter(2))
    }
    expect(last).toBe(1)
  })
})

test('a workspace starts only so many jobs in 24 hours', async () => {
  await instance.close()
  instance = await openInstance({ workspaceJobsPerDay: 2 })
  const workspace = await instance.workspace()
  const { workspaces } = createWorkspaceRequests(instance, workspace)
  const archive = () => workspaces({ id: workspace.id, archive: true })
  const restore = () => workspaces({ id: workspace.id, archive: false })
  for (let count = 0; count < 2; count++) {
    expect((await archive()).status).toBe(200)
    await restore()
    instance.clock.advance(1000)
  }
  const { status, body, headers } = await archive()
  expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '86398'])
  expect(body.error).toContain('started 2 jobs in the last 24 hours')
  expect(body.error).toContain('REEVE_WORKSPACE_JOBS_PER_DAY')
  const other = await instance.workspace()
  const unaffected = await createWorkspaceRequests(instance, other).workspaces({
    id: other.id,
    archive: true,
  })
  expect(unaffected.status).toBe(200)
  instance.clock.advance(86_398_000)
  expect((await archive()).status).toBe(200)
})

test('finished jobs are listed newest first in pages', async () => {
  const { id, ownerSession: session, key } = await instance.workspace()
  for (const archive of [true, false, true]) {
    await instance.request('POST', '/api/workspaces', { key, body: { id, archive } })
    await instance.runJobs()
  }
  const get = async (query: string) =>
    (await instance.request('GET', `/portal/api/jobs?workspaceId=${id}${query}`, { session })).body
  const { jobs } = await get('')
  expect(jobs.map((job: { kind: string }) => job.kind)).toEqual(['archive', 'archive'])
  const first = await get('&limit=1')
  const second = await get(`&limit=1&cursor=${first.nextCursor}`)
  expect([...first.jobs, ...second.jobs]).toEqual(jobs)
  expect(second.nextCursor).toBeNull()
})

test('a server starts a job as soon as it is queued, and waiting for the next one leaves nothing behind', async () => {
  const { db, ports, unexpectedErrors } = instance
  const onFailure = (error: unknown) => unexpectedErrors.push(error)
  const limits = { workspacesPerAccount: 0, workspaceCreation: 'anyone' } as const
  const job = createWorkspaceJobsJob({ db, ports, limits, pause: waitForNextTurn, onFailure })
  let signal: AbortSignal | undefined
  const run: Job['run'] = (shutdown) => {
    signal = shutdown
    return job.run(shutdown)
  }
  const scheduler = startScheduler([{ ...job, run }], {
    claim: createJobLease(db, ports),
    onFailure: (_job, error) => onFailure(error),
  })
  for (let count = 0; count < 3; count++) {
    const { workspace } = await queueJob.archive(instance)
    while ((await readLastJob(instance, workspace)).state !== 'succeeded') await waitForNextTurn()
  }
  expect(getEventListeners(signal as AbortSignal, 'abort').length).toBeLessThan(2)
  await scheduler.stop()
})
