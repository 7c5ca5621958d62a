import { groupBySize } from '@reeve/core'
import { type Queries, yieldToEventLoop } from '@reeve/db'
import { content } from './content.ts'
import type { ContentTable } from './content-definition.ts'
import { type KeyPosition, type Row, rowsBetweenKeys, sizesAfterKey } from './content-statements.ts'

/** How much is read at a time: a fraction of a millisecond, also for rows with large texts. */
const BATCH_ROWS = 50
const BATCH_BYTES = 256 * 1024

/** The position of a row of a table. */
export function toKeyPosition(table: ContentTable, row: Row): KeyPosition {
  const [first, second] = content[table].key as readonly [string, string?]
  return { first: String(row[first]), second: second === undefined ? null : (row[second] as string | number) }
}

/**
 * Reads a table in the order of its key, in batches that are limited in their number of rows and of bytes. Other requests run
 * in between.
 * @param after the row to continue after; null starts with the first one
 */
export async function* readRows(
  db: Queries,
  workspaceId: string,
  table: ContentTable,
  after: KeyPosition | null,
): AsyncGenerator<Row[]> {
  for (let position = after; ; ) {
    const isStart = position === null
    // The first statement of a table does not use the key.
    const from = { workspaceId, first: position?.first ?? '', second: position?.second ?? null }
    const sizes = await db.all(sizesAfterKey({ table, isStart }), { ...from, limit: BATCH_ROWS })
    const group: (typeof sizes)[number][] =
      groupBySize(sizes, BATCH_BYTES, ({ bytes }) => bytes).next().value ?? []
    const last = group.at(-1)
    if (!last) return
    const lastKey = toKeyPosition(table, last)
    // Each statement is a step of its own.
    await yieldToEventLoop()
    yield await db.all(rowsBetweenKeys({ table, isStart }), {
      ...from,
      last: lastKey.first,
      lastSecond: lastKey.second,
    })
    if (group.length === sizes.length && sizes.length < BATCH_ROWS) return
    position = lastKey
    await yieldToEventLoop()
  }
}
