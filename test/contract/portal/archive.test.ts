import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { idLiteral, usePostgres } from '../../support/engine.ts'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { readArchive, readLastJob } from '../../support/workspace-jobs.ts'
import { setArchived } from '../../support/workspace-states.ts'

let instance: Instance
let server: ReturnType<typeof startServer>
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/portal/api/archive'
/** The other permissions that a download requires: those to read everything that an archive contains. */
const COPY_PERMISSIONS = [
  'workspace.restore',
  'moderation.view',
  'moderation.evidence',
  'appeals.view',
  'departments.view',
  'events.view',
  'events.manage',
  'roles.view',
  'members.view',
  'endpoint_controls.view',
] as const

/** Serves on a real port, so that the response is streamed as to a browser. */
const startServer = () =>
  Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => instance.app.fetch(request) })

beforeAll(async () => {
  instance = await openInstance()
  server = startServer()
})
afterAll(async () => {
  await server.stop(true)
  await instance.close()
})

const moderate = (body: object) =>
  instance.request('POST', '/api/moderation', {
    key: workspace.key,
    body: { workspaceId: workspace.id, ...body },
  })

/** Creates a workspace with a record, archives it and restores it. @returns the archive in the response */
async function createArchive(groupName = 'Night Shift') {
  workspace = await instance.workspace(groupName)
  const { key } = workspace
  const { body } = await moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
  const archive = await instance.request('POST', '/api/workspaces', {
    key,
    body: { id: workspace.id, archive: true },
  })
  await instance.request('POST', '/api/workspaces', { key, body: { id: workspace.id, archive: false } })
  const complete = await readArchive(instance, { key }, archive.body.archive)
  return { ...complete, recordId: body.record.id }
}

const toPath = (id: string, workspaceId = workspace.id) =>
  `${path}?${new URLSearchParams({ workspaceId, id })}`
/** Prepares the download of an archive. */
const prepare = (id: string, session = workspace.ownerSession) =>
  instance.request('POST', `${path}/download`, { session, body: { workspaceId: workspace.id, id } })

/** Downloads an archive after preparing it. @returns the response, or that of the preparation if it was rejected */
async function download(id: string, session = workspace.ownerSession, headers: Record<string, string> = {}) {
  const prepared = await prepare(id, session)
  return prepared.status === 200 ? instance.request('GET', toPath(id), { session, headers }) : prepared
}

