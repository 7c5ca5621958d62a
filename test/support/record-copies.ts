import type { Instance } from './instance.ts'

/** Copies a record, which must not be in force, to so many case numbers after its own, without its history. */
export async function insertRecordCopies(
  { storage }: Pick<Instance, 'storage'>,
  id: string,
  count: number,
): Promise<void> {
  const columns = (await storage.listColumns())
    .filter(({ table }) => table === 'record')
    .map(({ column }) => column)
  const values: Record<string, string> = { id: `n.i || '-' || id`, case_number: 'case_number + n.i' }
  await storage.query(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     insert into record (${columns.join(', ')})
     select ${columns.map((column) => values[column] ?? column).join(', ')} from record cross join n
     where id = '${id}'`,
  )
}
