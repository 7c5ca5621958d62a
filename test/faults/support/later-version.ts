import { listNameGrams } from '@reeve/core'
import { type Migration, migrations, openDataFolder } from '@reeve/db'
import { formatId } from '../../bench/stored-ids.ts'

/** Rows and names that a slow step adds, and the number of steps. */
const ROWS_PER_STEP = 4000
const NAMES_PER_STEP = 500
const STEP_COUNT = 6

/** Adds names of players, and adds them to the index of names. */
async function addNames({ db, nameIndex }: Parameters<Migration['up']>[0], step: number): Promise<void> {
  const { id: workspaceId } = await db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  const names = Array.from({ length: NAMES_PER_STEP }, (_, index) => ({
    workspace_id: workspaceId,
    user_id: String(index),
    name: `Name ${index} of step ${step}`,
    id: step * NAMES_PER_STEP + index + 1,
  }))
  await db.insertInto('player_name').values(names).execute()
  const entries = names.map(({ id, name }) => ({
    id,
    grams: listNameGrams(String(formatId(workspaceId)), id, name),
  }))
  await nameIndex.insertAll(entries).execute(db)
}

/** Migrations of a hypothetical later version: they create a table, fill it, index names and alter an existing table. */
export const laterMigrations: readonly Migration[] = [
  ...migrations,
  ...Array.from({ length: STEP_COUNT }, (_, index): Migration => {
    const title = `step_${migrations.length + index + 1}`
    const name = `${String(migrations.length + index + 1).padStart(4, '0')}-step`
    return {
      name,
      async up(tools) {
        const { db, finish, integer } = tools
        const table = db.schema.createTable(title).addColumn('id', 'text', (column) => column.primaryKey())
        await finish(table.addColumn('number', integer as 'integer')).execute()
        for (let number = 0; number < ROWS_PER_STEP; number += 100) {
          const rows = Array.from({ length: 100 }, (_, offset) => ({
            id: `${title} ${number + offset} ${'x'.repeat(200)}`,
            number: number + offset,
          }))
          await db.insertInto(title).values(rows).execute()
        }
        await addNames(tools, index)
        await db.schema.createIndex(`${title}_number`).on(title).column('number').execute()
        await db.schema.alterTable('account').addColumn(title, 'text').execute()
        await db
          .updateTable('account')
          .set({ [title]: name })
          .execute()
      },
    }
  }),
]

// As a program: a later version that opens a data folder and prints when it starts and finishes.
if (import.meta.main) {
  const [, , folder = ''] = process.argv
  console.log('opening')
  const { database, applied } = await openDataFolder(folder, { now: Date.now, migrations: laterMigrations })
  console.log(`applied ${applied.length}`)
  await database.close()
}
