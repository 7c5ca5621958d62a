import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { defaultEngine, type EngineName, idLiteral, type TestStorage } from './engine.ts'

/** The id of a copy, as SQL: that of the record with another end. */
const nextId = (engine: EngineName): string =>
  engine === 'PostgreSQL'
    ? "overlay(id::text placing lpad(to_hex(n.i), 8, '0') from 29)::uuid"
    : "unhex(substr(hex(id), 1, 24) || printf('%08x', n.i))"

/** Copies a record, which must not be in force, to so many case numbers after its own, without its history. */
export async function insertRecordCopies(
  { storage }: { readonly storage: Pick<TestStorage, 'query' | 'listColumns'> },
  id: string,
  count: number,
  engine: EngineName = defaultEngine,
): Promise<void> {
  const columns = (await storage.listColumns())
    .filter(({ table }) => table === 'record')
    .map(({ column }) => column)
  const values: Record<string, string> = { id: nextId(engine), case_number: 'case_number + n.i' }
  await storage.query(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     insert into record (${columns.join(', ')})
     select ${columns.map((column) => values[column] ?? column).join(', ')} from record cross join n
     where id = ${idLiteral(id, engine)}`,
  )
}

/** Copies a record in the data folder of a running server. */
export async function insertRecordCopiesInFolder(dataDir: string, id: string, count: number): Promise<void> {
  const engine = new Database(join(dataDir, 'reeve.db'))
  engine.run('PRAGMA busy_timeout = 5000')
  const query = async <Row>(sql: string): Promise<Row[]> => engine.query<Row, []>(sql).all()
  const listColumns: TestStorage['listColumns'] = () =>
    query(`select 'record' as "table", name as "column" from pragma_table_info('record')`)
  try {
    await insertRecordCopies({ storage: { query, listColumns } }, id, count, 'SQLite')
  } finally {
    engine.close()
  }
}
