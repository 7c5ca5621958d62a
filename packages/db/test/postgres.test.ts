import { afterAll, describe, expect, test } from 'bun:test'
import { type Change, DatabaseServerError, NewerSchemaError, openServer, statement } from '../src/index.ts'
import { migrations } from '../src/migrations/index.ts'
import { askServer, newDatabase } from './cluster.ts'
import { cuttingProxy } from './proxy.ts'
import { addMedia, allMedia, bytes } from './scratch.ts'

const openings: { close: () => Promise<void> }[] = []
afterAll(async () => {
  for (const { close } of openings) await close()
})

/** Opens a database as one replica does. */
async function replica(url: string) {
  const { database: db, applied } = await openServer(url, Date.now)
  openings.push(db)
  return { db, applied }
}

const openHead = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .insertInto('workspace_head')
    .values({ workspace_id: p.workspaceId, case_number: 0, audit_sequence: 0, audit_hash: '' }),
)
const headOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').selectAll().where('workspace_id', '=', p.workspaceId),
)
const setCase = statement<{ workspaceId: string; to: number }>()((sql, p) =>
  sql.updateTable('workspace_head').set({ case_number: p.to }).where('workspace_id', '=', p.workspaceId),
)
const noteNothing = statement<{ workspaceId: string }>({ commutes: true })((sql, p) =>
  sql.deleteFrom('usage').where('workspace_id', '=', p.workspaceId),
)

const connectionsOf = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

