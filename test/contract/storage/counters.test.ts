import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createJobLease } from '@reeve/api/jobs/lease'
import { runJob } from '@reeve/api/jobs/scheduler'
import { createStorageJob } from '@reeve/api/jobs/storage'
import { recountStorage } from '@reeve/metering'
import { failStatements } from '../../support/damaged-rows.ts'
import { idLiteral } from '../../support/engine.ts'
import { EVIDENCE_PATH, uploadEvidence } from '../../support/evidence-upload.ts'
import { createPng, dataUrl } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { readArchive } from '../../support/workspace-jobs.ts'
import { type Bytes, countRows, createRequests, expectExactCounters, readCounters } from './fixture.ts'

const DAY = 86_400_000

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const NONE: Bytes = { records: 0, images: 0, evidence: 0, archives: 0, responses: 0 }

const readExactCounters = (workspaceId: string) => expectExactCounters(instance, workspaceId)

let size = 1000
/** An event field with an image of unique content. Its size is `size`. */
const newImage = () => ({ imageDataUrl: dataUrl(createPng(++size)) })

describe('the stored bytes of a workspace', () => {
  test('follow every change of its records, and of those texts that a redaction deletes', async () => {
    const workspace = await instance.workspace()
    const { ban, moderate } = createRequests(instance, workspace)
    const empty = await readExactCounters(workspace.id)
    const reason = 'Überfall '.repeat(90)
    const { id } = (await ban({ reason, userUsername: 'Zoë', evidence: 'https://a.example/1' })).body.record
    const banned = await readExactCounters(workspace.id)
    expect(banned.records).toBeGreaterThan(empty.records + 2 * Buffer.byteLength(reason))
    await moderate({ action: 'edit', id, reason: 'Short' })
    await moderate({ action: 'comment', id, value: 'Seen it too: 👀' })
    await moderate({ action: 'evidence', id, value: 'https://a.example/2' })
    await moderate({ action: 'extend', id, value: '60' })
    await moderate({ action: 'unban', id, reason: 'Appealed' })
    await ban({ durationSeconds: '60' })
    await ban({ reason: 'Again' })
    const before = await readExactCounters(workspace.id)
    expect((await moderate({ action: 'redact', id, reason: 'Personal data' })).status).toBe(200)
    const after = await readExactCounters(workspace.id)
    expect(after.records).toBeLessThan(before.records - Buffer.byteLength(reason))
    expect(after).toEqual({ ...NONE, records: after.records })
  })

  test('contain an image once, however many events have it, until the last one is changed or deleted', async () => {
    const workspace = await instance.workspace()
    const { writeEvent } = createRequests(instance, workspace)
    const { id, imageUrl } = (await writeEvent(newImage())).body.event
    const firstSize = size
    const other = (await writeEvent({ imageUrl })).body.event
    expect((await readExactCounters(workspace.id)).images).toBe(firstSize)
    await writeEvent({ id, ...newImage() }, 'PATCH')
    expect((await readExactCounters(workspace.id)).images).toBe(firstSize + size)
    await writeEvent({ id: other.id, imageUrl: 'https://elsewhere.example/a.png' }, 'PATCH')
    expect((await readExactCounters(workspace.id)).images).toBe(size)
    await instance.request('DELETE', `/api/events?workspaceId=${workspace.id}&id=${id}`, {
      key: workspace.key,
    })
    expect((await readExactCounters(workspace.id)).images).toBe(0)
  })

  test('contain archives and the responses of requests with an Idempotency-Key', async () => {
    const workspace = await instance.workspace()
    const { ban, archive, restore } = createRequests(instance, workspace)
    const headers = { 'idempotency-key': 'one' }
    await ban({}, { headers })
    await ban({}, { headers })
    await ban({ reason: '' }, { headers: { 'idempotency-key': 'two' } })
    const { responses } = await readExactCounters(workspace.id)
    expect(responses).toBeGreaterThan(2 * 256)
    const { body } = await archive()
    const { sizeBytes } = await readArchive(instance, workspace, body.archive)
    expect((await readExactCounters(workspace.id)).archives).toBe(Number(sizeBytes))
    await restore()
    await archive()
    expect((await readExactCounters(workspace.id)).archives).toBeGreaterThan(Number(sizeBytes))
  })

  test('are those of the workspace only', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    const before = await readExactCounters(other.id)
    const { ban, writeEvent, archive } = createRequests(instance, workspace)
    await ban({}, { headers: { 'idempotency-key': 'one' } })
    await writeEvent(newImage())
    const session = workspace.ownerSession
    const { record } = (await ban()).body
    await uploadEvidence(
      instance,
      { session, workspaceId: workspace.id, id: record.id, name: 'a.txt' },
      'text',
    )
    await archive()
    expect(Object.values(await readExactCounters(workspace.id)).every((bytes) => bytes > 0)).toBe(true)
    expect(await readExactCounters(other.id)).toEqual(before)
  })

  test('do not contain a change that failed', async () => {
    const workspace = await instance.workspace()
    const { ban, moderate } = createRequests(instance, workspace)
    const { id } = (await ban()).body.record
    const before = await readExactCounters(workspace.id)
    const edit = { action: 'edit', id, reason: 'Other' }
    expect((await moderate(edit, { headers: { 'if-match': '"7"' } })).status).toBe(412)
    expect(await readExactCounters(workspace.id)).toEqual(before)
  })
})

