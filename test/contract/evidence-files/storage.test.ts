import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { databaseEvidenceStore } from '@reeve/api/images/evidence-store'
import { fileLimits } from '@reeve/http'
import { deleteUnusedEvidence } from '@reeve/moderation'
import { idLiteral } from '../../support/engine.ts'
import { countTicks } from '../../support/event-loop.ts'
import { EVIDENCE_PATH } from '../../support/evidence-upload.ts'
import { createRandomPng, imageBytes } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readCounters } from '../storage/fixture.ts'
import { archiveWorkspace, createWorkspaceRequests, expectIntactAuditChain } from '../workspaces/fixture.ts'
import { type EvidenceFixture, openEvidenceFixture } from './fixture.ts'

const DAY = 86_400_000
const MAX_BYTES = 25_000_000
/** More parts than one transaction deletes. */
const MEDIUM_BYTES = 1_500_000

let instance: Instance
let fixture: EvidenceFixture

beforeAll(async () => {
  instance = await openInstance({ fileLimits: { ...fileLimits, idleMs: 1000 } })
  fixture = await openEvidenceFixture(instance)
})
afterAll(() => instance.close())

const cleanUp = () => deleteUnusedEvidence(instance.db, instance.ports, databaseEvidenceStore)
const countParts = async (workspaceId = fixture.workspaceId) =>
  (
    await instance.storage.query(
      `select part from evidence_part where workspace_id = ${idLiteral(workspaceId)}`,
    )
  ).length
const readAudit = async () => {
  const query = new URLSearchParams({ workspaceId: fixture.workspaceId })
  return (await instance.request('GET', `/portal/api/audit?${query}`, { session: fixture.session })).body
    .entries
}