/** Resolves once something holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve))
}

describe('replicas of one database', () => {
  test('change a workspace one after the other: what a unit has looked at stays so until it is done', async () => {
    const url = await newDatabase()
    const [one, other] = [await replica(url), await replica(url)]
    await one.db.write((tx) => tx.run(openHead, { workspaceId: 'w' }))
    const countOn = ({ db }: typeof one) =>
      db.write(async (tx) => {
        const head = await tx.first(headOf, { workspaceId: 'w' })
        await tx.run(setCase, { workspaceId: 'w', to: (head?.case_number ?? 0) + 1 })
      })
    await Promise.all(Array.from({ length: 50 }, () => [countOn(one), countOn(other)]).flat())
    expect(await one.db.read.first(headOf, { workspaceId: 'w' })).toMatchObject({ case_number: 100 })
  })

  test('take the turn of a workspace also behind a statement that needs none', async () => {
    const url = await newDatabase()
    const [one, other] = [await replica(url), await replica(url)]
    await one.db.write((tx) => tx.run(openHead, { workspaceId: 'w' }))
    const countOn = ({ db }: typeof one) =>
      db.write(async (tx) => {
        await tx.run(noteNothing, { workspaceId: 'w' })
        const head = await tx.first(headOf, { workspaceId: 'w' })
        await tx.run(setCase, { workspaceId: 'w', to: (head?.case_number ?? 0) + 1 })
      })
    await Promise.all(Array.from({ length: 20 }, () => [countOn(one), countOn(other)]).flat())
    expect(await one.db.read.first(headOf, { workspaceId: 'w' })).toMatchObject({ case_number: 40 })
  })

  test('never stand in the way of another workspace', async () => {
    const { db } = await replica(await newDatabase())
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const long = db.write(async (tx) => {
      await tx.run(openHead, { workspaceId: 'long' })
      await held
    })
    const waiting = Array.from({ length: 20 }, () =>
      db.write((tx) => tx.first(headOf, { workspaceId: 'long' })),
    )
    await db.write((tx) => tx.run(openHead, { workspaceId: 'quick' }))
    expect(await db.read.first(headOf, { workspaceId: 'long' })).toBeUndefined()
    letGo()
    await Promise.all([long, ...waiting])
  })

  test('run a unit again that stood in another one’s way', async () => {
    const url = await newDatabase()
    const [one, other] = [await replica(url), await replica(url)]
    let begun = 0
    const both = async ({ db }: typeof one, first: string, second: string) =>
      db.write(async (tx) => {
        await tx.run(openHead, { workspaceId: first })
        begun += 1
        await until(() => begun >= 2)
        await tx.first(headOf, { workspaceId: second })
      })
    await Promise.all([both(one, 'a', 'b'), both(other, 'b', 'a')])
    expect(begun).toBe(3)
    expect(await one.db.read.first(headOf, { workspaceId: 'a' })).toBeDefined()
    expect(await one.db.read.first(headOf, { workspaceId: 'b' })).toBeDefined()
  })

  test('hear of each other’s changes once they are committed, and of none that was undone', async () => {
    const url = await newDatabase()
    const [one, other] = [await replica(url), await replica(url)]
    const heard: Change[] = []
    other.db.onChange((change) => heard.push(change))
    const change = (id: string): Change => ({ kind: 'record', workspaceId: 'it’s', id })
    await one.db
      .write(async (tx) => {
        tx.announce(change('undone'))
        throw new Error('changed its mind')
      })
      .catch(() => {})
    const many = Array.from({ length: 300 }, (_, index) => change(String(index)))
    await one.db.write(async (tx) => many.forEach(tx.announce))
    await until(() => heard.length >= many.length)
    expect(heard).toEqual(many)
  })

  test('bring the schema up to date once, whichever comes first', async () => {
    const url = await newDatabase('template1')
    const opened = await Promise.all(Array.from({ length: 4 }, () => replica(url)))
    expect(opened.flatMap(({ applied }) => applied)).toEqual(migrations.map(({ name }) => name))
  })
})

describe('a newer version beside an older one', () => {
  test('may add a column: what was prepared before is prepared anew, for reads and for units', async () => {
    const url = await newDatabase()
    const { db } = await replica(url)
    const find = { workspaceId: 'w' }
    await db.write((tx) => tx.run(openHead, find))
    const before = await db.read.first(headOf, find)
    await db.write((tx) => tx.first(headOf, find))
    await askServer(url, 'alter table workspace_head add column newer text')
    expect(await db.read.first(headOf, find)).toEqual({ ...before, newer: null } as never)
    expect(await db.write((tx) => tx.first(headOf, find))).toEqual({ ...before, newer: null } as never)
  })

  test('may tell what is not understood: then anything may have changed', async () => {
    const url = await newDatabase()
    const { db } = await replica(url)
    const told: boolean[] = []
    db.onGap((isOver) => told.push(isOver))
    for (const word of ['', 'what', '7', 'null', '{"by":1}']) await askServer(url, `notify reeve, '${word}'`)
    await until(() => told.length === 5)
    expect(told).toEqual([true, true, true, true, true])
  })
})

describe('a connection that breaks', () => {
  test('is made anew: reads and writes go on, and it is told that changes may have gone unheard', async () => {
    const url = await newDatabase()
    const { db } = await replica(url)
    const told: boolean[] = []
    db.onGap((isOver) => told.push(isOver))
    await db.write((tx) => tx.run(addMedia, { hash: 'before', bytes }))
    await askServer(url, `select pg_terminate_backend(pid) ${connectionsOf}`)
    await db.write((tx) => tx.run(addMedia, { hash: 'after', bytes }))
    expect(await db.read.all(allMedia, {})).toEqual([{ hash: 'after' }, { hash: 'before' }])
    await until(() => told.includes(true))
    const heard: string[] = []
    db.onChange(({ id }) => heard.push(id))
    const other = await replica(url)
    await other.db.write(async (tx) => tx.announce({ kind: 'role', workspaceId: 'w', id: 'r' }))
    await until(() => heard.length > 0)
    expect(heard).toEqual(['r'])
  })

  test('before the commit has the unit run again, and done once', async () => {
    const url = await newDatabase()
    const { db } = await replica(url)
    let runs = 0
    await db.write(async (tx) => {
      runs += 1
      await tx.run(addMedia, { hash: String(runs), bytes })
      if (runs > 1) return
      await askServer(url, `select pg_terminate_backend(pid) ${connectionsOf} and state like 'idle in%'`)
      await tx.all(allMedia, {})
    })
    expect(await db.read.all(allMedia, {})).toEqual([{ hash: '2' }])
  })

  test('during the commit is told as not known, and the unit is not run again', async () => {
    const url = await newDatabase()
    const proxy = cuttingProxy(url)
    const { db } = await replica(proxy.url)
    let runs = 0
    proxy.cutAt('commit\0')
    const refused = await db
      .write(async (tx) => {
        runs += 1
        await tx.run(addMedia, { hash: String(runs), bytes })
      })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'unavailable' })
    expect(String(refused)).toContain('not known whether it happened')
    expect(runs).toBe(1)
    proxy.cutAt(null)
    await db.write((tx) => tx.run(addMedia, { hash: 'after', bytes }))
    expect((await db.read.all(allMedia, {})).at(-1)).toEqual({ hash: 'after' })
  })
})

describe('a server that falls silent', () => {
  test('is given up on: nothing waits for it for ever, and all goes on once it is back', async () => {
    const proxy = cuttingProxy(await newDatabase())
    const { db } = await replica(`${proxy.url}?query_timeout=500`)
    await db.write((tx) => tx.run(addMedia, { hash: 'before', bytes }))
    await Promise.all([db.read.all(allMedia, {}), db.read.all(allMedia, {})])
    proxy.shut('still')
    const write = db.write((tx) => tx.run(addMedia, { hash: 'lost', bytes }))
    const ended = await Promise.allSettled([db.ping(), db.read.all(allMedia, {}), write])
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    proxy.open()
    await until(() =>
      db.ping().then(
        () => true,
        () => false,
      ),
    )
    await db.write((tx) => tx.run(addMedia, { hash: 'after', bytes }))
    expect(await db.read.all(allMedia, {})).toEqual([{ hash: 'after' }, { hash: 'before' }])
  })
})

describe('a server', () => {
  test('that cannot be reached is named with the way out, without its password', async () => {
    const error = await openServer('postgres://reeve:hush@127.0.0.1:9/reeve', Date.now).catch((one) => one)
    expect(error).toBeInstanceOf(DatabaseServerError)
    expect(error.message).toMatch(
      /^The database reeve at 127\.0\.0\.1:9 cannot be opened: .*REEVE_DATABASE_URL/,
    )
    expect(error.message).not.toContain('hush')
  })

  test('whose database a newer version made is refused', async () => {
    const url = await newDatabase()
    await askServer(url, "insert into migration values ('9999-future', 0)")
    const error = await openServer(url, Date.now).catch((one) => one)
    expect(error).toBeInstanceOf(NewerSchemaError)
    expect(await askServer(url, `select pid ${connectionsOf}`)).toEqual([])
  })

  test('whose advisory locks lock nothing is refused, and left as it is', async () => {
    const url = await newDatabase('template1')
    await askServer(
      url,
      `create schema hollow; create function hollow.pg_try_advisory_lock(bigint) returns boolean return true;
       alter database ${new URL(url).pathname.slice(1)} set search_path = hollow, pg_catalog, public`,
    )
    const error = await openServer(url, Date.now).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(DatabaseServerError)
    expect(String(error)).toContain('The advisory locks of this server lock nothing')
    expect(await askServer(url, "select 1 from pg_tables where schemaname in ('public', 'hollow')")).toEqual(
      [],
    )
  })

  test('sorts every text by its bytes, whatever its database was made with', async () => {
    const url = await newDatabase()
    const otherwise = await askServer(
      url,
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`,
    )
    expect(otherwise).toEqual([])
  })
})
