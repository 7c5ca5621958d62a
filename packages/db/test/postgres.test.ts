import { afterAll, describe, expect, test } from 'bun:test'
import {
  DatabaseServerError,
  type DataChange,
  NewerSchemaError,
  openServer,
  statement,
} from '../src/index.ts'
import { migrations } from '../src/migrations/index.ts'
import { createDatabase, queryServer } from './cluster.ts'
import { createFaultProxy } from './proxy.ts'
import { bytes, emptyHead, insertImage, listImages, testId } from './scratch.ts'

const databases: { close: () => Promise<void> }[] = []
afterAll(async () => {
  for (const { close } of databases) await close()
})

/** Opens a database as a replica. */
async function openReplica(url: string) {
  const { database: db, applied } = await openServer(url, Date.now)
  databases.push(db)
  return { db, applied }
}

const insertHead = statement<{ workspaceId: string }>()((sql, p) =>
  sql.insertInto('workspace_head').values({ ...emptyHead, workspace_id: p.workspaceId }),
)
const findHead = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').selectAll().where('workspace_id', '=', p.workspaceId),
)
const setCaseNumber = statement<{ workspaceId: string; to: number }>()((sql, p) =>
  sql.updateTable('workspace_head').set({ case_number: p.to }).where('workspace_id', '=', p.workspaceId),
)
const deleteUsage = statement<{ workspaceId: string }>({ isCommutative: true })((sql, p) =>
  sql.deleteFrom('usage').where('workspace_id', '=', p.workspaceId),
)

const otherConnections =
  'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'

/** Waits for a condition. */
async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve))
}

describe('replicas of one database', () => {
  test('write to a workspace one after the other: data that a transaction has read stays unchanged until its commit', async () => {
    const url = await createDatabase()
    const [one, other] = [await openReplica(url), await openReplica(url)]
    await one.db.write((tx) => tx.run(insertHead, { workspaceId: testId(1) }))
    const incrementOn = ({ db }: typeof one) =>
      db.write(async (tx) => {
        const head = await tx.first(findHead, { workspaceId: testId(1) })
        await tx.run(setCaseNumber, { workspaceId: testId(1), to: (head?.case_number ?? 0) + 1 })
      })
    await Promise.all(Array.from({ length: 50 }, () => [incrementOn(one), incrementOn(other)]).flat())
    expect(await one.db.read.first(findHead, { workspaceId: testId(1) })).toMatchObject({ case_number: 100 })
  })

  test('take the lock of a workspace also after a commutative statement', async () => {
    const url = await createDatabase()
    const [one, other] = [await openReplica(url), await openReplica(url)]
    await one.db.write((tx) => tx.run(insertHead, { workspaceId: testId(1) }))
    const incrementOn = ({ db }: typeof one) =>
      db.write(async (tx) => {
        await tx.run(deleteUsage, { workspaceId: testId(1) })
        const head = await tx.first(findHead, { workspaceId: testId(1) })
        await tx.run(setCaseNumber, { workspaceId: testId(1), to: (head?.case_number ?? 0) + 1 })
      })
    await Promise.all(Array.from({ length: 20 }, () => [incrementOn(one), incrementOn(other)]).flat())
    expect(await one.db.read.first(findHead, { workspaceId: testId(1) })).toMatchObject({ case_number: 40 })
  })

  test('do not block other workspaces', async () => {
    const { db } = await openReplica(await createDatabase())
    const { promise: blocked, resolve: release } = Promise.withResolvers<void>()
    const long = db.write(async (tx) => {
      await tx.run(insertHead, { workspaceId: testId(1) })
      await blocked
    })
    const waiting = Array.from({ length: 20 }, () =>
      db.write((tx) => tx.first(findHead, { workspaceId: testId(1) })),
    )
    await db.write((tx) => tx.run(insertHead, { workspaceId: testId(2) }))
    expect(await db.read.first(findHead, { workspaceId: testId(1) })).toBeUndefined()
    release()
    await Promise.all([long, ...waiting])
  })

  test('retry a transaction after a deadlock', async () => {
    const url = await createDatabase()
    const [one, other] = [await openReplica(url), await openReplica(url)]
    let started = 0
    const writeBoth = async ({ db }: typeof one, first: string, second: string) =>
      db.write(async (tx) => {
        await tx.run(insertHead, { workspaceId: first })
        started += 1
        await waitUntil(() => started >= 2)
        await tx.first(findHead, { workspaceId: second })
      })
    await Promise.all([writeBoth(one, testId(1), testId(2)), writeBoth(other, testId(2), testId(1))])
    expect(started).toBe(3)
    expect(await one.db.read.first(findHead, { workspaceId: testId(1) })).toBeDefined()
    expect(await one.db.read.first(findHead, { workspaceId: testId(2) })).toBeDefined()
  })

  test('receive each other’s changes after the commit, and none that was rolled back', async () => {
    const url = await createDatabase()
    const [one, other] = [await openReplica(url), await openReplica(url)]
    const received: DataChange[] = []
    other.db.onChange((change) => received.push(change))
    const change = (id: string): DataChange => ({ kind: 'record', workspaceId: 'it’s', id })
    await one.db
      .write(async (tx) => {
        tx.announce(change('undone'))
        throw new Error('rolled back')
      })
      .catch(() => {})
    const many = Array.from({ length: 300 }, (_, index) => change(String(index)))
    await one.db.write(async (tx) => many.forEach(tx.announce))
    await waitUntil(() => received.length >= many.length)
    expect(received).toEqual(many)
  })

  test('have received what others broadcast before, once their own broadcast is done', async () => {
    const url = await createDatabase()
    const [one, other] = [await openReplica(url), await openReplica(url)]
    const received: string[] = []
    one.db.onBroadcast((line) => received.push(line))
    for (let round = 1; round <= 200; round++) {
      await other.db.broadcast([String(round)])
      await one.db.broadcast(['a', 'b'])
      expect(received.at(-1)).toBe(String(round))
    }
    expect(received).toHaveLength(200)
  })

  test('migrate the schema once when several start together', async () => {
    const url = await createDatabase('template1')
    const opened = await Promise.all(Array.from({ length: 4 }, () => openReplica(url)))
    expect(opened.flatMap(({ applied }) => applied)).toEqual(migrations.map(({ name }) => name))
  })
})

