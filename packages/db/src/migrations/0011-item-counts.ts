import type { ColumnDataType } from 'kysely'
import type { Migration, MigrationTools } from '../migration.ts'

/** The number of records that are in memory at a time. Each can have hundreds of kilobytes. */
const BATCH_SIZE = 100

/** Adds the number of comments and of pieces of evidence to records, so that lists need not read the texts. */
export const itemCounts: Migration = {
  name: '0011-item-counts',
  async up(tools) {
    for (const column of ['evidence_count', 'comment_count']) {
      await tools.db.schema
        .alterTable('record')
        .addColumn(column, tools.integer as ColumnDataType, (added) => added.notNull().defaultTo(0))
        .execute()
    }
    await countItems(tools)
  },
}

async function countItems({ db }: MigrationTools): Promise<void> {
  let after = { workspace_id: '', id: '' }
  for (;;) {
    const records = await db
      .selectFrom('record')
      .select(['workspace_id', 'id', 'evidence', 'comments'])
      .where((eb) => eb(eb.refTuple('workspace_id', 'id'), '>', eb.tuple(after.workspace_id, after.id)))
      .where((eb) => eb.or([eb('evidence', '<>', '[]'), eb('comments', '<>', '[]')]))
      .orderBy('workspace_id')
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute()
    for (const { workspace_id, id, evidence, comments } of records) {
      await db
        .updateTable('record')
        .set({ evidence_count: JSON.parse(evidence).length, comment_count: JSON.parse(comments).length })
        .where('workspace_id', '=', workspace_id)
        .where('id', '=', id)
        .execute()
    }
    const last = records.at(-1)
    if (records.length < BATCH_SIZE || !last) return
    after = { workspace_id: last.workspace_id, id: last.id }
  }
}
