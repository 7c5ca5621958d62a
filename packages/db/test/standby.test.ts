import { expect, test } from 'bun:test'
import { Client } from 'pg'
import { closeReplicas, openReplica, waitUntil } from './replica.ts'
import { bytes, insertImage, listImages, testId } from './scratch.ts'
import { startServerProcess } from './server-process.ts'

/** Heartbeats without a listener, each of which tries to connect one. */
const MISSED_HEARTBEATS = 8

test('while the server is a standby, reads and the history continue without more connections, and everything once it is promoted', async () => {
  const server = startServerProcess(false)
  const url = server.getUrl('postgres')
  const { db } = await openReplica(url)
  const query = async <Row>(sql: string): Promise<Row[]> => {
    const client = new Client(url)
    await client.connect()
    const { rows } = await client.query(sql)
    await client.end()
    return rows
  }
  const countSessions = async () =>
    (await query(`select 1 from pg_stat_activity where backend_type = 'client backend'`)).length
  const write = (hash: string) => db.write((tx) => tx.run(insertImage, { hash, bytes }))
  await write('before')
  const history = await db.readHistoryId()
  const sessions = await countSessions()
  const gaps: boolean[] = []
  db.onMissedChanges((isOver) => gaps.push(isOver))
  const received: string[] = []
  db.onChange(({ id }) => received.push(id))

  server.crash()
  server.restartAsStandby()
  await waitUntil(() => gaps.length >= MISSED_HEARTBEATS)
  expect(await db.read.all(listImages, {})).toEqual([{ hash: 'before' }])
  expect(await db.readHistoryId()).toBe(history)
  await expect(write('during')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await countSessions()).toBeLessThanOrEqual(sessions + 1)

  await query('select pg_promote()')
  await waitUntil(() => gaps.includes(true))
  await write('after')
  await db.write(async (tx) => tx.announce({ kind: 'role', workspaceId: testId(1), id: 'role' }))
  await waitUntil(() => received.includes('role'))
  await closeReplicas()
}, 120_000)
