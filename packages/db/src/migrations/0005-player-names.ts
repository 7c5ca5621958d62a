import { type ColumnDataType, sql } from 'kysely'
import { toIndexedName } from '../indexed-name.ts'
import type { Migration, MigrationTools } from '../migration.ts'
import type { PlayerNameTable } from '../tables/index.ts'

/** The number of records and names that are in memory at a time. */
const BATCH_SIZE = 1000

/** Adds the names of players and their index, and removes the index of records by name, which it replaces. */
export const playerNames: Migration = {
  name: '0005-player-names',
  async up(tools) {
    const { db, text, integer, clustered, nameIndex } = tools
    await clustered(db.schema.createTable('player_name'))
      .addColumn('workspace_id', text as ColumnDataType, (column) => column.notNull())
      .addColumn('user_id', text as ColumnDataType, (column) => column.notNull())
      .addColumn('name', text as ColumnDataType, (column) => column.notNull())
      .addColumn('id', integer as ColumnDataType, (column) => column.notNull())
      .addPrimaryKeyConstraint('player_name_key', ['workspace_id', 'user_id', 'name'])
      .addForeignKeyConstraint('player_name_refers_0', ['workspace_id'], 'workspace', ['id'])
      .execute()
    await db.schema.createIndex('player_name_by_id').on('player_name').columns(['id']).execute()
    for (const statement of nameIndex.create) await sql.raw(statement).execute(db)
    await copyNames(tools)
    if (nameIndex.setNextId !== null) await sql.raw(nameIndex.setNextId).execute(db)
    await db.schema.dropIndex('record_by_name').execute()
  },
}

/** Copies the names in all records, in the order of their creation. */
async function copyNames({ db, nameIndex }: MigrationTools): Promise<void> {
  let lastId = 0
  let after = { workspace_id: '', id: '' }
  for (;;) {
    const records = await db
      .selectFrom('record')
      .select(['workspace_id', 'id', 'user_id', 'user_username'])
      .where((eb) => eb(eb.refTuple('workspace_id', 'id'), '>', eb.tuple(after.workspace_id, after.id)))
      .orderBy('workspace_id')
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute()
    const names = records
      .filter((record) => record.user_username !== null)
      .map(({ workspace_id, user_id, user_username }, index) => ({
        workspace_id,
        user_id,
        name: user_username,
        id: lastId + index + 1,
      }))
    const added =
      names.length === 0
        ? []
        : ((await db
            .insertInto('player_name')
            .values(names)
            .onConflict((conflict) => conflict.doNothing())
            .returningAll()
            .execute()) as PlayerNameTable[])
    if (added.length > 0) {
      await nameIndex.insertAll(added.map(toIndexedName)).execute(db)
      lastId = Math.max(...added.map(({ id }) => id))
    }
    const last = records.at(-1)
    if (records.length < BATCH_SIZE || !last) return
    after = last
  }
}
