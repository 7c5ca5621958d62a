import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql as raw } from 'kysely'
import { type Database, openServer, statement } from '../src/index.ts'
import { connectTo, createDatabase, queryServer } from './cluster.ts'
import { bytes, emptyHead, insertImage, listImages, testId } from './scratch.ts'

const insertHead = statement<{ workspaceId: string; index: number }>()((sql, p) =>
  sql
    .insertInto('workspace_head')
    .values({ ...emptyHead, workspace_id: p.workspaceId, case_number: p.index }),
)
const findHead = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('workspace_head').selectAll().where('workspace_id', '=', p.workspaceId),
)

const divide = statement<{ workspaceId: string; by: number }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .select(raw<number>`1 / ${p.by}::int`.as('part'))
    .where('workspace_id', '=', p.workspaceId),
)

const ROW_COUNT = 300
let url: string
let db: Database

beforeAll(async () => {
  url = await createDatabase()
  db = (await openServer(url, { now: Date.now })).database
  await db.write(async (tx) => {
    for (let index = 0; index < ROW_COUNT; index++)
      await tx.run(insertHead, { workspaceId: testId(index), index })
  })
})
afterAll(() => db.close())

/** Runs a lookup for each row concurrently. @returns the results in the order of the rows */
const findAllAtOnce = () =>
  Promise.all(
    Array.from({ length: ROW_COUNT }, async (_, index) => {
      const row = await db.read.first(findHead, { workspaceId: testId(index) })
      return row?.case_number
    }),
  )
const expected = Array.from({ length: ROW_COUNT }, (_, index) => index)

describe('lookups', () => {
  test('on a shared connection get their own results', async () => {
    expect(await findAllAtOnce()).toEqual(expected)
  })

  test('that fail do not affect others in the pipeline', async () => {
    const failing = [0, 1, 0, 0, 1].map((by) =>
      db.read.all(divide, { workspaceId: testId(7), by }).then(
        ([row]) => row?.part,
        (error: Error) => error.message,
      ),
    )
    expect(await findAllAtOnce()).toEqual(expected)
    const divisionError = 'division by zero'
    expect(await Promise.all(failing)).toEqual([divisionError, 1, divisionError, divisionError, 1])
  })

  test('do not wait for other reads', async () => {
    await db.write((tx) => tx.run(insertImage, { hash: 'slow', bytes }))
    const locker = await connectTo(url)
    await locker.query('begin')
    await locker.query('lock table media in access exclusive mode')
    let done = 0
    const slow = Array.from({ length: 20 }, () =>
      db.read.all(listImages, {}).then((rows) => {
        done += 1
        return rows
      }),
    )
    expect(await findAllAtOnce()).toEqual(expected)
    expect(done).toBe(0)
    await locker.query('commit')
    await locker.close()
    expect(await Promise.all(slow)).toEqual(Array(20).fill([{ hash: 'slow' }]))
  })

  test('are retried when all their connections are lost', async () => {
    const locker = await connectTo(url)
    await locker.query('begin')
    await locker.query('lock table workspace_head in access exclusive mode')
    const waiting = findAllAtOnce()
    const otherConnections =
      'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    // Wait until a lookup on each shared connection is blocked.
    const countBlocked = async () =>
      (await queryServer(url, `select pid ${otherConnections} and wait_event_type = 'Lock'`)).length
    while ((await countBlocked()) < 3) await new Promise((resolve) => setImmediate(resolve))
    await queryServer(
      url,
      `select pg_terminate_backend(pid) ${otherConnections} and wait_event_type = 'Lock'`,
    )
    await locker.query('commit')
    await locker.close()
    expect(await waiting).toEqual(expected)
  })

  test('are prepared again after a newer version has changed their table', async () => {
    await queryServer(url, 'alter table workspace_head add column newer text')
    expect(await findAllAtOnce()).toEqual(expected)
    expect(await db.read.first(findHead, { workspaceId: testId(7) })).toMatchObject({ newer: null })
  })
})
