import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deleteUnusedEvidence } from '@reeve/moderation'
import { usePostgres } from '../../support/engine.ts'
import { uploadEvidence } from '../../support/evidence-upload.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type ErasureFixture, openErasureFixture } from './erasure-fixture.ts'
import type { Fields } from './fixture.ts'
import { createImportRequests } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const PLAYER = '7654321098'
const WORD = 'Quokkazanzibar'

const { importText } = createImportRequests(() => instance)

/** Stores the id and the word wherever a request can store something about a player. */
async function plant(fixture: ErasureFixture) {
  const { workspaceId, session, post, key, ban, actOk } = fixture
  await post('/api/webhooks', {
    name: 'Bans',
    url: 'https://example.com/hook',
    events: 'record.created,record.updated,record.ended,appeal.submitted',
  })
  const record = await ban(PLAYER, {
    userUsername: WORD,
    reason: `${WORD} cheats`,
    evidence: `https://example.com/${WORD}`,
  })
  await actOk({ action: 'comment', id: record.id, value: `${WORD} said so` })
  await actOk({ action: 'edit', id: record.id, reason: `Edited ${WORD}`, userUsername: `${WORD}2` })
  await actOk(
    { action: 'warn', userId: PLAYER, userUsername: WORD, reason: WORD },
    { headers: { 'idempotency-key': 'planted' } },
  )
  await actOk({ action: 'note', userId: PLAYER, reason: WORD })
  await actOk({ action: 'mute', userId: PLAYER, reason: WORD, durationSeconds: 60 })
  await actOk({ action: 'unmute', userId: PLAYER, reason: WORD })
  const byPlayer = { actorPlatformUserId: PLAYER, actorUsername: WORD }
  await actOk({ action: 'note', userId: '261', reason: 'Seen', ...byPlayer })
  await ban('263')
  await actOk({ action: 'unban', userId: '263', ...byPlayer })
  const uploaded = await uploadEvidence(
    instance,
    { session, workspaceId, id: record.id, name: `${WORD}.txt` },
    `log of ${WORD}`,
  )
  expect(uploaded.status).toBe(200)
  const appealed = await post('/api/appeals', { code: record.appealCode, message: `I am ${WORD}` }, { key })
  const { appeals } = (
    await instance.request('GET', `/portal/api/appeals?workspaceId=${workspaceId}`, { session })
  ).body
  expect(appealed).toBeDefined()
  await post('/portal/api/appeals/message', {
    id: appeals[0].id,
    text: `Hello ${WORD}`,
    internal: 'true',
  })
  await post('/portal/api/pinned-notes', { userId: PLAYER, text: `Watch ${WORD}` })
  await post('/portal/api/pinned-notes', { recordId: record.id })
  await post('/api/moderation/links', {
    userId: PLAYER,
    linkedUserId: '156',
    confidence: 'high',
    reason: `Same as ${WORD}`,
  })
  await post('/api/moderation/batches', { action: 'note', userIds: `${PLAYER},262`, reason: 'A batch' })
  await post('/portal/api/saved-views', {
    list: 'records',
    name: 'Watched',
    filters: `userId=${PLAYER}`,
    shared: 'true',
  })
  await post('/portal/api/claims', { recordId: record.id })
  const member = await instance.member(workspaceId, ['moderation.view'], 1)
  await post('/portal/api/assignments', { recordId: record.id, accountId: member.accountId })
  const players = await instance.request('PATCH', '/portal/api/members/players', {
    session,
    body: { workspaceId, accountId: member.accountId, userIds: PLAYER },
  })
  expect([players.status, players.body.userIds]).toEqual([200, [PLAYER]])
  const row = `userId,userUsername,occurredAt,reason,sourceId\n${PLAYER},${WORD},2026-01-05,${WORD},a-${PLAYER}\n`
  await importText('csv', 'records.csv', row, {
    workspace: { id: workspaceId, ownerSession: session } as never,
    defaultAction: 'ban',
  })
}

/** The tables whose rows contain a text, as plain SQL returns them. */
async function findTables(text: string): Promise<string[]> {
  const tables = new Set((await instance.storage.listColumns()).map(({ table }) => table))
  const found: string[] = []
  for (const table of tables) {
    const rows = await instance.storage.query(`select * from "${table}"`)
    const json = JSON.stringify(rows, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    if (json.toLowerCase().includes(text.toLowerCase())) found.push(table)
  }
  return found.sort()
}

/** Expects that a text is nowhere in the file of the database, whose unused pages are left out. */
function expectNotInFile(texts: readonly string[], copyName: string): void {
  const file = join(instance.storage.dataDir, 'reeve.db')
  const copy = `${file}.${copyName}`
  const engine = new Database(file)
  engine.query('VACUUM INTO ?').all(copy)
  engine.close()
  const bytes = readFileSync(copy).toString('latin1').toLowerCase()
  for (const text of texts) expect(bytes.includes(text.toLowerCase())).toBe(false)
}

for (const mode of ['erase', 'pseudonymise'])
  test(`after ${mode}, neither the id nor a word of the player is in any table, nor in the file after VACUUM`, async () => {
    const fixture = await openErasureFixture(instance)
    await plant(fixture)
    // So that the search for them would find them.
    const planted = new Set([...(await findTables(PLAYER)), ...(await findTables(WORD))])
    for (const table of [
      ...['appeal', 'appeal_message', 'audit', 'batch_item', 'evidence_part', 'idempotency', 'import_issue'],
      ...['member_player', 'pinned_note', 'player_link', 'player_name', 'reason_count', 'record'],
      ...['record_version', 'response_time', 'saved_view'],
    ])
      expect(planted).toContain(table)

    await fixture.erase(PLAYER, mode)
    await deleteUnusedEvidence(instance.db, instance.ports, instance.context.evidence)

    expect({ id: await findTables(PLAYER), word: await findTables(WORD) }).toEqual({ id: [], word: [] })
    expect(await fixture.faults()).toEqual([])
    // What the mode promises to keep: the cases and the ban, under a pseudonym that staff cannot reverse.
    const { records } = (await fixture.get()).body
    const kept = records.filter(({ userId }: Fields) => String(userId).startsWith('pseudonym:'))
    expect(await fixture.isBanned(PLAYER)).toBe(mode === 'pseudonymise')
    expect(kept.length > 0).toBe(mode === 'pseudonymise')
    for (const { id } of kept)
      expect((await fixture.getRecord(id)).record).toMatchObject({
        ...{ reason: null, userUsername: null, evidence: [], comments: [], evidenceFiles: [] },
      })
    if (!usePostgres) expectNotInFile([PLAYER, WORD], mode)
  })
