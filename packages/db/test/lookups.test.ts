import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql as raw } from 'kysely'
import { type Database, openServer, statement } from '../src/index.ts'
import { askServer, connectTo, newDatabase } from './cluster.ts'
import { addMedia, allMedia, bytes } from './scratch.ts'

const openHead = statement<{ workspaceId: string; at: number }>()((sql, p) =>
  sql
    .insertInto('workspace_head')
    .values({ workspace_id: p.workspaceId, case_number: p.at, audit_sequence: 0, audit_hash: '' }),
)
const lookUp = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('workspace_head').selectAll().where('workspace_id', '=', p.workspaceId),
)

const divide = statement<{ workspaceId: string; by: number }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .select(raw<number>`1 / ${p.by}::int`.as('part'))
    .where('workspace_id', '=', p.workspaceId),
)

const MANY = 300
let url: string
let db: Database

beforeAll(async () => {
  url = await newDatabase()
  db = (await openServer(url, Date.now)).database
  await db.write(async (tx) => {
    for (let at = 0; at < MANY; at++) await tx.run(openHead, { workspaceId: `w${at}`, at })
  })
})
afterAll(() => db.close())

/** As many lookups at the same time as there are rows; each of them in its place. */
const allAtOnce = () =>
  Promise.all(
    Array.from({ length: MANY }, async (_, at) => {
      const found = await db.read.first(lookUp, { workspaceId: `w${at}` })
      return found?.case_number
    }),
  )
const each = Array.from({ length: MANY }, (_, at) => at)

describe('lookups', () => {
  test('that share a connection are each given their own answer', async () => {
    expect(await allAtOnce()).toEqual(each)
  })

  test('that fail spoil none of those sent with them', async () => {
    const failing = [0, 1, 0, 0, 1].map((by) =>
      db.read.all(divide, { workspaceId: 'w7', by }).then(
        ([row]) => row?.part,
        (error: Error) => error.message,
      ),
    )
    expect(await allAtOnce()).toEqual(each)
    const no = 'division by zero'
    expect(await Promise.all(failing)).toEqual([no, 1, no, no, 1])
  })

  test('go on where every other read waits', async () => {
    await db.write((tx) => tx.run(addMedia, { hash: 'slow', bytes }))
    const holder = await connectTo(url)
    await holder.ask('begin')
    await holder.ask('lock table media in access exclusive mode')
    let done = 0
    const slow = Array.from({ length: 20 }, () =>
      db.read.all(allMedia, {}).then((rows) => {
        done += 1
        return rows
      }),
    )
    expect(await allAtOnce()).toEqual(each)
    expect(done).toBe(0)
    await holder.ask('commit')
    await holder.close()
    expect(await Promise.all(slow)).toEqual(Array(20).fill([{ hash: 'slow' }]))
  })

  test('are sent once more where their connections break, all of them and while they wait', async () => {
    const holder = await connectTo(url)
    await holder.ask('begin')
    await holder.ask('lock table workspace_head in access exclusive mode')
    const waiting = allAtOnce()
    const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    // Until each of the shared connections has one that waits for the lock.
    const held = async () =>
      (await askServer(url, `select pid ${others} and wait_event_type = 'Lock'`)).length
    while ((await held()) < 3) await new Promise((resolve) => setImmediate(resolve))
    await askServer(url, `select pg_terminate_backend(pid) ${others} and wait_event_type = 'Lock'`)
    await holder.ask('commit')
    await holder.close()
    expect(await waiting).toEqual(each)
  })

  test('are prepared anew where a newer version has changed their table', async () => {
    await askServer(url, 'alter table workspace_head add column newer text')
    expect(await allAtOnce()).toEqual(each)
    expect(await db.read.first(lookUp, { workspaceId: 'w7' })).toMatchObject({ newer: null })
  })
})
