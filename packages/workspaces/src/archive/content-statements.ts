import { createRowDeletion, insertAll, type Sql, statementFamily } from '@reeve/db'
import { content, contentTables } from './content.ts'
import type { ContentTable } from './content-definition.ts'

/** A row of any archived table, by column name. */
export type Row = Readonly<Record<string, unknown>>

// The statements below work on every table. Kysely requires a known table name for its types, hence the casts.
const columnNames = (table: ContentTable) => Object.keys(content[table].columns)

/** The position of a row in its table: its key after `workspace_id`, of one or two columns. */
export interface KeyPosition {
  readonly first: string
  readonly second: string | number | null
}

interface AfterKey extends KeyPosition {
  readonly workspaceId: string
}

/** A table, and whether its rows are read from the first one or after a key. */
interface TableRead {
  readonly table: ContentTable
  readonly isStart: boolean
}

const selectAfter = (sql: Sql, p: AfterKey, { table, isStart }: TableRead) => {
  const [first, second] = content[table].key as ['id', 'version'?]
  const all = sql.selectFrom(table as 'record').where('workspace_id', '=', p.workspaceId)
  if (second === undefined) return (isStart ? all : all.where(first, '>', p.first)).orderBy(first)
  const rows = isStart
    ? all
    : all.where((eb) => eb(eb.refTuple(first, second), '>', eb.tuple(p.first, p.second as number)))
  return rows.orderBy(first).orderBy(second)
}

/** The keys of the next rows of a table in key order, with the size of their texts in bytes. */
export const sizesAfterKey = statementFamily<AfterKey & { limit: number }, TableRead>()<
  Row & { bytes: number }
>((sql, p, read) => {
  const { key, texts = [] } = content[read.table]
  return selectAfter(sql, p, read)
    .select(key as readonly ['id'])
    .select((eb) =>
      texts
        .map((text) => eb.fn.coalesce(eb.fn<number>('octet_length', [text as 'id']), eb.lit(0)))
        .reduce((sum, size) => eb(sum, '+', size), eb.lit<number>(0))
        .as('bytes'),
    )
    .limit(p.limit)
})

/** The rows of a table in key order, after one key and up to another. */
export const rowsBetweenKeys = statementFamily<
  AfterKey & { last: string; lastSecond: string | number | null },
  TableRead
>()<Row>((sql, p, read) => {
  const [first, second] = content[read.table].key as ['id', 'version'?]
  const rows = selectAfter(sql, p, read).select(columnNames(read.table) as 'id'[])
  return second === undefined
    ? rows.where(first, '<=', p.last)
    : rows.where((eb) => eb(eb.refTuple(first, second), '<=', eb.tuple(p.last, p.lastSecond as number)))
})

/** Inserts a row into a table. */
export const insertRow = statementFamily<Row & { workspace_id: string }, { table: ContentTable }>()(
  (sql, p, { table }) => insertAll(sql, table, p as never),
)

/** The statement that deletes some rows of a table, for each table. */
export const contentDeletions = new Map(
  contentTables.map(
    (table) => [table, createRowDeletion(table, content[table].key as readonly string[])] as const,
  ),
)

/** Deletes every row of a table with few rows. */
export const deleteAllRows = statementFamily<{ workspaceId: string }, { table: ContentTable }>()(
  (sql, p, { table }) => sql.deleteFrom(table as 'record').where('workspace_id', '=', p.workspaceId),
)
