import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import {
  archiveWorkspace,
  createFilledWorkspace,
  createWorkspaceRequests,
  readEverything,
  type Workspace,
} from './fixture.ts'
import { readArchive, replaceArchive } from './replace-archive.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

type Responses = Awaited<ReturnType<typeof readEverything>>
type Version = Readonly<Record<string, unknown>>

const pickModeration = (responses: Responses): [string, unknown][] =>
  Object.entries(responses).filter(([path]) => path.startsWith('/api/moderation'))

/** The earlier versions of every record, oldest first, by the id of the record. */
function collectVersions(responses: Responses): Map<string, Version[]> {
  const versions = new Map<string, Version[]>()
  for (const [, response] of pickModeration(responses)) {
    const { record, versions: page } = response as { record?: { id: string }; versions?: Version[] }
    if (record && page) versions.set(record.id, [...(versions.get(record.id) ?? []), ...page])
  }
  return versions
}

/** A line of an archive as the first version of the format has it. */
function toFirstFormat(line: string, versions: ReturnType<typeof collectVersions>): string {
  if (line === '') return line
  const [kind, row] = JSON.parse(line)
  if (kind === 'archive') return JSON.stringify([kind, { ...row, version: 1 }])
  if (kind === 'events') delete row.host_account_id
  if (kind === 'records') for (const column of ['evidence_count', 'comment_count']) delete row[column]
  if (kind === 'recordVersions') {
    const version = versions.get(row.record_id)?.[row.version - 1] ?? {}
    const { replacedAt: _, replacedBy: __, ...record } = version
    row.snapshot = JSON.stringify(record)
  }
  return JSON.stringify([kind, row])
}

/** Copies a workspace from an archive in the first format. */
async function copyFromOldArchive(workspace: Workspace) {
  const before = await readEverything(instance, workspace.id, workspace)
  const versions = collectVersions(before)
  expect([...versions.values()].flat().length).toBeGreaterThan(3)
  const { id } = await archiveWorkspace(instance, workspace)
  const lines = (await readArchive(instance, id)).split('\n')
  await replaceArchive(instance, id, lines.map((line) => toFirstFormat(line, versions)).join('\n'))
  const credentials = { session: workspace.ownerSession }
  const { body } = await createWorkspaceRequests(instance, workspace).workspaces(
    { fromArchive: id },
    credentials,
  )
  const copy = { ...workspace, id: body.workspace.id, key: await instance.key(body.workspace.id) }
  return { before, copy }
}

test('an archive in which events have no host, records no numbers of comments, and versions are complete can be restored', async () => {
  const workspace = await createFilledWorkspace(instance)
  const { before, copy } = await copyFromOldArchive(workspace)
  const after = await readEverything(instance, copy.id, copy)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  expect(pickModeration(after)).toEqual(pickModeration(before))
  const readEvents = async ({ id: workspaceId, key }: Pick<Workspace, 'id' | 'key'>) =>
    (await instance.request('GET', `/api/events?workspaceId=${workspaceId}`, { key })).body.events.length
  expect(await readEvents(copy)).toBe(await readEvents(workspace))
})

test('a record with complete versions gets new ones after them, and is redacted with all of them', async () => {
  const workspace = await createFilledWorkspace(instance)
  const { moderate } = createWorkspaceRequests(instance, workspace)
  const secret = 'Lives at 12 Harbour Road'
  const { id } = await moderate({ action: 'warn', userId: '77', reason: secret, evidence: secret })
  await moderate({ action: 'comment', id, value: secret })
  await moderate({ action: 'edit', id, reason: `${secret}!` })
  const { copy } = await copyFromOldArchive(workspace)
  const { moderate: moderateCopy } = createWorkspaceRequests(instance, copy)
  await moderateCopy({ action: 'comment', id, value: 'Another one' })
  await moderateCopy({ action: 'edit', id, severity: 'critical' })
  const readVersions = async () =>
    (
      await instance.request('GET', `/api/moderation?workspaceId=${copy.id}&id=${id}`, {
        key: copy.key,
      })
    ).body.versions
  expect(await readVersions()).toMatchObject([
    { workspaceId: copy.id, version: '1', reason: secret, comments: [] },
    { version: '2', reason: secret, comments: [{ text: secret }] },
    { version: '3', reason: `${secret}!`, severity: 'low', comments: [{ text: secret }] },
    { version: '4', severity: 'low', comments: [{ text: secret }, { text: 'Another one' }] },
  ])
  await moderateCopy({ action: 'redact', id, reason: 'Asked for' })
  for (const version of await readVersions())
    expect(version).toMatchObject({ reason: null, evidence: [], comments: [], revokeReason: null })
  const stored = (await readStoredRows(instance)).record_version ?? []
  const ofCopy = stored.filter((row) => row.includes(copy.id) && row.includes(id))
  expect(ofCopy).toHaveLength(5)
  expect(ofCopy.join()).not.toContain('Harbour')
})
