import { Database as Engine } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { databasePath, openDataFolder, openServer, statement } from '../src/index.ts'
import { appealedBans } from '../src/migrations/0002-appealed-bans.ts'
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

const undo = ['drop table appealed_ban', `delete from migration where name = '${appealedBans.name}'`] as const

const engines = [
  {
    name: 'SQLite',
    async open() {
      const { db, folder } = await openScratch()
      const reopen = async () => (await openDataFolder(folder, Date.now)).database
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
      const reopen = async () => (await openServer(url, Date.now)).database
      return { db: await reopen(), reopen, run: async (sql: string) => void (await queryServer(url, sql)) }
    },
  },
]

test.each(engines)(
  'the bans that were appealed before the migration are counted once each, on $name',
  async ({ open }) => {
    const { db, reopen, run } = await open()
    await db.write(async (tx) => {
      await tx.run(insertAccount, createRow('account', { id: ownerId }))
      await tx.run(insertWorkspace, createRow('workspace', { id: workspaceId, owner_id: ownerId }))
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
    for (const sql of undo) await run(sql)
    const migrated = await reopen()
    const rows = await migrated.read.all(listAppealedBans, { workspaceId })
    await migrated.close()
    expect(rows).toEqual([
      { workspace_id: workspaceId, day: 20_000, record_id: testId(1), actor_id: 'moderator 1' },
      { workspace_id: workspaceId, day: 20_002, record_id: testId(3), actor_id: 'moderator 3' },
    ])
  },
)