describe('a newer version next to an older one', () => {
  test('may add a column: prepared statements are prepared again, in reads and in transactions', async () => {
    const url = await createDatabase()
    const { db } = await openReplica(url)
    const params = { workspaceId: testId(1) }
    await db.write((tx) => tx.run(insertHead, params))
    const before = await db.read.first(findHead, params)
    await db.write((tx) => tx.first(findHead, params))
    await queryServer(url, 'alter table workspace_head add column newer text')
    expect(await db.read.first(findHead, params)).toEqual({ ...before, newer: null } as never)
    expect(await db.write((tx) => tx.first(findHead, params))).toEqual({ ...before, newer: null } as never)
  })
})

describe('a lost connection', () => {
  test('is replaced: reads and writes continue, and listeners learn of missed changes', async () => {
    const url = await createDatabase()
    const { db } = await openReplica(url)
    const gaps: boolean[] = []
    db.onMissedChanges((isOver) => gaps.push(isOver))
    await db.write((tx) => tx.run(insertImage, { hash: 'before', bytes }))
    await queryServer(url, `select pg_terminate_backend(pid) ${otherConnections}`)
    await db.write((tx) => tx.run(insertImage, { hash: 'after', bytes }))
    expect(await db.read.all(listImages, {})).toEqual([{ hash: 'after' }, { hash: 'before' }])
    await waitUntil(() => gaps.includes(true))
    const received: string[] = []
    db.onChange(({ id }) => received.push(id))
    const other = await openReplica(url)
    await other.db.write(async (tx) => tx.announce({ kind: 'role', workspaceId: testId(1), id: 'r' }))
    await waitUntil(() => received.length > 0)
    expect(received).toEqual(['r'])
  })

  test('does not hold up a broadcast', async () => {
    const url = await createDatabase()
    const { db } = await openReplica(url)
    const gaps: boolean[] = []
    db.onMissedChanges((isOver) => gaps.push(isOver))
    await queryServer(url, `select pg_terminate_backend(pid) ${otherConnections}`)
    await db.broadcast(['into the gap']).catch(() => {})
    await waitUntil(() => gaps.includes(true))
    await db.broadcast(['after it'])
  })

  test('before the commit causes a retry with a single effect', async () => {
    const url = await createDatabase()
    const { db } = await openReplica(url)
    let runs = 0
    await db.write(async (tx) => {
      runs += 1
      await tx.run(insertImage, { hash: String(runs), bytes })
      if (runs > 1) return
      await queryServer(url, `select pg_terminate_backend(pid) ${otherConnections} and state like 'idle in%'`)
      await tx.all(listImages, {})
    })
    expect(await db.read.all(listImages, {})).toEqual([{ hash: '2' }])
  })

  test('during the commit makes the outcome unknown, without a retry', async () => {
    const url = await createDatabase()
    const proxy = createFaultProxy(url)
    const { db } = await openReplica(proxy.url)
    let runs = 0
    proxy.cutAfter('commit\0')
    const failure = await db
      .write(async (tx) => {
        runs += 1
        await tx.run(insertImage, { hash: String(runs), bytes })
      })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(String(failure)).toContain('may or may not have been applied')
    expect(runs).toBe(1)
    proxy.cutAfter(null)
    await db.write((tx) => tx.run(insertImage, { hash: 'after', bytes }))
    expect((await db.read.all(listImages, {})).at(-1)).toEqual({ hash: 'after' })
  })
})

