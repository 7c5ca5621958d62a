import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Database, insertAll, type Statement, statement, type Tables } from '../src/index.ts'
import { tables } from '../src/tables/index.ts'
import { engines, removeScratch, testId } from './scratch.ts'

type TableName = keyof Tables

const tableNames = Object.keys(tables) as TableName[]

/** Values that are hard to tell from those of the other kind. */
const TEXTS = [
  '',
  'reeve',
  'fifteen bytes!!',
  'sixteen bytes!!!',
  'Zoë',
  '\ufeffmarked',
  testId(7).toUpperCase(),
]
const WORDS = [
  'api_key',
  'account',
  'moderation.ban',
  'record',
  'high',
  'roles.create',
  '',
  'Zoë',
  '\u0001',
  '\u001f',
]
const HASHES = ['0'.repeat(64), 'f'.repeat(64), '', 'g'.repeat(31), 'g'.repeat(32), 'A'.repeat(64)]

/** A row whose values differ between the columns and between the numbers. */
function createRow(table: TableName, number: number): Record<string, unknown> {
  const columns = Object.entries(tables[table])
  return Object.fromEntries(
    columns.map(([name, { type, isNullable }], index) => {
      if (isNullable && number % 2 === 1) return [name, null]
      switch (type) {
        // The same in each table, so that rows may refer to each other.
        case 'id':
          return [name, testId(number)]
        case 'id_or_text':
          return [name, number % 3 === 0 ? testId(index) : `${TEXTS[number % TEXTS.length]}`]
        case 'word':
          return [name, WORDS[number % WORDS.length]]
        case 'compact_json':
          return [
            name,
            JSON.stringify({
              before: null,
              after: { name: TEXTS[number % TEXTS.length], number },
              salt: 'é',
            }),
          ]
        case 'hash':
          // Hashes are unique in some tables.
          return [name, number < HASHES.length ? HASHES[number] : Bun.SHA256.hash(`${number}`, 'hex')]
        case 'integer':
        case 'int32':
          return [name, number]
        case 'blob':
          return [name, new Uint8Array([number])]
        default:
          return [name, `${number}-${testId(number)}`]
      }
    }),
  )
}

const ROWS = 12

/** The statements of a table whose columns are known only here. */
const forTable = (table: TableName) => ({
  insert: statement<Record<string, unknown>>()((sql, p) => insertAll(sql, table, p as never)),
  list: statement()((sql) => sql.selectFrom(table as 'record').selectAll()) as Statement<object, object>,
})
const statements = new Map(tableNames.map((table) => [table, forTable(table)]))

const idColumns = tableNames.flatMap((table) =>
  Object.entries(tables[table])
    .filter(([, { type }]) => ['id', 'id_or_text', 'hash', 'word'].includes(type))
    .map(([column]) => ({ table, column })),
)
const findBy = (table: TableName, column: string) => ({
  equal: statement<{ value: string }>()((sql, p) =>
    sql
      .selectFrom(table as 'record')
      .select(column as 'id')
      .where(column as 'id', '=', p.value),
  ),
  listed: statement<{ values: readonly string[] }>()((sql, p, dialect) =>
    sql
      .selectFrom(table as 'record')
      .select(column as 'id')
      .where(dialect.inList(`${table}.${column}`, p.values)),
  ),
})
const finders = idColumns.map(({ table, column }) => ({ table, column, ...findBy(table, column) }))

const updateName = statement<{ id: string; name: string }>()((sql, p) =>
  sql.updateTable('account').set({ username: p.name }).where('id', '=', p.id),
)
const accountsAround = statement<{ after: string; before: string }>()((sql, p) =>
  sql
    .selectFrom('account')
    .select('id as account')
    .where('id', '>', p.after)
    .where('id', '<', p.before)
    .orderBy('id'),
)
const numbersOf = statement<{ ids: readonly string[]; numbers: readonly number[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('account')
    .select(['id', dialect.itemOf('id', p.ids, p.numbers).as('number')])
    .where(dialect.inList('id', p.ids))
    .orderBy('id'),
)
const creators = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .leftJoin('account', 'account.id', 'api_key.created_by')
    .select(['api_key.id', 'account.id as creator', 'api_key.created_by'])
    .where('api_key.workspace_id', '=', p.workspaceId),
)
const membersOrNobody = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('usage')
    .select((eb) => [eb.val('').as('actor_id'), eb.val('').as('endpoint')])
    .where('workspace_id', '=', p.workspaceId)
    .unionAll(
      sql.selectFrom('usage').select(['actor_id', 'endpoint']).where('workspace_id', '=', p.workspaceId),
    ),
)

afterAll(removeScratch)

