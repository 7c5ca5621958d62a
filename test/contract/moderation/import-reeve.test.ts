import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOW, type Workspace } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(() => instance.close())

const { importText, importFile, isBanned } = createImportRequests(() => instance)

const exportLines = async ({ id, ownerSession: session }: Workspace): Promise<string> =>
  (await instance.request('GET', `/portal/api/records.jsonl?workspaceId=${id}`, { session })).text

/** The fields of an exported record that do not depend on the workspace. */
const KEPT = [
  ...['caseNumber', 'action', 'userId', 'userUsername', 'reason', 'severity', 'status', 'durationSeconds'],
  ...['expiresAt', 'revokedAt', 'revokedByUsername', 'revokeReason', 'evidence', 'publicReason'],
]

/** What a record says, whatever workspace it is in. */
function toContent(line: string): object {
  const record = JSON.parse(line)
  return {
    ...Object.fromEntries(KEPT.map((field) => [field, record[field]])),
    happenedAt: record.occurredAt ?? record.createdAt,
    moderator: record.originalModerator ?? record.actorUsername,
    isAcknowledged: record.acknowledgedAt !== null,
    comments: record.comments.map(({ text, authorUsername, createdAt }: Record<string, string>) => ({
      text,
      authorUsername,
      createdAt,
    })),
  }
}

const readContent = (lines: string): object[] => lines.trimEnd().split('\n').map(toContent)

/** A workspace with a record of every action and in every state. */
async function openExported(): Promise<Workspace> {
  const workspace = await instance.workspace()
  const act = async (body: object) => {
    const response = await instance.request('POST', '/api/moderation', {
      key: workspace.key,
      body: { workspaceId: workspace.id, ...body },
    })
    expect(response.status).toBe(200)
    return response.body.record
  }
  const player = { userId: '261', userUsername: 'Builderman', actorUsername: 'robin' }
  await act({
    action: 'ban',
    ...player,
    reason: 'Exploiting',
    severity: 'critical',
    durationSeconds: '86400',
  })
  await act({
    action: 'ban',
    ...player,
    reason: 'Again, "quoted"\nand 🌙',
    evidence: 'https://a.example/1\nSeen',
  })
  await act({ action: 'mute', ...player, reason: 'Spam', durationSeconds: '60' })
  const warning = await act({ action: 'warn', ...player, reason: 'Language' })
  await act({ action: 'edit', id: warning.id, reason: 'Language, twice' })
  await act({ action: 'comment', id: warning.id, value: 'On Friday,\nand today' })
  await act({ action: 'acknowledge', id: warning.id })
  const kick = await act({ action: 'kick', userId: 'steam:76561197960287930', reason: 'Away' })
  await act({ action: 'revoke', id: kick.id, reason: 'Wrong player' })
  await act({ action: 'note', userId: '9', reason: 'Knows the builder' })
  await act({ action: 'ban', userId: '10', reason: 'Scam' })
  await act({ action: 'unban', userId: '10', reason: 'Appealed', actorUsername: 'kim' })
  instance.clock.advance(3_600_000)
  return workspace
}

test('an export as JSON Lines gives the same records in another workspace', async () => {
  const workspace = await openExported()
  const exported = await exportLines(workspace)
  const { workspace: other, result, entries } = await importText('reeve', 'records.jsonl', exported)
  expect(entries).toEqual([])
  expect(result).toMatchObject({ state: 'succeeded', created: '7', source: 'reeve' })
  const copied = await exportLines(other)
  expect(readContent(copied)).toEqual(readContent(exported))
  expect(await isBanned(other, '261')).toBe(true)
  expect(await isBanned(other, '10')).toBe(false)
  // What was imported can be exported and imported once more.
  const third = await importText('reeve', 'records.jsonl', copied)
  expect(readContent(await exportLines(third.workspace))).toEqual(readContent(exported))
  const again = await importText('reeve', 'records.jsonl', exported, { workspace: other })
  expect(again.result).toMatchObject({ created: '0', known: '7' })
})

test('an export of imported records names who acted in the tool that they come from', async () => {
  const { workspace } = await importFile('litebans', 'litebans.sql')
  const exported = await exportLines(workspace)
  const { workspace: other } = await importText('reeve', 'records.jsonl', exported)
  expect(readContent(await exportLines(other))).toEqual(readContent(exported))
})

test('a damaged export names the line of what cannot be read, and the others are imported', async () => {
  const record = { id: 'a', action: 'note', userId: '1', createdAt: '2026-01-05T00:00:00Z', reason: 'One' }
  const comment = { id: 'no id', text: 'Hi', authorUsername: 'robin', createdAt: '2026-01-05T00:00:00Z' }
  const lines = [
    JSON.stringify(record),
    JSON.stringify({ ...record, id: 'b', action: 'jail' }),
    '{"id": "c", broken}',
    JSON.stringify({ ...record, id: 'd', comments: [comment] }),
    JSON.stringify({ ...record, id: 'e' }),
    '[1]',
  ]
  const { result, entries } = await importText('reeve', 'records.jsonl', lines.join('\n'))
  expect(result).toMatchObject({ created: '2', unreadable: '4' })
  expect(entries.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '2 action jail is unknown',
    expect.stringMatching(/^3 the element is not JSON/),
    expect.stringMatching(/^4 the id of a comment is not one of Reeve/),
    '6 the file is damaged from here on: an object is expected',
  ])
})
