import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { databaseEvidenceStore } from '@reeve/api/images/evidence-store'
import { createImportJob } from '@reeve/api/jobs/imports'
import { createWorkspaceJobRunner } from '@reeve/api/jobs/workspace-jobs'
import { DAY_MS, HOUR_MS, MAX_UNAVAILABLE_IN_A_ROW } from '@reeve/core'
import { type Database, waitForNextTurn } from '@reeve/db'
import { deleteUnusedEvidence, runBatches, runImports } from '@reeve/moderation'
import { damageRows, failStatements, failWork } from '../support/damaged-rows.ts'
import { uploadEvidence } from '../support/evidence-upload.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { rejectionOf } from '../support/rejection.ts'
import { readStoredRows } from '../support/stored-rows.ts'
import { readLastJob } from '../support/workspace-jobs.ts'
import { openBatchFixture } from './moderation/batch-fixture.ts'
import { createImportRequests, type Workspace } from './moderation/import-fixture.ts'
import { archiveWorkspace } from './workspaces/fixture.ts'
import { queueJob } from './workspaces/job-fixture.ts'

let instance: Instance
beforeEach(async () => {
  instance = await openInstance({ finishesJobs: false })
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

/** Work of a new workspace that has been requested. */
interface Work {
  readonly workspaceId: string
  readonly readState: () => Promise<string>
}

interface Kind {
  readonly request: () => Promise<Work>
  /** What a process does again and again: runs the work that waits. */
  readonly createRun: (db: Database) => () => Promise<void>
}

const { sendText, readImport } = createImportRequests(() => instance)
const { signal } = new AbortController()
const RUNNER = 'a process'

const imports: Kind = {
  async request() {
    const workspace = await instance.workspace()
    const id = await sendText(workspace, 'csv', 'bans.csv', 'userId,sourceId\n1,a\n')
    return {
      workspaceId: workspace.id,
      readState: async () => (await readImport(workspace, id)).result.state,
    }
  },
  createRun: (db) => () =>
    runImports({
      ...instance.context,
      ...{ db, runner: RUNNER, signal },
      onFailure: (error) => instance.unexpectedErrors.push(error),
    }),
}

const kinds: Readonly<Record<string, Kind>> = {
  imports,
  batches: {
    async request() {
      const { id: workspaceId, queue, readBatch } = await openBatchFixture(instance)
      const { id } = await queue({ action: 'note', userIds: ['1'], reason: 'Text' })
      return { workspaceId, readState: async () => (await readBatch(id)).batch.state }
    },
    createRun: (db) => () => runBatches({ db, ports: instance.ports, runner: RUNNER, signal }),
  },
  'jobs of workspaces': {
    async request() {
      const { workspace } = await queueJob.archive(instance)
      return {
        workspaceId: workspace.id,
        readState: async () => String((await readLastJob(instance, workspace)).state),
      }
    },
    createRun(db) {
      const runner = createWorkspaceJobRunner({
        ...{ db, ports: instance.ports, limits: instance.context.settings, pause: async () => {} },
        onFailure: (error) => instance.unexpectedErrors.push(error),
      })
      return () => runner.drain(signal)
    },
  },
}

describe('while statements of one workspace time out, the others go on, the error names it, and its work continues at once afterwards:', () => {
  for (const [name, { request, createRun }] of Object.entries(kinds))
    test(name, async () => {
      const slow = await request()
      const other = await request()
      let db = failWork(instance.db, slow.workspaceId)
      const run = createRun({
        ...instance.db,
        get read() {
          return db.read
        },
        write: (unit) => db.write(unit),
      })
      expect(await rejectionOf(run())).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(slow.workspaceId),
      })
      expect([await slow.readState(), await other.readState()]).toEqual(['running', 'succeeded'])
      db = instance.db
      await run()
      expect(await slow.readState()).toBe('succeeded')
    })
})

/** An import that has begun, with its file not yet sent. @returns sends it */
async function beginImport(workspace: Workspace) {
  const bytes = Buffer.from('userId,sourceId\n1,a\n')
  const send = async (path: string, fields: object) => {
    const body = { workspaceId: workspace.id, ...fields }
    const options = { session: workspace.ownerSession, body }
    return (await instance.request('POST', `/portal/api/imports${path}`, options)).body.import
  }
  const { id } = await send('', { format: 'csv', fileName: 'bans.csv', sizeBytes: bytes.length })
  return { id, sendFile: () => send('/part', { id, part: 0, data: bytes.toString('base64') }) }
}

test('an import whose file arrives after another one has begun to time out does not wait for it, and its file is deleted', async () => {
  const other = await instance.workspace()
  const { id, sendFile } = await beginImport(other)
  const slow = await imports.request()
  const db = failWork(instance.db, slow.workspaceId)
  expect(await rejectionOf(imports.createRun(db)())).toMatchObject({ code: 'unavailable' })
  await sendFile()
  const countParts = async () => (await readStoredRows(instance)).import_part?.length
  const stored = await countParts()
  const job = createImportJob({
    ...instance.context,
    db: failWork(instance.db, slow.workspaceId),
    onFailure: (error) => instance.unexpectedErrors.push(error),
  })
  instance.clock.advance(HOUR_MS)
  const end = new AbortController()
  const run = job.run(end.signal)
  while ((await countParts()) === stored) await waitForNextTurn()
  end.abort()
  await run
  expect((await readImport(other, id)).result.state).toBe('succeeded')
})

test('a deleted archive whose bytes cannot be deleted does not keep those of others, and goes once they can be', async () => {
  const archives = []
  for (let index = 0; index < 2; index++) {
    const workspace = await instance.workspace()
    archives.push({ workspace, archive: await archiveWorkspace(instance, workspace) })
  }
  for (const { workspace, archive } of archives) {
    const path = `/portal/api/archive?workspaceId=${workspace.id}&id=${archive.id}`
    const { status } = await instance.request('DELETE', path, { session: workspace.ownerSession })
    expect(status).toBe(200)
  }
  const damaged = String(archives[0]?.workspace.id)
  const repair = await damageRows(instance, 'delete', 'archive_part', damaged)
  const countArchives = async () => (await readStoredRows(instance)).archive?.length
  expect((await rejectionOf(instance.runJobs())).message).toContain(damaged)
  expect(await countArchives()).toBe(1)
  await repair()
  await instance.runJobs()
  expect(await countArchives()).toBe(0)
})

test('unused evidence files of a workspace whose statements time out do not keep those of others, and go once they can be deleted', async () => {
  const [slow, other] = [await instance.workspace(), await instance.workspace()]
  const upload = async ({ id: workspaceId, ownerSession: session }: Workspace, text: string) => {
    const file = await uploadEvidence(instance, { session, workspaceId, name: 'chat.log' }, text)
    expect(file.status, file.text).toBe(200)
  }
  const slowFiles = MAX_UNAVAILABLE_IN_A_ROW + 1
  for (let file = 0; file < slowFiles; file++) await upload(slow, `file ${file}`)
  await upload(other, 'text')
  instance.clock.advance(DAY_MS)
  const countFiles = async () => (await readStoredRows(instance)).evidence_file?.length
  expect(await countFiles()).toBe(slowFiles + 1)
  const cleanUp = (db: Database) => deleteUnusedEvidence(db, instance.ports, databaseEvidenceStore)
  const db = failStatements(instance.db, (id) => id === slow.id)
  expect(await rejectionOf(cleanUp(db))).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(slow.id),
  })
  expect(await countFiles()).toBe(slowFiles)
  await cleanUp(instance.db)
  expect(await countFiles()).toBe(0)
})
