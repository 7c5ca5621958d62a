import { afterAll, describe, expect, test } from 'bun:test'
import { createDatabase, queryServer } from './cluster.ts'
import { createFaultProxy } from './proxy.ts'
import { closeReplicas, OTHER_CONNECTIONS, openReplica, waitUntil } from './replica.ts'
import { bytes, insertImage, listImages, testId } from './scratch.ts'

afterAll(closeReplicas)

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
