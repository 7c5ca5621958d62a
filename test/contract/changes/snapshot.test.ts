import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { insertAll, type RecordTable, statement } from '@reeve/db'
import { createWarningRow } from '../../bench/record-rows.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openFeedFixture } from './fixture.ts'

const insertRecord = statement<RecordTable>()((sql, p) => insertAll(sql, 'record', p))

let instance: Instance
let feed: Awaited<ReturnType<typeof openFeedFixture>>

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())
beforeEach(async () => {
  feed = await openFeedFixture(instance)
})

const listPlayers = (sanctions: { kind: string; userId: string }[]) =>
  sanctions.map(({ kind, userId }) => `${kind} ${userId}`)

/** The players of all pages. */
async function readPages(limit: string): Promise<string[]> {
  const players: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Record<string, never> = await feed.readSnapshot({ limit, ...(cursor && { cursor }) })
    players.push(...listPlayers(page.sanctions ?? []))
    cursor = page.nextCursor ?? null
  }
  return players
}

describe('the snapshot', () => {
  test('has every ban and mute in force, on pages, and none that expired or was lifted', async () => {
    const ban = await feed.ban('10')
    await feed.ban('9')
    await feed.ban('8', { durationSeconds: '60' })
    await feed.ban('7')
    await feed.actOk({ action: 'unban', userId: '7' })
    await feed.actOk({ action: 'mute', userId: '9', reason: 'Loud' })
    instance.clock.advance(60_000)
    const snapshot = await feed.readSnapshot()
    expect(listPlayers(snapshot.sanctions)).toEqual(['ban 10', 'ban 9', 'mute 9'])
    expect(snapshot.sanctions[0]).toEqual({
      kind: 'ban',
      userId: '10',
      recordId: ban.id,
      caseNumber: ban.caseNumber,
      expiresAt: null,
      reason: 'Exploiting',
      appealCode: ban.appealCode,
    })
    expect(listPlayers((await feed.readSnapshot({ kinds: 'mute' })).sanctions)).toEqual(['mute 9'])
    expect(await readPages('1')).toEqual(['ban 10', 'ban 9', 'mute 9'])
  })

  test('of pages of one sanction reads those that have expired many at a time, and each other once', async () => {
    const start = instance.ports.now()
    const active = ['1000999', '1001500', '1002499']
    await instance.db.write(async (tx) => {
      for (let index = 0; index < 2500; index++) {
        const ban = createWarningRow(start, index, { workspace_id: feed.id, action: 'ban', in_force: 1 })
        const expires_at = active.includes(ban.user_id) ? null : start + 60_000
        await tx.run(insertRecord, { ...ban, expires_at })
      }
    })
    instance.clock.advance(60_000)
    const { read } = instance.db
    const { all } = read
    let statements = 0
    Object.assign(read, {
      all: (...input: Parameters<typeof all>) => {
        statements += 1
        return all(...input)
      },
    })
    try {
      const first = await feed.readSnapshot({ limit: '1' })
      expect(listPlayers(first.sanctions)).toEqual(['ban 1000999'])
      expect(statements).toBeLessThan(10)
      expect(await readPages('1')).toEqual(active.map((player) => `ban ${player}`))
      expect(statements).toBeLessThan(50)
    } finally {
      Object.assign(read, { all })
    }
  }, 60_000)

  test('of several pages is exact with the changes since its first page', async () => {
    for (const player of ['1', '2', '3', '4']) await feed.ban(player)
    const first = await feed.readSnapshot({ limit: '2' })
    await feed.actOk({ action: 'unban', userId: '1' })
    await feed.ban('0')
    await feed.ban('5')
    const second = await feed.readSnapshot({ limit: '2', cursor: first.nextCursor })
    expect(second.sequence).toBe(first.sequence)
    const banned = new Set([...first.sanctions, ...second.sanctions].map(({ userId }) => userId))
    const { changes } = await feed.readChanges({ since: first.sequence, epoch: first.epoch })
    for (const { op, userId } of changes) op === 'set' ? banned.add(userId) : banned.delete(userId)
    expect([...banned].sort()).toEqual(['0', '2', '3', '4', '5'])
  })

  test('has a strong entity tag that changes with every record, and by query', async () => {
    const query = `workspaceId=${feed.id}`
    const read = (tag: string, search = query) =>
      instance.request('GET', `/api/changes/snapshot?${search}`, {
        key: feed.key,
        headers: { 'if-none-match': tag },
      })
    const tag = (await read('')).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[0-9a-f]{12}-0-\d+-\w+"$/)
    const unchanged = await read(tag)
    expect([unchanged.status, unchanged.text]).toEqual([304, ''])
    expect((await read(tag, `${query}&kinds=ban`)).status).toBe(200)
    await feed.ban('1')
    expect((await read(tag)).status).toBe(200)
  })
})

test('a page of the snapshot ends with the sanction whose reason reaches 4 MiB, and the next one continues after it', async () => {
  const reason = '👀'.repeat(1000)
  const players = 1100
  await instance.db.write(async (tx) => {
    for (let index = 0; index < players; index++)
      await tx.run(
        insertRecord,
        createWarningRow(instance.ports.now(), index, {
          ...{ workspace_id: feed.id, action: 'ban', in_force: 1, reason },
        }),
      )
  })
  const first = await feed.readSnapshot()
  const bytes = first.sanctions.length * Buffer.byteLength(reason)
  expect(bytes).toBeGreaterThanOrEqual(4 * 1024 * 1024)
  expect(bytes - Buffer.byteLength(reason)).toBeLessThan(4 * 1024 * 1024)
  const second = await feed.readSnapshot({ cursor: first.nextCursor })
  expect(second.nextCursor).toBeNull()
  const listed = [...first.sanctions, ...second.sanctions].map(({ userId }) => userId)
  expect(listed).toHaveLength(players)
  expect(new Set(listed).size).toBe(players)
}, 60_000)
