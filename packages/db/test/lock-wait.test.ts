import { afterAll, expect, test } from 'bun:test'
import { sql as rawSql } from 'kysely'
import { type Database, statement } from '../src/index.ts'
import { acquireLockSql, connectTo, createDatabase, queryServer } from './cluster.ts'
import { closeReplicas, openReplica, waitUntil } from './replica.ts'
import { emptyHead, testId } from './scratch.ts'

afterAll(closeReplicas)

const insertHead = statement<{ workspaceId: string }>()((sql, p) =>
  sql.insertInto('workspace_head').values({ ...emptyHead, workspace_id: p.workspaceId }),
)
const addCase = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({ case_number: eb('case_number', '+', eb.lit(1)) }))
    .where('workspace_id', '=', p.workspaceId),
)
const findHead = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').selectAll().where('workspace_id', '=', p.workspaceId),
)
/** A statement that takes four seconds. */
const longStatement = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .select(rawSql`pg_sleep(4)`.as('slept'))
    .where('workspace_id', '=', p.workspaceId),
)

const workspace = { workspaceId: testId(1) }

async function openWorkspace() {
  const url = await createDatabase()
  const { db } = await openReplica(url)
  await db.write((tx) => tx.run(insertHead, workspace))
  return { url, db }
}

const countCases = async (db: Database) => (await db.read.first(findHead, workspace))?.case_number

/** Waits until this number of transactions wait for an advisory lock. */
const waitForWaiting = (url: string, count: number) =>
  waitUntil(async () => {
    const waiting = await queryServer(url, "select from pg_locks where locktype = 'advisory' and not granted")
    return waiting.length === count
  })

test.concurrent('a write waits ten seconds for the lock of its workspace, in this process and on the server together, and is never applied after that', async () => {
  const { url, db } = await openWorkspace()
  const isHolding = Promise.withResolvers<void>()
  const long = db.write(async (tx) => {
    await tx.run(addCase, workspace)
    isHolding.resolve()
    await tx.first(longStatement, workspace)
  })
  await isHolding.promise
  // Another process gets the lock next, and hangs.
  const other = await connectTo(url)
  const hanging = other.query(`begin; ${acquireLockSql(workspace.workspaceId)}`)
  await waitForWaiting(url, 1)
  const startedAt = performance.now()
  const waiting = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const error = await db.write((tx) => tx.run(addCase, workspace)).catch((thrown: unknown) => thrown)
      return { error, ms: performance.now() - startedAt }
    }),
  )
  await Promise.all([long, hanging])
  for (const { error, ms } of waiting) {
    expect(error).toMatchObject({ code: 'unavailable', options: { headers: { 'retry-after': '1' } } })
    expect(ms).toBeLessThan(13_000)
  }
  await other.close()
  await db.write((tx) => tx.run(addCase, workspace))
  expect(await countCases(db)).toBe(2)
}, 60_000)

test.concurrent('a process that hangs inside a transaction does not make writes of other processes fail, and runs it again', async () => {
  const { url, db } = await openWorkspace()
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
  let runs = 0
  const hanging = db.write(async (tx) => {
    runs += 1
    await tx.run(addCase, workspace)
    await resumed
    await tx.run(addCase, workspace)
  })
  await waitUntil(() => runs === 1)
  const { db: other } = await openReplica(url)
  await other.write((tx) => tx.run(addCase, workspace))
  expect(await countCases(other)).toBe(1)
  resume()
  await hanging
  expect(runs).toBe(2)
  expect(await countCases(other)).toBe(3)
}, 60_000)