describe('a recount', () => {
  const recount = (pause?: () => Promise<void>) =>
    recountStorage(instance.db, instance.ports, {
      signal: AbortSignal.timeout(60_000),
      ...(pause && { pause }),
    })
  const setCounters = (workspaceId: string, bytes: number) =>
    instance.storage.query(
      `update workspace_head set record_bytes = ${bytes}, image_bytes = ${bytes}, evidence_bytes = ${bytes}, archive_bytes = ${bytes},
         response_bytes = ${bytes} where workspace_id = ${idLiteral(workspaceId)}`,
    )

  /** A workspace with more than a slice of records, and data of every kind. */
  async function createFilledWorkspace() {
    const workspace = await instance.workspace()
    const requests = createRequests(instance, workspace)
    for (let index = 0; index < 210; index++)
      await requests.ban({ userId: String(index) }, { headers: { 'idempotency-key': String(index) } })
    await requests.writeEvent(newImage())
    await requests.archive()
    await requests.restore()
    return { ...workspace, ...requests }
  }

  test('of one workspace that fails does not stop that of the others, and the error names it', async () => {
    const [damaged, other] = [await instance.workspace(), await instance.workspace()]
    const before = await readCounters(instance, other.id)
    await instance.storage.query('update workspace_head set storage_counted_at = 0')
    await setCounters(other.id, 7)
    const db = failStatements(instance.db, (workspaceId) => workspaceId === damaged.id)
    const options = { signal: AbortSignal.timeout(60_000) }
    expect(await rejectionOf(recountStorage(db, instance.ports, options))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(damaged.id),
    })
    expect(await readCounters(instance, other.id)).toEqual(before)
    await recount()
  })

  test('corrects wrong counters, those of a workspace from before there were any, and leaves others alone', async () => {
    const { id } = await createFilledWorkspace()
    const expected = await readExactCounters(id)
    await setCounters(id, 0)
    await recount()
    expect(await readCounters(instance, id)).toEqual(expected)
    await setCounters(id, 1e12)
    instance.clock.advance(DAY - 1)
    await recount()
    expect((await readCounters(instance, id)).records).toBe(1e12)
    instance.clock.advance(1)
    await recount()
    expect(await readCounters(instance, id)).toEqual(expected)
  }, 60_000)

  test('runs when the server starts and then every ten minutes', async () => {
    const { id } = await createFilledWorkspace()
    const expected = await readExactCounters(id)
    await setCounters(id, 0)
    const job = createStorageJob(instance.db, instance.ports)
    expect([job.startsAtOnce, job.intervalMs]).toEqual([true, 600_000])
    const lease = createJobLease(instance.db, instance.ports)
    expect(await runJob(job, lease, AbortSignal.timeout(60_000))).toBe(true)
    expect(await readCounters(instance, id)).toEqual(expected)
    expect(await runJob(job, lease, AbortSignal.timeout(60_000))).toBe(false)
  }, 60_000)

  test('keeps what is stored while it counts', async () => {
    const { id, ban, writeEvent, moderate } = await createFilledWorkspace()
    await setCounters(id, 0)
    let pauses = 0
    await recount(async () => {
      pauses += 1
      const { body } = await ban({ userId: `new ${pauses}`.replace(' ', '') })
      if (pauses === 1) await moderate({ action: 'edit', id: body.record.id, reason: 'Other' })
      if (pauses === 1) await writeEvent({})
    })
    expect(pauses).toBeGreaterThan(2)
    const [counted, rows] = [await readCounters(instance, id), await countRows(instance, id)]
    // Versions that are added behind the position of the count are in both.
    expect(Math.abs(counted.records - rows.records)).toBeLessThan(2000)
    expect({ ...counted, records: 0 }).toEqual({ ...rows, records: 0 })
  }, 60_000)

  test('counts files exactly that are stored and deleted while it counts', async () => {
    const { id: workspaceId, ownerSession: session, ban, archive } = await createFilledWorkspace()
    const { record } = (await ban({ userId: 'with-files' })).body
    const upload = async (bytes: number) => {
      const file = { session, workspaceId, id: record.id, name: 'a.txt' }
      const { status, body } = await uploadEvidence(instance, file, 'x'.repeat(bytes))
      expect(status).toBe(200)
      return body.file.id
    }
    const fileId = await upload(50_000)
    await setCounters(workspaceId, 0)
    let isFirst = true
    await recount(async () => {
      if (!isFirst) return
      isFirst = false
      await upload(2_000_000)
      const query = new URLSearchParams({ workspaceId, id: record.id, fileId })
      expect((await instance.request('DELETE', `${EVIDENCE_PATH}?${query}`, { session })).status).toBe(200)
      const body = { workspaceId, format: 'csv', fileName: 'a.csv', sizeBytes: 1_000_000 }
      expect((await instance.request('POST', '/portal/api/imports', { session, body })).status).toBe(200)
      await archive()
    })
    const [counted, rows] = [
      await readCounters(instance, workspaceId),
      await countRows(instance, workspaceId),
    ]
    expect({ ...counted, records: 0 }).toEqual({ ...rows, records: 0 })
    // A few versions are counted twice.
    expect(Math.abs(counted.records - rows.records)).toBeLessThan(5000)
  }, 60_000)

  test('counts once, if two processes count at the same time', async () => {
    const { id } = await createFilledWorkspace()
    await setCounters(id, 0)
    await Promise.all([recount(), recount()])
    await readExactCounters(id)
  }, 60_000)

  test('follows a roll-back, which replaces the rows', async () => {
    const { id, ban, archive, restore } = await createFilledWorkspace()
    const { body } = await archive()
    await restore()
    await ban({ reason: 'x'.repeat(1000), userId: 'rolled-back' })
    await archive()
    await recount()
    expect((await restore({ fromArchive: body.archive.id })).status).toBe(200)
    await recount()
    await readExactCounters(id)
  }, 60_000)
})