/** Downloads an archive over the network, like a browser. */
async function downloadBytes(id: string): Promise<Uint8Array<ArrayBuffer>> {
  expect((await prepare(id)).status).toBe(200)
  const headers = { cookie: `reeve_session=${workspace.ownerSession}` }
  const response = await fetch(new URL(toPath(id), server.url), { headers })
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

describe('a downloaded archive', () => {
  test('has the size and checksum from the archive list, and any zstd tool can decompress it', async () => {
    const { id } = await createArchive()
    const list = `/api/workspaces?id=${workspace.id}&archives=true`
    const [listedArchive] = (await instance.request('GET', list, { session: workspace.ownerSession })).body
      .archives
    const bytes = await downloadBytes(id)
    expect(String(bytes.length)).toBe(listedArchive.sizeBytes)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(listedArchive.sha256)
    const lines = Buffer.from(Bun.zstdDecompressSync(bytes)).toString().trimEnd().split('\n')
    expect(JSON.parse(lines[0] ?? '')[1]).toMatchObject({ format: 'reeve-archive', groupName: 'Night Shift' })
    expect(lines.some((line) => line.includes('Exploiting'))).toBe(true)
  })

  test('is complete if it has many parts', async () => {
    workspace = await instance.workspace()
    const reason = 'é'.repeat(1000)
    for (let batch = 0; batch < 3; batch++) {
      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          moderate({ action: 'note', userId: `${batch}.${index}`, reason, evidence: 'e'.repeat(2000) }),
        ),
      )
    }
    const { key } = workspace
    const { body } = await instance.request('POST', '/api/workspaces', {
      key,
      body: { id: workspace.id, archive: true },
    })
    const parts =
      (await readStoredRows(instance)).archive_part?.filter((line) => line.includes(body.archive.id)) ?? []
    expect(parts.length).toBeGreaterThan(2)
    const bytes = await downloadBytes(body.archive.id)
    const { sha256 } = await readArchive(instance, { key }, body.archive)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
  })

  test('has a file name with the group name and the date, valid on every operating system', async () => {
    const names: Record<string, string> = {
      'Night Shift': 'night-shift',
      'Ääkköset / "Öl"; ../x': 'aakkoset-ol-x',
      'Straße nach Łódź': 'strasse-nach-lodz',
      夜勤: 'workspace',
    }
    for (const [groupName, expected] of Object.entries(names)) {
      const { id, createdAt } = await createArchive(groupName)
      const { headers } = await download(id)
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="${expected}-${createdAt.slice(0, 10)}.ndjson.zst"`,
      )
    }
  })

  test('has a content type, its checksum as the ETag, and may not be cached', async () => {
    const { id, sha256 } = await createArchive()
    const { headers } = await download(id)
    expect(headers.get('content-type')).toBe('application/zstd')
    expect(headers.get('etag')).toBe(`"${sha256}"`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('is not sent again to a client that has it: the response is 304, and nothing is recorded', async () => {
    const { id, sha256 } = await createArchive()
    await prepare(id)
    const before = await readStoredRows(instance)
    const response = await instance.request('GET', toPath(id), {
      session: workspace.ownerSession,
      headers: { 'if-none-match': `"x", "${sha256}"` },
    })
    expect([response.status, response.text]).toEqual([304, ''])
    expect(await readStoredRows(instance)).toEqual(before)
  })

  test('is available while the workspace is archived, too', async () => {
    const { id } = await createArchive()
    await setArchived(instance, workspace.id, true)
    expect((await download(id)).status).toBe(200)
  })

  test('is not sent if it is damaged on disk, and the damage is reported', async () => {
    const { id } = await createArchive()
    const longer = usePostgres ? "bytes || '\\x00'::bytea" : "cast(bytes || x'00' as blob)"
    await instance.storage.query(
      `update archive_part set bytes = ${longer} where archive_id = ${idLiteral(id)}`,
    )
    expect((await prepare(id)).status).toBe(200)
    expect(await readLastJob(instance, workspace)).toMatchObject({
      kind: 'download',
      state: 'failed',
      error: 'The archive is damaged: it does not match its checksum. Nothing was changed.',
    })
    const response = await instance.request('GET', toPath(id), { session: workspace.ownerSession })
    expect([response.status, response.headers.get('content-disposition')]).toEqual([409, null])
    expect(instance.unexpectedErrors.splice(0)).toHaveLength(1)
  })
})

test('an archive must be prepared before it is downloaded, and is available for an hour then', async () => {
  const { id } = await createArchive()
  const get = () => instance.request('GET', toPath(id), { session: workspace.ownerSession })
  const unprepared = await get()
  expect([unprepared.status, unprepared.body.error]).toEqual([
    409,
    'Prepare the download first. The file is available for an hour then.',
  ])
  const { body } = await prepare(id)
  expect(body.job).toMatchObject({ kind: 'download', state: 'queued', archiveId: id })
  expect((await get()).status).toBe(200)
  instance.clock.advance(3_600_000 - 1)
  expect((await get()).status).toBe(200)
  instance.clock.advance(1)
  expect((await get()).status).toBe(409)
})

test('every download is recorded in the audit log', async () => {
  const { id, sha256 } = await createArchive()
  await download(id)
  const log = `/portal/api/audit?workspaceId=${workspace.id}&targetId=${id}`
  const { entries } = (await instance.request('GET', log, { session: workspace.ownerSession })).body
  expect(entries.map((entry: { action: string }) => entry.action)).toEqual([
    'archives.download',
    'archives.create',
  ])
  expect(entries[0].actorId).toBe(workspace.ownerId)
  expect(JSON.stringify(entries[1])).toContain(sha256)
  expect(JSON.stringify(entries[0])).toContain(sha256)
})

test('an archive with text that was redacted later is not sent; a new archive is', async () => {
  const { id, recordId } = await createArchive()
  await moderate({ action: 'redact', id: recordId, reason: 'Asked to' })
  const rejectedResponse = await download(id)
  expect([rejectedResponse.status, rejectedResponse.body.code]).toEqual([409, 'conflict'])
  expect(rejectedResponse.text).not.toContain('Exploiting')
  instance.clock.advance(1)
  const { key } = workspace
  const { body } = await instance.request('POST', '/api/workspaces', {
    key,
    body: { id: workspace.id, archive: true },
  })
  expect((await download(body.archive.id)).status).toBe(200)
  const bytes = await downloadBytes(body.archive.id)
  expect(Buffer.from(Bun.zstdDecompressSync(bytes)).toString()).not.toContain('Exploiting')
})

describe('access to an archive', () => {
  test('requires workspace.archive and the permissions to read everything in it', async () => {
    const { id } = await createArchive()
    await prepare(id)
    const query = { workspaceId: workspace.id, id }
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      who: 'session',
      workspaceId: workspace.id,
      query,
      permission: 'workspace.archive',
      also: COPY_PERMISSIONS,
      // Every download adds an audit row. The test above downloads from an archived workspace.
      whileArchived: true,
    })
  })

  test('is denied with the name of the missing permission', async () => {
    const { id } = await createArchive()
    for (const permission of COPY_PERMISSIONS) {
      const { session } = await instance.member(
        workspace.id,
        permissions.filter((one) => one !== permission),
      )
      const { status, body } = await download(id, session)
      expect([status, body.reason, body.permission]).toEqual([403, 'missing_permission', permission])
    }
  })

  test('is the same 404 for an archive of another workspace as for an unknown id', async () => {
    const foreignArchive = await createArchive()
    await createArchive()
    const outcomes = []
    for (const id of [foreignArchive.id, UNKNOWN_ID]) {
      const { status, body } = await instance.request('GET', toPath(id), { session: workspace.ownerSession })
      outcomes.push({ status, ...body, requestId: '' })
    }
    expect(outcomes[0]).toMatchObject({ status: 404, code: 'not_found' })
    expect(outcomes[0]).toEqual(outcomes[1] as object)
  })

  test('requires an id', async () => {
    await createArchive()
    const response = await instance.request('GET', `${path}?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
    expect([response.status, response.body.details]).toEqual([400, [{ field: 'id', message: 'is required' }]])
  })

  test('no rejected request was an internal error', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
