import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { type DataChange, statement } from '../src/index.ts'
import { connectTo, createDatabase, queryServer } from './cluster.ts'
import { closeReplicas, openReplica, waitUntil } from './replica.ts'

afterAll(closeReplicas)

/** Opens a replica that collects what it is told. */
const SELECT_SECRET = "select value from instance_secret where name = 'notifications'"
async function openListener(url: string) {
  const { db } = await openReplica(url)
  const changes: DataChange[] = []
  const lines: string[] = []
  const missed: boolean[] = []
  db.onChange((change) => changes.push(change))
  db.onBroadcast((line) => lines.push(line))
  db.onMissedChanges((isRecovered) => missed.push(isRecovered))
  return { db, changes, lines, missed }
}

/** Sends a notification that any user of the database can send. */
const notify = (url: string, payload: string) =>
  queryServer(url, `notify reeve, '${payload.replaceAll("'", "''")}'`)

/** Signs a payload as a process of another version would. */
async function sign(url: string, text: string): Promise<string> {
  const [row] = await queryServer<{ value: string }>(url, SELECT_SECRET)
  return `${createHmac('sha256', String(row?.value)).update(text).digest('base64url')}\n${text}`
}

const change = { kind: 'record', workspaceId: 'w', id: 'r' }

test('an unsigned or wrongly signed notification is not believed: anything may have changed', async () => {
  const url = await createDatabase()
  const { changes, lines, missed } = await openListener(url)
  const forged = JSON.stringify({ by: 'x', change })
  const signed = await sign(url, forged)
  const payloads = [
    '',
    'what',
    'null',
    forged,
    `{"by":"x","line":"[[\\"key\\",1000000,600]]"}`,
    `${'A'.repeat(43)}\n${forged}`,
    signed.replace('"r"', '"s"'),
    signed.slice(1),
  ]
  for (const payload of payloads) await notify(url, payload)
  await waitUntil(() => missed.length === payloads.length)
  expect(missed).toEqual(payloads.map(() => true))
  expect([changes, lines]).toEqual([[], []])
  await notify(url, signed)
  await waitUntil(() => changes.length > 0)
  expect(changes).toEqual([change as DataChange])
})

test('a signed notification of another version is not believed either', async () => {
  const url = await createDatabase()
  const { changes, missed } = await openListener(url)
  const messages = [
    { by: 'x', change: { ...change, kind: 'toString' } },
    { by: 'x', change: { ...change, workspaceId: 7 } },
    { by: 'x', change: { kind: 'record' } },
    { by: 'x', change: { ...change, isDraft: 'yes' } },
    { by: 'x', change: null },
    { by: 'x' },
    { change },
  ]
  for (const message of messages) await notify(url, await sign(url, JSON.stringify(message)))
  await waitUntil(() => missed.length === messages.length)
  expect(changes).toEqual([])
})

test('a listener that cannot apply a change does not end the process', async () => {
  const url = await createDatabase()
  const [one, other] = [await openListener(url), await openListener(url)]
  const unsubscribe = other.db.onChange(() => {
    throw new TypeError('unknown kind')
  })
  await one.db.write(async (tx) => tx.announce(change as DataChange))
  await waitUntil(() => other.missed.length > 0)
  unsubscribe()
  await one.db.write(async (tx) => tx.announce({ ...change, id: 'next' } as DataChange))
  await waitUntil(() => other.changes.some(({ id }) => id === 'next'))
})

test('processes of one database share the secret, and other databases have another', async () => {
  const secrets: string[] = []
  for (const url of [await createDatabase('template1'), await createDatabase('template1')]) {
    await Promise.all([openListener(url), openListener(url)])
    const rows = await queryServer<{ value: string }>(url, SELECT_SECRET)
    expect(rows).toHaveLength(1)
    secrets.push(String(rows[0]?.value))
  }
  expect(secrets[0]).toMatch(/^[\w-]{43}$/)
  expect(secrets[0]).not.toBe(secrets[1] as string)
})

const findHead = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').selectAll().where('workspace_id', '=', p.workspaceId),
)

test('a process is ready while all of its connections for reads wait, and again after its connection was lost', async () => {
  const url = await createDatabase()
  const { db } = await openListener(url)
  const locker = await connectTo(url)
  await locker.query('begin')
  await locker.query('lock table workspace_head in access exclusive mode')
  const reads = Array.from({ length: 8 }, () => db.read.first(findHead, { workspaceId: 'w' }))
  const countWaiting = async () =>
    (await queryServer<{ count: number }>(url, 'select count(*) as count from pg_locks where not granted'))[0]
      ?.count
  await waitUntil(async () => (await countWaiting()) === 3)
  await db.ping()
  await queryServer(url, "select pg_terminate_backend(pid) from pg_stat_activity where query = 'select 1'")
  await db.ping()
  await locker.query('commit')
  await Promise.all(reads)
  await locker.close()
})
