import { afterAll, describe, expect, test } from 'bun:test'
import { Client } from 'pg'
import type { Database, Transaction } from '../src/index.ts'
import { createDatabase, queryServer } from './cluster.ts'
import { createFaultProxy } from './proxy.ts'
import { closeReplicas, OTHER_CONNECTIONS, openReplica, waitUntil } from './replica.ts'
import { bytes, insertImage, listImages, testId } from './scratch.ts'

afterAll(closeReplicas)

/** Commits that insert an image wait for a lock. */
const WAITING_COMMITS = `
  create function wait_for_lock() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
  create constraint trigger wait_for_lock after insert on media deferrable initially deferred
    for each row execute function wait_for_lock()`

describe('a lost connection', () => {
  test('is replaced: reads and writes continue, and listeners learn of missed changes', async () => {
    const url = await createDatabase()
    const { db } = await openReplica(url)
    const gaps: boolean[] = []
    db.onMissedChanges((isOver) => gaps.push(isOver))
    await db.write((tx) => tx.run(insertImage, { hash: 'before', bytes }))
    await queryServer(url, `select pg_terminate_backend(pid) ${OTHER_CONNECTIONS}`)
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
    await queryServer(url, `select pg_terminate_backend(pid) ${OTHER_CONNECTIONS}`)
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
      await queryServer(
        url,
        `select pg_terminate_backend(pid) ${OTHER_CONNECTIONS} and state like 'idle in%'`,
      )
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

  test('during the commit announces its changes to this process, at once and when the server has made them', async () => {
    const url = await createDatabase()
    const proxy = createFaultProxy(url)
    const { db } = await openReplica(proxy.url)
    const holder = new Client(url)
    await holder.connect()
    await holder.query(WAITING_COMMITS)
    await holder.query('select pg_advisory_lock(1)')
    const received: string[] = []
    const gaps: boolean[] = []
    db.onChange(({ id }) => received.push(id))
    db.onMissedChanges((isOver) => gaps.push(isOver))
    proxy.cutAfter('commit\0')
    const failure = await db
      .write(async (tx) => {
        await tx.run(insertImage, { hash: 'unconfirmed', bytes })
        tx.announce({ kind: 'api_key', workspaceId: testId(1), id: 'revoked' })
      })
      .catch((error: unknown) => error)
    proxy.cutAfter(null)
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(received).toEqual(['revoked'])
    await holder.end()
    await waitUntil(() => received.length === 2)
    expect({ received, gaps }).toEqual({ received: ['revoked', 'revoked'], gaps: [] })
  })
})

describe('a server that stops responding', () => {
  test('causes timeouts, and everything works once it is back', async () => {
    const proxy = createFaultProxy(await createDatabase())
    const { db } = await openReplica(`${proxy.url}?query_timeout=3000`)
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

describe('a server that accepts only reads', () => {
  /** Applies to new connections. */
  const setReadOnly = (url: string, value: 'on' | 'off') => {
    const database = new URL(url).pathname.slice(1)
    const setting = `alter database ${database} set default_transaction_read_only = ${value}`
    return queryServer(url, `begin read write; ${setting}; commit`)
  }
  /** Ends the connections of a database, and waits until it writes on a new one: it learns that the old ones have ended a moment later. */
  async function replaceConnections(db: Database, url: string): Promise<void> {
    await queryServer(url, `select pg_terminate_backend(pid) ${OTHER_CONNECTIONS}`)
    await waitUntil(() =>
      db
        .write((tx) => tx.all(listImages, {}))
        .then(
          () => true,
          () => false,
        ),
    )
  }

  const kinds = ['run', 'send', 'announce'] as const
  const writes: Record<(typeof kinds)[number], (tx: Transaction, hash: string) => Promise<unknown>> = {
    run: (tx, hash) => tx.run(insertImage, { hash, bytes }),
    send: (tx, hash) => tx.send(insertImage, { hash, bytes }),
    async announce(tx, hash) {
      await tx.send(insertImage, { hash, bytes })
      tx.announce({ kind: 'role', workspaceId: testId(1), id: 'r' })
    },
  }

  test.each(kinds)('rejects writes with `%s` as unavailable, and reads continue', async (kind) => {
    const url = await createDatabase()
    const { db } = await openReplica(url)
    await setReadOnly(url, 'on')
    await replaceConnections(db, url)
    const failure = await db.write((tx) => writes[kind](tx, 'rejected')).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'unavailable', options: { headers: { 'retry-after': '1' } } })
    expect(String(failure)).not.toContain('may or may not have been applied')
    expect(await db.read.all(listImages, {})).toEqual([])
  })

  test.each(kinds)('is left by writes with `%s` once a new connection leads to another one', async (kind) => {
    const url = await createDatabase()
    const { db } = await openReplica(url)
    await setReadOnly(url, 'on')
    // The new connection stays read-only.
    await replaceConnections(db, url)
    await setReadOnly(url, 'off')
    await db.write((tx) => writes[kind](tx, 'written'))
    expect(await db.read.all(listImages, {})).toEqual([{ hash: 'written' }])
  })
})
