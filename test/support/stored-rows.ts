import { expect } from 'bun:test'
import type { Instance, TestResponse } from './instance.ts'

/** Columns that every request changes: counters and times of last use. */
const VOLATILE_COLUMNS: Readonly<Record<string, readonly string[] | 'all'>> = {
  usage: 'all',
  sign_in_attempt: 'all',
  api_key: ['last_used_at', 'last_used_address'],
  session: ['last_seen_at'],
}

/**
 * All stored rows by table, read with plain SQL. Compare two results with `toEqual` to show that nothing changed in between.
 * Request counters and times of last use are left out.
 */
export async function readStoredRows({
  storage,
}: Pick<Instance, 'storage'>): Promise<Record<string, string[]>> {
  const tables = [...new Set((await storage.listColumns()).map(({ table }) => table))].filter(
    (table) => VOLATILE_COLUMNS[table] !== 'all',
  )
  const rows = await storage.queryEach<Record<string, unknown>>(
    tables.map((table) => `select * from "${table}"`),
  )
  return Object.fromEntries(
    tables.map((table, index) => [table, formatRows(rows[index] ?? [], VOLATILE_COLUMNS[table] ?? [])]),
  )
}

const formatRows = (
  rows: readonly Record<string, unknown>[],
  ignoredColumns: readonly string[] | 'all',
): string[] => rows.map((row) => formatRow(row, ignoredColumns)).sort()

const formatRow = (row: Record<string, unknown>, ignoredColumns: readonly string[] | 'all'): string =>
  JSON.stringify(row, (column, value) => {
    if (ignoredColumns.includes(column)) return undefined
    return value instanceof Uint8Array ? `${value.length} bytes, ${Bun.hash(value)}` : value
  })

/** Expects that a request changes no stored row. @returns its status and the fields of its body */
export async function expectRejectedUnchanged(instance: Instance, sendRequest: () => Promise<TestResponse>) {
  const before = await readStoredRows(instance)
  const { status, body } = await sendRequest()
  expect(await readStoredRows(instance)).toEqual(before)
  return { status, ...body }
}