describe('a file', () => {
  test('is a version of its record, an entry in the audit log, and counts as stored until it is removed', async () => {
    const record = await fixture.createRecord()
    const before = await readCounters(instance, fixture.workspaceId)
    const png = createRandomPng(MEDIUM_BYTES)
    const { file, record: attached } = (await fixture.upload(record.id, 'a.png', png as BodyInit)).body
    expect(attached.version).toBe('2')
    expect((await readCounters(instance, fixture.workspaceId)).evidence - before.evidence).toBe(MEDIUM_BYTES)
    expect((await fixture.readBytes(file.id)).length).toBe(MEDIUM_BYTES)
    const removed = await fixture.remove(record.id, file.id)
    expect(removed.body.record).toMatchObject({ version: '3', evidenceFiles: [] })
    expect((await fixture.download(file.id)).status).toBe(404)
    expect((await fixture.readRecord(record.id)).versions[1].evidenceFiles).toEqual([file])
    expect((await readCounters(instance, fixture.workspaceId)).evidence).toBe(before.evidence)
    expect(await countParts()).toBe(0)
    expect((await readAudit()).slice(0, 2)).toMatchObject([
      {
        action: 'moderation.remove_file',
        changes: { before: { evidenceFiles: [file] }, after: { evidenceFiles: [] } },
      },
      {
        action: 'moderation.attach_file',
        changes: { before: { evidenceFiles: [] }, after: { evidenceFiles: [file] } },
      },
    ])
    await expectIntactAuditChain(instance)
  })

  test('that is sent twice is attached once', async () => {
    const { id } = await fixture.createRecord()
    const send = () => fixture.upload(id, 'a.png', imageBytes('png'))
    const first = (await send()).body
    expect((await send()).body).toEqual(first)
  })

  test('that is sent twice at once is attached once, and nothing else stays stored', async () => {
    const { id } = await fixture.createRecord()
    const before = await countParts()
    const responses = await Promise.all([1, 2, 3].map(() => fixture.upload(id, 'a.png', imageBytes('png'))))
    expect(responses.map(({ status }) => status).filter((status) => status !== 409)).toContain(200)
    expect((await fixture.readRecord(id)).record.evidenceFiles).toHaveLength(1)
    expect(await countParts()).toBe(before + 1)
  })

  test('is the eleventh of a record for nobody, also if several arrive at once', async () => {
    const { id } = await fixture.createRecord()
    for (let number = 0; number < 8; number++) await fixture.upload(id, 'a.log', `line ${number}`)
    const responses = await Promise.all([1, 2, 3, 4].map((n) => fixture.upload(id, 'b.log', `other ${n}`)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
    expect((await fixture.readRecord(id)).record.evidenceFiles).toHaveLength(10)
    expect((await fixture.upload(id, 'c.log', 'last')).body.error).toContain('at most 10 files')
  })

  test('of a redacted record is gone at once: names, checksums and content, also from earlier versions', async () => {
    const { id } = await fixture.createRecord()
    const { file } = (await fixture.upload(id, 'name-of-a-child.txt', 'x')).body
    const { file: removedFile } = (await fixture.upload(id, 'other-name.txt', 'y')).body
    await fixture.remove(id, removedFile.id)
    const before = await countParts()
    await fixture.moderate({ action: 'redact', id, reason: 'Personal data' })
    expect((await fixture.download(file.id)).status).toBe(404)
    expect(await countParts()).toBe(before - 1)
    const texts = JSON.stringify([await fixture.readRecord(id), await readAudit()])
    for (const text of ['name-of-a-child', 'other-name', file.sha256]) expect(texts).not.toContain(text)
    expect((await fixture.upload(id, 'a.txt', 'z')).status).toBe(409)
  })

  test('is for members with moderation.evidence only, and for nobody in another workspace', async () => {
    const { id } = await fixture.createRecord()
    const { file } = (await fixture.upload(id, 'a.txt', 'text')).body
    const viewer = await fixture.createMember('moderation.view', 'moderation.note', 'moderation.edit')
    expect((await fixture.download(file.id, viewer.session)).status).toBe(403)
    expect((await fixture.upload(id, 'b.txt', 'b', viewer)).body).toMatchObject({
      reason: 'missing_permission',
      permission: 'moderation.evidence',
    })
    expect((await fixture.remove(id, file.id, viewer.session)).status).toBe(403)
    const other = await openEvidenceFixture(instance)
    expect((await other.download(file.id)).status).toBe(404)
    expect((await other.upload(id, 'b.txt', 'b')).status).toBe(404)
    expect((await other.remove(id, file.id)).status).toBe(404)
  })

  test('is served with headers with which no browser runs it, caches it, or gives it to another site', async () => {
    const { id } = await fixture.createRecord()
    const { file } = (await fixture.upload(id, 'ünï "x".txt', '<script>alert(1)</script>')).body
    const { headers } = await fixture.download(file.id)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': `attachment; filename="_n_ x.txt"; filename*=UTF-8''%C3%BCn%C3%AF%20x.txt`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
  })
})

describe('an upload', () => {
  /** Serves the instance on a port, so that a body can arrive in pieces. */
  async function withServer(run: (origin: string) => Promise<void>): Promise<void> {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => instance.fetch(request) })
    try {
      await run(server.url.origin)
    } finally {
      await server.stop(true)
    }
  }
  /** Sends a body whose chunks the test adds. */
  function send(origin: string, id: string, length: number) {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(started) {
        controller = started
      },
    })
    const query = new URLSearchParams({ workspaceId: fixture.workspaceId, id, name: 'slow.png' })
    const headers = {
      cookie: `reeve_session=${fixture.session}`,
      'sec-fetch-site': 'same-origin',
      'content-length': String(length),
    }
    const response = fetch(`${origin}${EVIDENCE_PATH}?${query}`, { method: 'POST', headers, body })
    return {
      response,
      add: (bytes: Uint8Array) => controller?.enqueue(bytes),
      end: () => controller?.close(),
    }
  }

  test('of 25 MB that arrives slowly keeps nobody waiting, and neither does storing it', async () => {
    await withServer(async (origin) => {
      const { id } = await fixture.createRecord()
      const png = createRandomPng(MAX_BYTES)
      const upload = send(origin, id, MAX_BYTES)
      const chunk = 1024 * 1024
      for (let start = 0; start < png.length; start += chunk) {
        upload.add(png.subarray(start, start + chunk))
        // A write to the same workspace is not blocked by the file that is arriving.
        if (start % (8 * chunk) === 0) await fixture.createRecord()
      }
      upload.end()
      const { result, ticks } = await countTicks(async () => (await upload.response).json())
      expect(result.file).toMatchObject({ size: String(MAX_BYTES), type: 'image/png' })
      // A part of 128 KiB is a transaction of its own.
      expect(ticks).toBeGreaterThan(150)
      const { result: bytes } = await countTicks(() => fixture.readBytes(result.file.id))
      expect(Bun.CryptoHasher.hash('sha256', bytes, 'hex')).toBe(result.file.sha256)
      await fixture.remove(id, result.file.id)
    })
  }, 60_000)

  test('that stops arriving is ended, and nothing is stored', async () => {
    await withServer(async (origin) => {
      const { id } = await fixture.createRecord()
      const before = await countParts()
      const upload = send(origin, id, 1000)
      upload.add(imageBytes('png'))
      expect(await (await upload.response).json()).toMatchObject({ code: 'request_timeout' })
      expect(await countParts()).toBe(before)
    })
  })

  test('of more than 25 MB is rejected before it arrives', async () => {
    const { id } = await fixture.createRecord()
    const { status, body } = await fixture.upload(id, 'a.png', new Uint8Array(100), {
      headers: { 'content-length': String(MAX_BYTES + 1) },
    })
    expect([status, body.code]).toEqual([413, 'payload_too_large'])
  })

  test('that does not fit into the storage quota is rejected and stores nothing', async () => {
    const other = await openEvidenceFixture(instance)
    const { id } = await other.createRecord()
    await instance.storage.query(
      `update workspace set storage_quota = 1000000 where id = ${idLiteral(other.workspaceId)}`,
    )
    const { status, body } = await other.upload(id, 'a.png', createRandomPng(1_000_001) as BodyInit)
    expect([status, body.code]).toEqual([409, 'storage_quota_exceeded'])
    expect(body.error).toContain('The file has 1 MB, and the workspace has only')
    expect(await countParts(other.workspaceId)).toBe(0)
    expect((await other.upload(id, 'a.png', createRandomPng(500_000) as BodyInit)).status).toBe(200)
  })
})

