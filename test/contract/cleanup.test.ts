import { afterAll, beforeAll, expect, test } from 'bun:test'
import { databaseImageStore } from '@reeve/api/images/database-store'
import { databaseEvidenceStore } from '@reeve/api/images/evidence-store'
import { createCleanupJob } from '@reeve/api/jobs/cleanup'
import { createJobLease } from '@reeve/api/jobs/lease'
import { runJob } from '@reeve/api/jobs/scheduler'
import { AppError } from '@reeve/core'
import { type Database, openDatabase } from '@reeve/db'
import { deleteOldResponses } from '@reeve/http'
import { damageRows } from '../support/damaged-rows.ts'
import { idLiteral, idOrTextLiteral } from '../support/engine.ts'
import { uploadEvidence } from '../support/evidence-upload.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { rejectionOf } from '../support/rejection.ts'
import { readStoredRows } from '../support/stored-rows.ts'

const HOUR = 3_600_000

let instance: Instance
/** One connection per process. SQLite allows a single process. */
let databases: Database[]

beforeAll(async () => {
  instance = await openInstance()
  const { db, storage, ports } = instance
  databases = db.isShared ? [db, (await openDatabase(storage, { now: ports.now })).database] : [db]
})
afterAll(async () => {
  for (const db of databases.slice(1)) await db.close()
  await instance.close()
})

/** Tries to run the job twenty times at once. @returns how many runs took place */
async function countRuns(): Promise<number> {
  const { ports } = instance
  const attempts = Array.from({ length: 20 }, (_, index) => {
    const db = databases[index % databases.length] as Database
    return runJob(
      createCleanupJob(db, ports, databaseImageStore, databaseEvidenceStore),
      createJobLease(db, ports),
      AbortSignal.timeout(60_000),
    )
  })
  return (await Promise.all(attempts)).filter((hasRun) => hasRun).length
}

test('cleanup runs once an hour, however many processes try', async () => {
  expect(await countRuns()).toBe(1)
  expect(await countRuns()).toBe(0)
  instance.clock.advance(HOUR - 1)
  expect(await countRuns()).toBe(0)
  instance.clock.advance(1)
  expect(await countRuns()).toBe(1)
})

test('cleanup still runs after a clock that was ahead is set back', async () => {
  instance.clock.advance(-3 * HOUR)
  expect(await countRuns()).toBe(1)
  expect(await countRuns()).toBe(0)
})

test('cleanup deletes expired idempotency responses and keeps the others', async () => {
  const { request } = instance
  const { id, key } = await instance.workspace()
  const note = (name: string) =>
    request('POST', '/api/moderation', {
      key,
      headers: { 'idempotency-key': name },
      body: { workspaceId: id, action: 'note', userId: '7', reason: 'Seen' },
    })
  await note('early')
  instance.clock.advance(HOUR)
  await note('later')
  instance.clock.advance(24 * HOUR - 1)
  expect(await countRuns()).toBe(1)
  const storedResponses = JSON.stringify((await readStoredRows(instance)).idempotency)
  expect(storedResponses).toContain('later')
  expect(storedResponses).not.toContain('early')
})

test('cleanup of many rows lets other requests run in between', async () => {
  const { db, storage, ports } = instance
  const { id } = await instance.workspace()
  await storage.query(
    `with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 10000)
     insert into idempotency (workspace_id, actor_id, route, key, request_hash, status, answer, created_at)
     select ${idLiteral(id)}, ${idOrTextLiteral(id)}, 'POST moderation', 'key ' || number, ${idOrTextLiteral(id)}, 200, '{}', number from numbers`,
  )
  const countResponses = async () =>
    (
      await storage.query<{ count: number }>(
        `select count(*) as count from idempotency where created_at <= 10000`,
      )
    )[0]?.count
  const cleanup = deleteOldResponses(db, ports)
  await db.write(async () => null)
  expect(await countResponses()).toBeGreaterThan(0)
  await cleanup
  expect(await countResponses()).toBe(0)
})

test('cleanup deletes sessions that ended more than 30 days ago', async () => {
  const accountId = await instance.account()
  const unused = await instance.session(accountId)
  const used = await instance.session(accountId)
  const read = (session: string) => instance.request('GET', '/portal/api/me', { session })
  for (let days = 0; days < 36; days += 6) {
    instance.clock.advance(6 * 24 * HOUR)
    await read(used)
  }
  await countRuns()
  // One has been unused for 36 days, and the other ended 6 days ago.
  expect([(await read(unused)).body.reason, (await read(used)).body.reason]).toEqual([
    'session_expired',
    'session_expired',
  ])
  instance.clock.advance(24 * HOUR + HOUR)
  await countRuns()
  expect([(await read(unused)).body.reason, (await read(used)).body.reason]).toEqual([
    'invalid_session',
    'session_expired',
  ])
  instance.clock.advance(24 * 24 * HOUR)
  await countRuns()
  expect((await read(used)).body.reason).toBe('invalid_session')
})

test('cleanup that cannot delete something, or gets no response from the bucket, deletes everything else', async () => {
  const { db, ports, storage } = instance
  const { id: workspaceId, key, ownerSession } = await instance.workspace()
  const note = { workspaceId, action: 'note', userId: '7', reason: 'Seen' }
  const headers = { 'idempotency-key': 'damaged' }
  const { body } = await instance.request('POST', '/api/moderation', { key, headers, body: note })
  const file = { session: ownerSession, workspaceId, id: body.record.id, name: 'a.txt' }
  await uploadEvidence(instance, file, 'proof')
  await storage.query(
    `update evidence_file set deleted_at = 1 where workspace_id = ${idLiteral(workspaceId)}`,
  )
  await storage.query(
    "insert into media (hash, extension, content_type, created_at, size_bytes) values ('a', 'png', 'image/png', 1, 1)",
  )
  await storage.query("insert into unused_image (hash, found_at) values ('a', 1)")
  const session = await instance.session(await instance.account())
  instance.clock.advance(70 * 24 * HOUR)
  const repair = await damageRows(instance, 'delete', 'idempotency', workspaceId)
  const images = {
    ...databaseImageStore,
    remove: () => Promise.reject(new AppError('unavailable', { message: 'no bucket' })),
  }
  const job = createCleanupJob(db, ports, images, databaseEvidenceStore)
  expect((await rejectionOf(job.run(AbortSignal.timeout(60_000)))).message).toContain('damaged')
  expect((await instance.request('GET', '/portal/api/me', { session })).body.reason).toBe('invalid_session')
  const rows = await readStoredRows(instance)
  expect(rows.evidence_part ?? []).toEqual([])
  expect(JSON.stringify(rows.idempotency)).toContain('damaged')
  await repair()
  expect((await rejectionOf(job.run(AbortSignal.timeout(60_000)))).message).toContain('no bucket')
  expect((await readStoredRows(instance)).idempotency ?? []).toEqual([])
})
