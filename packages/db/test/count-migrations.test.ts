import { Database as Engine } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import {
  databasePath,
  IMPORTS_ACTOR,
  openDataFolder,
  openServer,
  statement,
  type Transaction,
} from '../src/index.ts'
import { appealedBans } from '../src/migrations/0002-appealed-bans.ts'
import { importedCounts } from '../src/migrations/0011-imported-counts.ts'
import { tables } from '../src/tables/index.ts'
import { insertAll } from '../src/whole-row.ts'
import { createDatabase, queryServer } from './cluster.ts'
import { openScratch, removeScratch, testId } from './scratch.ts'

afterAll(removeScratch)

const DAY_MS = 86_400_000
const workspaceId = testId(1)
const ownerId = testId(2)

/** A row whose columns are empty, except for those that are given. */
function createRow(
  table: 'account' | 'workspace' | 'record' | 'appeal',
  values: Record<string, unknown>,
): never {
  const defaults = Object.entries(tables[table]).map(([name, { type, isNullable }]) => {
    if (isNullable) return [name, null]
    if (type === 'text' || type === 'word' || type === 'compact_json') return [name, '']
    return [name, type === 'integer' || type === 'int32' ? 0 : workspaceId]
  })
  return { ...Object.fromEntries(defaults), ...values } as never
}

const insertAccount = statement<Record<string, unknown>>()((sql, p) => insertAll(sql, 'account', p as never))
const insertWorkspace = statement<Record<string, unknown>>()((sql, p) =>
  insertAll(sql, 'workspace', p as never),
)
const insertRecord = statement<Record<string, unknown>>()((sql, p) => insertAll(sql, 'record', p as never))
const insertAppeal = statement<Record<string, unknown>>()((sql, p) => insertAll(sql, 'appeal', p as never))
const listAppealedBans = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('appealed_ban').selectAll().where('workspace_id', '=', p.workspaceId).orderBy('day'),
)

const insertCount = statement<Record<string, unknown>>()((sql, p) =>
  insertAll(sql, 'record_count', p as never),
)
const listCounts = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('record_count')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .orderBy('day')
    .orderBy('actor_id'),
)

/** As if a migration had not run. */
const forget = ({ name }: { readonly name: string }) => `delete from migration where name = '${name}'`

async function createWorkspace(tx: Transaction): Promise<void> {
  await tx.run(insertAccount, createRow('account', { id: ownerId }))
  await tx.run(insertWorkspace, createRow('workspace', { id: workspaceId, owner_id: ownerId }))
}

const engines = [
  {
    name: 'SQLite',
    async open() {
      const { db, folder } = await openScratch()
      const reopen = async () => (await openDataFolder(folder, { now: Date.now })).database
      const run = async (sql: string) => {
        const engine = new Engine(databasePath(folder))
        engine.run(sql)
        engine.close()
      }
      return { db, reopen, run }
    },
  },
  {
    name: 'PostgreSQL',
    async open() {
      const url = await createDatabase()
      const reopen = async () => (await openServer(url, { now: Date.now })).database
      return { db: await reopen(), reopen, run: async (sql: string) => void (await queryServer(url, sql)) }
    },
  },
]

test.each(engines)(
  'the bans that were appealed before the migration are counted once each, on $name',
  async ({ open }) => {
    const { db, reopen, run } = await open()
    await db.write(async (tx) => {
      await createWorkspace(tx)
      for (const number of [1, 2, 3])
        await tx.run(
          insertRecord,
          createRow('record', {
            id: testId(number),
            case_number: number,
            action: 'ban',
            actor_id: `moderator ${number}`,
            created_at: (20_000 + number) * DAY_MS - 1,
          }),
        )
      for (const [id, record] of [
        [11, 1],
        [12, 1],
        [13, 3],
      ] as const)
        await tx.run(
          insertAppeal,
          createRow('appeal', { id: testId(id), record_id: testId(record), closed_at: 0 }),
        )
    })
    await db.close()
    for (const sql of ['drop table appealed_ban', forget(appealedBans)]) await run(sql)
    const migrated = await reopen()
    const rows = await migrated.read.all(listAppealedBans, { workspaceId })
    await migrated.close()
    expect(rows).toEqual([
      { workspace_id: workspaceId, day: 20_000, record_id: testId(1), actor_id: 'moderator 1' },
      { workspace_id: workspaceId, day: 20_002, record_id: testId(3), actor_id: 'moderator 3' },
    ])
  },
)

test.each(engines)(
  'imported records that version 1.0.0 has counted by their import are counted together, and others stay, on $name',
  async ({ open }) => {
    const { db, reopen, run } = await open()
    const [firstImport, secondImport, moderator] = [testId(21), testId(22), testId(23)]
    const counts = { bans: 1, mutes: 2, warnings: 3, kicks: 4, lifted: 5 }
    const count = (day: number, actor: string, changed: Partial<typeof counts> = {}) => ({
      ...{ workspace_id: workspaceId, day, actor_id: actor, ...counts },
      ...changed,
    })
    await db.write(async (tx) => {
      await createWorkspace(tx)
      const authors = [firstImport, firstImport, secondImport, moderator]
      for (const [index, actor] of authors.entries())
        await tx.run(
          insertRecord,
          createRow('record', {
            id: testId(index + 1),
            case_number: index + 1,
            actor_kind: actor === moderator ? 'account' : 'system',
            actor_id: actor,
          }),
        )
      for (const row of [
        count(20_000, firstImport),
        count(20_000, secondImport),
        count(20_000, moderator),
        count(20_001, firstImport),
        count(20_001, IMPORTS_ACTOR, { bans: -1 }),
        count(20_002, IMPORTS_ACTOR),
        count(20_002, moderator),
      ])
        await tx.run(insertCount, row)
    })
    await db.close()
    await run(forget(importedCounts))
    const migrated = await reopen()
    const rows = await migrated.read.all(listCounts, { workspaceId })
    await migrated.close()
    const twice = { bans: 2, mutes: 4, warnings: 6, kicks: 8, lifted: 10 }
    expect(rows).toEqual([
      count(20_000, IMPORTS_ACTOR, twice),
      count(20_000, moderator),
      count(20_001, IMPORTS_ACTOR, { ...twice, bans: 0 }),
      count(20_002, IMPORTS_ACTOR),
      count(20_002, moderator),
    ])
  },
)
