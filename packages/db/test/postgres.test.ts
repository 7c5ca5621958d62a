import { afterAll, describe, expect, test } from 'bun:test'
import {
  DatabaseServerError,
  type DataChange,
  NewerSchemaError,
  openServer,
  statement,
} from '../src/index.ts'
import { migrations } from '../src/migrations/index.ts'
import { acquireLockSql, connectTo, createDatabase, queryServer } from './cluster.ts'
import { closeReplicas, OTHER_CONNECTIONS, openReplica, waitUntil } from './replica.ts'
import { emptyHead, testId } from './scratch.ts'

afterAll(closeReplicas)

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

  test('never deadlock over locks, in whatever order transactions need them', async () => {
    const url = await createDatabase()
    const open = async () => (await openServer(url, { now: Date.now })).database
    const [one, other] = [await open(), await open()]
    const instance = { workspaceId: '' }
    const orders = [
      [instance, { workspaceId: testId(1) }],
      [{ workspaceId: testId(1) }, { workspaceId: testId(2) }],
    ] as const
    for (const [first, second] of orders) {
      let started = 0
      const readBoth = (db: typeof one, ...needed: readonly { workspaceId: string }[]) =>
        db.write(async (tx) => {
          for (const params of needed) {
            await tx.first(findHead, params)
            started += 1
            await waitUntil(() => started >= 2)
          }
          return needed.length
        })
      expect(await Promise.all([readBoth(one, first, second), readBoth(other, second, first)])).toEqual([
        2, 2,
      ])
    }
    // The statistics of a connection are complete when it is closed.
    await Promise.all([one.close(), other.close()])
    const deadlocks = 'select deadlocks::int from pg_stat_database where datname = current_database()'
    expect(await queryServer<object>(url, deadlocks)).toEqual([{ deadlocks: 0 }])
  })

  test('take the locks of a transaction that needs them in another order first, and run it again', async () => {
    const { db } = await openReplica(await createDatabase())
    const { promise: blocked, resolve: release } = Promise.withResolvers<void>()
    const isHolding = Promise.withResolvers<void>()
    const holder = db.write(async (tx) => {
      await tx.first(findHead, { workspaceId: '' })
      isHolding.resolve()
      await blocked
    })
    await isHolding.promise
    const runs: string[] = []
    const write = db.write(async (tx) => {
      runs.push('started')
      await tx.run(insertHead, { workspaceId: testId(1) })
      // An error that the function handles must not hide that it has to run again.
      await tx.first(findHead, { workspaceId: '' }).catch(() => runs.push('caught'))
      await tx.run(setCaseNumber, { workspaceId: testId(1), to: runs.length })
    })
    await waitUntil(() => runs.includes('caught'))
    // The workspace is not locked meanwhile.
    await db.write((tx) => tx.first(findHead, { workspaceId: testId(1) }))
    release()
    await Promise.all([holder, write])
    expect(runs).toEqual(['started', 'caught', 'started'])
    expect(await db.read.first(findHead, { workspaceId: testId(1) })).toMatchObject({ case_number: 3 })
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
    await one.db.write(async (tx) => {
      for (const each of many) tx.announce(each)
    })
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

describe('a server', () => {
  test('that cannot be reached is reported with its host and setting, without the password', async () => {
    const error = await openServer('postgres://reeve:hush@127.0.0.1:9/reeve', { now: Date.now }).catch(
      (one) => one,
    )
    expect(error).toBeInstanceOf(DatabaseServerError)
    expect(error.message).toMatch(
      /^The database reeve at 127\.0\.0\.1:9 cannot be opened: .*REEVE_DATABASE_URL/,
    )
    expect(error.message).not.toContain('hush')
  })

  test('with a database of a newer version is rejected', async () => {
    const url = await createDatabase()
    await queryServer(url, "insert into migration values ('9999-future', 0)")
    const error = await openServer(url, { now: Date.now }).catch((one) => one)
    expect(error).toBeInstanceOf(NewerSchemaError)
    expect(await queryServer(url, `select pid ${OTHER_CONNECTIONS}`)).toEqual([])
  })

  test('whose advisory locks do not work is rejected and left unchanged', async () => {
    const url = await createDatabase('template1')
    await queryServer(
      url,
      `create schema hollow; create function hollow.pg_try_advisory_lock(bigint) returns boolean return true;
       alter database ${new URL(url).pathname.slice(1)} set search_path = hollow, pg_catalog, public`,
    )
    const error = await openServer(url, { now: Date.now }).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(DatabaseServerError)
    expect(String(error)).toContain('The advisory locks of this server lock nothing')
    expect(
      await queryServer(url, "select 1 from pg_tables where schemaname in ('public', 'hollow')"),
    ).toEqual([])
  })

  test.each(['statement_timeout', 'lock_timeout'])(
    'whose default %s is short is opened after a longer wait for a process that migrates',
    async (setting) => {
      const url = await createDatabase()
      const migrating = await connectTo(url)
      await migrating.query(`begin; ${acquireLockSql('migrations')}`)
      await queryServer(url, `alter database ${new URL(url).pathname.slice(1)} set ${setting} = '200ms'`)
      const opened = openReplica(url)
      const longWaits =
        "select from pg_locks where not granted and waitstart < clock_timestamp() - interval '400 milliseconds'"
      await Promise.race([opened, waitUntil(async () => (await queryServer(url, longWaits)).length > 0)])
      await migrating.close()
      const { db } = await opened
      expect(await db.read.first(findHead, { workspaceId: testId(1) })).toBeUndefined()
    },
  )

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