describe('a server that stops responding', () => {
  test('causes timeouts, and everything works once it is back', async () => {
    const proxy = createFaultProxy(await createDatabase())
    const { db } = await openReplica(`${proxy.url}?query_timeout=500`)
    await db.write((tx) => tx.run(insertImage, { hash: 'before', bytes }))
    await Promise.all([db.read.all(listImages, {}), db.read.all(listImages, {})])
    proxy.block('stalled')
    const write = db.write((tx) => tx.run(insertImage, { hash: 'lost', bytes }))
    const outcomes = await Promise.allSettled([db.ping(), db.read.all(listImages, {}), write])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    proxy.unblock()
    await waitUntil(() =>
      db.ping().then(
        () => true,
        () => false,
      ),
    )
    await db.write((tx) => tx.run(insertImage, { hash: 'after', bytes }))
    expect(await db.read.all(listImages, {})).toEqual([{ hash: 'after' }, { hash: 'before' }])
  })
})

describe('a server', () => {
  test('that cannot be reached is reported with its host and setting, without the password', async () => {
    const error = await openServer('postgres://reeve:hush@127.0.0.1:9/reeve', Date.now).catch((one) => one)
    expect(error).toBeInstanceOf(DatabaseServerError)
    expect(error.message).toMatch(
      /^The database reeve at 127\.0\.0\.1:9 cannot be opened: .*REEVE_DATABASE_URL/,
    )
    expect(error.message).not.toContain('hush')
  })

  test('with a database of a newer version is rejected', async () => {
    const url = await createDatabase()
    await queryServer(url, "insert into migration values ('9999-future', 0)")
    const error = await openServer(url, Date.now).catch((one) => one)
    expect(error).toBeInstanceOf(NewerSchemaError)
    expect(await queryServer(url, `select pid ${otherConnections}`)).toEqual([])
  })

  test('whose advisory locks do not work is rejected and left unchanged', async () => {
    const url = await createDatabase('template1')
    await queryServer(
      url,
      `create schema hollow; create function hollow.pg_try_advisory_lock(bigint) returns boolean return true;
       alter database ${new URL(url).pathname.slice(1)} set search_path = hollow, pg_catalog, public`,
    )
    const error = await openServer(url, Date.now).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(DatabaseServerError)
    expect(String(error)).toContain('The advisory locks of this server lock nothing')
    expect(
      await queryServer(url, "select 1 from pg_tables where schemaname in ('public', 'hollow')"),
    ).toEqual([])
  })

  test('sorts all text by its bytes, whatever the collation of the database', async () => {
    const url = await createDatabase()
    const otherCollations = await queryServer(
      url,
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`,
    )
    expect(otherCollations).toEqual([])
  })
})