describe('content that no record lists', () => {
  test('is deleted after a day, when the upload was interrupted', async () => {
    const { id } = await fixture.createRecord()
    const { file } = (await fixture.upload(id, 'a.txt', 'kept')).body
    const { file: lost } = (await fixture.upload(id, 'b.txt', 'lost')).body
    const before = await readCounters(instance, fixture.workspaceId)
    await instance.storage.query(
      `update record set evidence_files = '${JSON.stringify([{ ...file, type: 'txt', size: 4, addedAt: 0 }])}',
       evidence_file_count = 1 where id = ${idLiteral(id)}`,
    )
    await cleanUp()
    expect(await countParts()).toBeGreaterThan(1)
    instance.clock.advance(DAY)
    await cleanUp()
    expect(Buffer.from(await fixture.readBytes(file.id)).toString()).toBe('kept')
    expect((await fixture.download(lost.id)).status).toBe(404)
    expect((await readCounters(instance, fixture.workspaceId)).evidence).toBe(before.evidence - 4)
  })
})

describe('an archive', () => {
  test('contains the files: a copy and a roll-back have them, without those of redacted records', async () => {
    const source = await openEvidenceFixture(instance)
    const calls = createWorkspaceRequests(instance, source)
    const credentials = { session: source.session }
    const [kept, redacted] = [await source.createRecord(), await source.createRecord()]
    const png = createRandomPng(MEDIUM_BYTES)
    const { file } = (await source.upload(kept.id, 'a.png', png as BodyInit)).body
    const { file: secret } = (await source.upload(redacted.id, 'secret.txt', 'secret')).body
    const archive = await archiveWorkspace(instance, source)
    expect(archive.counts.evidenceFiles).toBe('2')
    await calls.workspaces({ action: 'restore', id: source.id }, credentials)
    await source.remove(kept.id, file.id)
    await source.moderate({ action: 'redact', id: redacted.id, reason: 'Personal data' })
    const { file: later } = (await source.upload(kept.id, 'later.txt', 'later')).body

    const { workspace: copy } = (await calls.workspaces({ fromArchive: archive.id }, credentials)).body
    const inCopy = (id: string) =>
      instance.fetch(
        new Request(`http://localhost:3000${EVIDENCE_PATH}?workspaceId=${copy.id}&fileId=${id}`, {
          headers: { cookie: `reeve_session=${source.session}`, 'sec-fetch-site': 'same-origin' },
        }),
      )
    expect<Uint8Array>(new Uint8Array(await (await inCopy(file.id)).arrayBuffer())).toEqual(png)
    expect((await inCopy(secret.id)).status).toBe(404)
    expect(await countParts(copy.id)).toBe(Math.ceil(MEDIUM_BYTES / (128 * 1024)))

    await calls.workspaces({ action: 'archive', id: source.id }, credentials)
    const rolledBack = await calls.workspaces({ id: source.id, fromArchive: archive.id }, credentials)
    expect(rolledBack.status, rolledBack.text).toBe(200)
    expect((await source.readRecord(kept.id)).record.evidenceFiles).toEqual([file])
    expect<Uint8Array>(await source.readBytes(file.id)).toEqual(png)
    expect((await source.download(secret.id)).status).toBe(404)
    expect((await source.download(later.id)).status).toBe(404)
    instance.clock.advance(DAY)
    await cleanUp()
    expect<Uint8Array>(await source.readBytes(file.id)).toEqual(png)
    expect(await countParts(source.workspaceId)).toBe(Math.ceil(MEDIUM_BYTES / (128 * 1024)))
  })
})
