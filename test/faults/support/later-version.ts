import { type Migration, migrations, openDataFolder } from '@reeve/db'

/** How many rows a slow step adds, and how many steps there are. */
const ROWS_PER_STEP = 4000
const STEP_COUNT = 6

/** What a later version might bring: steps that make a table, fill it, and change one that is there. */
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

// Started as a program: a later version that opens a data folder, and says when it begins and when it is done.
if (import.meta.main) {
  const [, , folder = ''] = process.argv
  console.log('opening')
  const { database, applied } = await openDataFolder(folder, Date.now, laterMigrations)
  console.log(`applied ${applied.length}`)
  await database.close()
}
