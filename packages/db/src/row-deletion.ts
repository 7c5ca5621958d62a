import { type Statement, statement } from './statement.ts'
import type { Tables } from './tables/index.ts'

/** A statement that deletes some of the rows of a workspace. */
export type RowDeletion = Statement<{ workspaceId: string; limit: number }, unknown>

// The statements below work on every table. Kysely needs the names of one for its types, hence the casts.

/**
 * A statement that deletes some rows of a table in a workspace.
 * @param key the primary key of the table after `workspace_id`; without columns, the statement deletes the one row of the workspace
 */
export const createRowDeletion = (table: keyof Tables, key: readonly string[]): RowDeletion =>
  statement<{ workspaceId: string; limit: number }>()((sql, p) => {
    const rows = sql.deleteFrom(table as 'import_part').where('workspace_id', '=', p.workspaceId)
    const some = sql
      .selectFrom(table as 'import_part')
      .where('workspace_id', '=', p.workspaceId)
      .limit(p.limit)
    const columns = key as readonly ['import_id', 'part']
    if (key.length === 0) return rows
    if (key.length === 1) return rows.where(columns[0], 'in', some.select(columns[0]))
    return rows.where((eb) => eb(eb.refTuple(...columns), 'in', some.select(columns).$asTuple(...columns)))
  })

/** Tables with many rows for a row of another table: the column that refers to it, and the rest of the key. */
const partTables = {
  archive_part: ['archive_id', 'part'],
  evidence_part: ['file_id', 'part'],
  import_part: ['import_id', 'part'],
  workspace_job_row: ['job_id', 'number'],
} as const

/** A statement that deletes some of the rows that belong to the row with an id. */
export const createPartDeletion = (table: keyof typeof partTables) =>
  statement<{ workspaceId: string; id: string; limit: number }>()((sql, p) => {
    const [owner, part] = partTables[table] as (typeof partTables)['import_part']
    const rows = sql.selectFrom(table as 'import_part').where('workspace_id', '=', p.workspaceId)
    return sql
      .deleteFrom(table as 'import_part')
      .where('workspace_id', '=', p.workspaceId)
      .where(owner, '=', p.id)
      .where(part, 'in', rows.where(owner, '=', p.id).select(part).limit(p.limit))
  })
