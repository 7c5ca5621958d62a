import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { idLiteral, idOrTextLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { archiveWorkspace, createWorkspaceRequests } from '../workspaces/fixture.ts'
import { type Fields, openModerationFixture, SECOND } from './fixture.ts'

let instance: Instance
let fixture: Awaited<ReturnType<typeof openModerationFixture>>

beforeAll(async () => {
  instance = await openInstance()
  fixture = await openModerationFixture(instance)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

type Version = Fields & { version: string }

/** All earlier versions of a record, page by page. */
async function readVersions(id: string, limit = '200', open = fixture): Promise<Version[]> {
  const versions: Version[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await open.get({ id, limit, ...(cursor && { cursor }) })
    versions.push(...body.versions)
    cursor = body.nextCursor
  }
  return versions
}

const withoutMessage = ({ message: _, ...record }: Fields): Fields => record

const withoutReplacement = ({ replacedAt: _, replacedBy: __, ...record }: Version): Fields => record

describe('an earlier version of a record', () => {
  test('is exactly the response to the write that created it, whatever was changed since', async () => {
    const text = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
    const change = fc.oneof(
      fc.record({ action: fc.constant('edit'), reason: text }),
      fc.record({ action: fc.constant('edit'), userUsername: fc.constantFrom('', 'Builderman', 'builder') }),
      fc.record({ action: fc.constant('edit'), severity: fc.constantFrom('low', 'critical') }),
      fc.record({ action: fc.constant('edit'), evidence: fc.array(text).map((lines) => lines.join('\n')) }),
      fc.record({ action: fc.constant('comment'), value: text }),
      fc.record({ action: fc.constant('evidence'), value: text }),
      fc.record({ action: fc.constant('extend'), value: fc.constant('60') }),
      fc.record({ action: fc.constantFrom('acknowledge', 'revoke'), reason: text }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 60, maxLength: 200 }),
        fc.integer({ min: 1, max: 50 }),
        async (changes, limit) => {
          const userId = String(Math.floor(Math.random() * 1e9) + 1)
          const created = await fixture.ban(userId, { durationSeconds: '3600' })
          const responses = [created]
          for (const body of changes) {
            const response = await fixture.act({ ...body, id: created.id })
            // Some changes are rejected by a rule or change nothing, which is intended.
            const record = response.body.record
            if (response.status === 200 && record.version !== responses.at(-1).version) responses.push(record)
          }
          const versions = await readVersions(created.id, String(limit))
          expect(versions.map(withoutReplacement)).toEqual(responses.slice(0, -1).map(withoutMessage))
        },
      ),
      { numRuns: 8 },
    )
  }, 60_000)

  test('has the status at the time when it was replaced', async () => {
    const { id } = await fixture.ban('501', { durationSeconds: '60' })
    await fixture.actOk({ action: 'edit', id, reason: 'Before the end' })
    instance.clock.advance(61 * SECOND)
    await fixture.actOk({ action: 'edit', id, reason: 'After the end' })
    expect((await readVersions(id)).map(({ status }) => status)).toEqual(['active', 'expired'])
  })

  test('is on one page, in order, also if there are hundreds', async () => {
    const { id } = await fixture.ban('502')
    for (let index = 1; index <= 300; index++)
      await fixture.actOk({ action: 'edit', id, reason: `Reason ${index}` })
    for (const limit of ['3', '64', '127', '128', '129', '200']) {
      const versions = await readVersions(id, limit)
      expect(versions.map(({ version }) => version)).toEqual(
        Array.from({ length: 300 }, (_, index) => `${index + 1}`),
      )
      expect(versions[100]?.reason).toBe('Reason 100')
    }
  })
})

test('a comment on a record of 60 KiB, and an edited word, store less than 1 KiB each', async () => {
  const { id } = await fixture.actOk({ action: 'warn', userId: '503', reason: 'x' })
  for (let index = 0; index < 30; index++)
    await fixture.actOk({ action: 'comment', id, value: `${index} ${'x'.repeat(1990)}` })
  const evidence = Array.from({ length: 2 }, (_, index) => `${index} ${'y'.repeat(1900)}`).join('\n')
  await fixture.actOk({ action: 'edit', id, evidence })
  const measure = async () => {
    const [row] = await instance.storage.query<{ versions: number; audit: number }>(
      `select (select sum(octet_length(snapshot)) from record_version where record_id = ${idLiteral(id)}) as versions,
        (select sum(octet_length(changes)) from audit where target_id = ${idOrTextLiteral(id)}) as audit`,
    )
    return Number(row?.versions) + Number(row?.audit)
  }
  for (const change of [
    { action: 'comment', value: 'One more' },
    { action: 'edit', reason: 'y' },
    { action: 'edit', severity: 'high' },
  ]) {
    const before = await measure()
    await fixture.actOk({ ...change, id })
    const stored = (await measure()) - before
    expect(stored).toBeGreaterThan(0)
    expect(stored).toBeLessThan(1024)
  }
})

describe('a redaction', () => {
  const SECRET = 'Lives at 12 Harbour Road'
  const FRAGMENTS = /arbour|Road|Lives|12 /
  const noTexts = { reason: null, evidence: [], comments: [], revokeReason: null }

  /** A record with more than 150 versions, each with another part of a secret. */
  async function createSecretRecord(open: typeof fixture) {
    const { id } = await open.ban('504', { reason: SECRET, evidence: SECRET })
    for (let index = 1; index < 52; index++) {
      await open.actOk({ action: 'edit', id, reason: SECRET.slice(0, index) })
      await open.actOk({ action: 'edit', id, evidence: `${index}\n${SECRET.slice(index % 20)}` })
      await open.actOk({ action: 'comment', id, value: `${SECRET} ${index}` })
    }
    await open.actOk({ action: 'unban', id, reason: SECRET })
    return id as string
  }

  const readStored = async (workspaceId: string) => {
    const { record = [], record_version = [], audit = [] } = await readStoredRows(instance)
    return [...record, ...record_version, ...audit].filter((row) => row.includes(workspaceId))
  }

  test('removes every part of every text from all versions and entries, and nothing brings one back', async () => {
    const open = await openModerationFixture(instance)
    const id = await createSecretRecord(open)
    const before = await readVersions(id, '200', open)
    expect((await readStored(open.id)).join()).toMatch(FRAGMENTS)
    await open.actOk({ action: 'redact', id, reason: 'Asked for' })
    const after = await readVersions(id, '13', open)
    expect(after.slice(0, -1)).toEqual(before.map((version) => ({ ...version, ...noTexts })))
    expect((await readStored(open.id)).join()).not.toMatch(FRAGMENTS)
    for (let index = 0; index < 120; index++)
      await open.actOk({ action: 'edit', id, severity: index % 2 === 0 ? 'low' : 'high' })
    for (const version of await readVersions(id, '50', open)) expect(version).toMatchObject(noTexts)
  })

  test('keeps earlier versions without texts when the record gets a new one, and removes that one too', async () => {
    const open = await openModerationFixture(instance)
    const { id } = await open.actOk({ action: 'warn', userId: '505', reason: SECRET })
    for (let index = 0; index < 40; index++)
      await open.actOk({ action: 'comment', id, value: `${SECRET} ${index}` })
    await open.actOk({ action: 'redact', id, reason: 'Asked for' })
    await open.actOk({ action: 'revoke', id, reason: SECRET })
    await open.actOk({ action: 'edit', id, severity: 'high' })
    const versions = await readVersions(id, '200', open)
    for (const version of versions.slice(0, -1)) expect(version).toMatchObject(noTexts)
    expect(versions.at(-1)).toMatchObject({ ...noTexts, revokeReason: SECRET })
    await open.actOk({ action: 'redact', id, reason: 'Again' })
    for (const version of await readVersions(id, '200', open)) expect(version).toMatchObject(noTexts)
    expect((await readStored(open.id)).join()).not.toMatch(FRAGMENTS)
  })

  test('holds for the versions of an archive from before it', async () => {
    const open = await openModerationFixture(instance)
    const id = await createSecretRecord(open)
    const versions = await readVersions(id, '200', open)
    const requests = createWorkspaceRequests(instance, open)
    const archive = await archiveWorkspace(instance, open)
    await requests.workspaces({ id: open.id, archive: false })
    await open.actOk({ action: 'redact', id, reason: 'Asked for' })
    const credentials = { session: open.ownerSession }
    const { body } = await requests.workspaces({ fromArchive: archive.id }, credentials)
    const copy = body.workspace.id as string
    const { body: history } = await instance.request(
      'GET',
      `/api/moderation?workspaceId=${copy}&id=${id}&limit=200`,
      credentials,
    )
    expect(history.versions).toEqual(
      versions.map((version) => ({
        ...version,
        ...noTexts,
        workspaceId: copy,
        // A code belongs to one ban, so that of the copy has another.
        appealCode: history.record.appealCode,
      })),
    )
    expect((await readStored(copy)).join()).not.toMatch(FRAGMENTS)
  })

  test('holds for versions of an archive that the record no longer has, because it was rolled back before', async () => {
    const open = await openModerationFixture(instance)
    const { workspaces } = createWorkspaceRequests(instance, open)
    const credentials = { session: open.ownerSession }
    const { id } = await open.actOk({ action: 'warn', userId: '506', reason: 'x' })
    const early = await archiveWorkspace(instance, open)
    await workspaces({ id: open.id, archive: false })
    for (const value of ['1', '2', '3'])
      await open.actOk({ action: 'comment', id, value: `${SECRET} ${value}` })
    const late = await archiveWorkspace(instance, open)
    await workspaces({ id: open.id, fromArchive: early.id }, credentials)
    await open.actOk({ action: 'redact', id, reason: 'Asked for' })
    const { body } = await workspaces({ fromArchive: late.id }, credentials)
    const copy = body.workspace.id as string
    const { body: history } = await instance.request(
      'GET',
      `/api/moderation?workspaceId=${copy}&id=${id}`,
      credentials,
    )
    expect(history.versions).toHaveLength(3)
    for (const version of history.versions) expect(version).toMatchObject(noTexts)
    expect((await readStored(copy)).join()).not.toMatch(FRAGMENTS)
  })
})