describe.each(engines.slice(0, 2))('on $name', ({ open }) => {
  let db: Database
  const insertRow = (table: TableName, row: object) =>
    db.write((tx) => tx.run(statements.get(table)?.insert as never, row as never))

  beforeAll(async () => {
    db = (await open()).db
    const first: TableName[] = ['account', 'workspace', 'role', 'member', 'record', 'department', 'archive']
    for (const table of [...first, ...tableNames.filter((name) => !first.includes(name))])
      for (let number = 0; number < ROWS; number++) await insertRow(table, createRow(table, number))
  })
  afterAll(() => db.close())

  test.each(tableNames)('the rows of %s are read as they were written', async (table) => {
    const rows = await db.read.all(statements.get(table)?.list as Statement<object, object>, {})
    const sort = (list: readonly object[]) => list.map((row) => Bun.inspect(row, { sorted: true })).sort()
    // The database has created these itself.
    const created = ['history', 'notifications']
    const own = rows.filter((row) => !created.includes((row as { name?: string }).name ?? ''))
    expect(sort(own)).toEqual(sort(Array.from({ length: ROWS }, (_, number) => createRow(table, number))))
  })

  test.each(finders)('a value of $table.$column finds its rows', async ({ table, column, equal, listed }) => {
    const values = Array.from(
      { length: ROWS },
      (_, number) => createRow(table, number)[column] as string | null,
    )
    for (const value of new Set(values)) {
      if (value === null) continue
      const found = values.filter((other) => other === value).map((own) => ({ [column]: own }))
      expect(await db.read.all(equal, { value })).toEqual(found as never)
      expect(await db.read.all(listed, { values: [value, 'none'] })).toEqual(found as never)
    }
  })

  test.each(finders)('a value that $table.$column cannot have finds no row', async ({ equal, listed }) => {
    const absent = [
      'none',
      "' or true --",
      '{}',
      testId(99),
      testId(3).replaceAll('-', ''),
      'a'.repeat(300),
      '\0',
      '\u0002',
      '\u0008',
      '😀',
    ]
    for (const value of absent) expect(await db.read.all(equal, { value })).toEqual([])
    expect(await db.read.all(listed, { values: absent })).toEqual([])
    expect(await db.read.all(listed, { values: [] })).toEqual([])
  })

  test('each id gets the number at its place in a list', async () => {
    const [third, first, second] = [testId(3), testId(1), testId(2)]
    const ids = [third, testId(99), first, second]
    expect(await db.read.all(numbersOf, { ids, numbers: [30, 990, 2 ** 40, 0] })).toEqual([
      { id: first, number: 2 ** 40 },
      { id: second, number: 0 },
      { id: third, number: 30 },
    ])
  })

  test('an id in upper case is another text', async () => {
    const { equal } = findBy('account', 'id')
    const id = '0198c0de-0000-7000-8000-00000000abcd'
    await insertRow('account', { ...createRow('account', 100), id })
    expect(await db.read.all(equal, { value: id })).toHaveLength(1)
    expect(await db.read.all(equal, { value: id.toUpperCase() })).toEqual([])
  })

  test('a text that looks like an id stays a text in a text column', async () => {
    const name = testId(5).toUpperCase()
    expect(await db.write((tx) => tx.run(updateName, { id: testId(5), name }))).toBe(1)
    expect(
      await db.read.all(statements.get('account')?.list as Statement<object, object>, {}),
    ).toContainEqual(expect.objectContaining({ id: testId(5), username: name }))
  })

  test('what is no id cannot be stored as one', async () => {
    const row = { ...createRow('account', 101), id: 'none' }
    await expect(insertRow('account', row)).rejects.toThrow('not an id: none')
  })

  test('ids are compared in their order, also with texts that are none', async () => {
    const list = async (after: string, before: string) =>
      (await db.read.all(accountsAround, { after, before })).map(({ account }) => account)
    expect(await list(testId(3), testId(6))).toEqual([testId(4), testId(5)])
    expect(await list('', testId(2))).toEqual([testId(0), testId(1)])
    expect((await list(testId(10), '~'))[0]).toBe(testId(11))
    expect(await list('~', '~~')).toEqual([])
  })

  test('a column of ids joins one that contains other texts too', async () => {
    for (let number = 0; number < ROWS; number++) {
      const { created_by: creator } = createRow('api_key', number)
      const isAccount = typeof creator === 'string' && creator.startsWith('0198')
      expect(await db.read.all(creators, { workspaceId: testId(number) })).toEqual([
        { id: testId(number), creator: isAccount ? creator : null, created_by: creator as string },
      ])
    }
  })

  test('the queries of a union have the same columns', async () => {
    const { actor_id, endpoint } = createRow('usage', 3)
    expect(await db.read.all(membersOrNobody, { workspaceId: testId(3) })).toEqual([
      { actor_id: '', endpoint: '' },
      { actor_id, endpoint } as never,
    ])
  })
})

describe('a statement does not compile', () => {
  const failing: Record<string, Statement<never, unknown>> = {
    'there is no column nothing': statement<{ id: string }>()((sql, p) =>
      sql
        .selectFrom('account')
        .select('id')
        .where('nothing' as 'id', '=', p.id),
    ),
    'lower would read the bytes of an encoded column': statement()((sql) =>
      sql.selectFrom('account').select(({ fn }) => fn<string>('lower', ['id']).as('id')),
    ),
  }
  test.each(Object.entries(failing))('if %s', async (message, wrong) => {
    const { db } = await (engines[0] as (typeof engines)[0]).open()
    await expect(db.read.all(wrong, {} as never)).rejects.toThrow(message)
    await db.close()
  })
})
