import { type Migration, migrations, openDataFolder } from '@reeve/db'

/** Rows that a slow step adds, and the number of steps. */
const ROWS_PER_STEP = 4000
const STEP_COUNT = 6

/** Migrations of a hypothetical later version: they create a table, fill it and alter an existing one. */
export const laterMigrations: readonly Migration[] = [
  ...migrations,
  ...Array.from({ length: STEP_COUNT }, (_, index): Migration => {
    const title = `step_${migrations.length + index + 1}`
    const name = `000${migrations.length + index + 1}-step`
    return {
      name,
      async up({ db, finish, integer }) {
        const table = db.schema.createTable(title).addColumn('id', 'text', (column) => column.primaryKey())
        await finish(table.addColumn('number', integer as 'integer')).execute()
        for (let number = 0; number < ROWS_PER_STEP; number += 100) {
          const rows = Array.from({ length: 100 }, (_, offset) => ({
            id: `${title} ${number + offset} ${'x'.repeat(200)}`,
            number: number + offset,
          }))
          await db.insertInto(title).values(rows).execute()
        }
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
  const { database, applied } = await openDataFolder(folder, Date.now, laterMigrations)
  console.log(`applied ${applied.length}`)
  await database.close()
}
