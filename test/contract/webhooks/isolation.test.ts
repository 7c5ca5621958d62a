import { afterEach, beforeEach, expect, test } from 'bun:test'
import { AppError, HOUR_MS } from '@reeve/core'
import type { Database } from '@reeve/db'
import { damageRows, failStatements } from '../../support/damaged-rows.ts'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { usePostgres } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

/** Creating them takes ten times as long on PostgreSQL. */
const PENDING = usePostgres ? 1000 : 10_000
/** How many requests create them at once. */
const CREATED_AT_ONCE = 500
const LIVE = 20

/** How often a receiver is tried before it gets one request at a time with pauses: five failures, while three more are in progress. */
const MAX_QUICK_ATTEMPTS = 8

/** More than are looked at in a round. */
const DEAD_WORKSPACES = 4
const DEAD_PER_WORKSPACE = 20

let instance: Instance
beforeEach(async () => {
  instance = await openInstance()
})
afterEach(() => instance.close())

test(`${PENDING.toLocaleString('en')} deliveries each to receivers that hang and that refuse connections delay no other receiver, of any workspace`, async () => {
  const hanging = startReceiver(() => new Promise<Response>(() => {}))
  const live = startReceiver()
  const refusing = startReceiver()
  refusing.stop()
  const workspace = createWebhookCaller(instance, await instance.workspace())
  const other = createWebhookCaller(instance, await instance.workspace())
  const dead = [
    (await workspace.create(hanging.url, 'record.created')).webhook.id,
    (await workspace.create(refusing.url, 'record.created')).webhook.id,
  ]
  await workspace.create(live.url, 'ban.created')
  await other.create(live.url, 'ban.created')
  const moderate = (caller: typeof workspace, action: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        caller.moderate({ action, userId: String(index + 1), reason: 'Exploiting' }),
      ),
    )
  for (let created = 0; created < PENDING; created += CREATED_AT_ONCE)
    await moderate(workspace, 'note', CREATED_AT_ONCE)
  const shutdown = new AbortController()
  const runner = openDeliveries(instance)
  const running = runner.run(shutdown.signal)
  await hanging.waitFor(1)
  const bans = [...(await moderate(workspace, 'ban', LIVE)), ...(await moderate(other, 'ban', LIVE))]
  await live.waitFor(bans.length)
  expect(live.received.map(({ body }) => body.data.record.id).sort()).toEqual(bans.map(({ id }) => id).sort())
  // It waited for no attempt at the one that hangs, whose four requests have no response, and for few at the other one.
  expect(hanging.received.length).toBeLessThanOrEqual(4)
  const failed = runner.attempts.filter(({ isSuccess }) => !isSuccess)
  expect(failed.map(({ error }) => error)).not.toContain('There was no response within 15 seconds.')
  expect(failed.length).toBeLessThanOrEqual(MAX_QUICK_ATTEMPTS)
  const rows = await instance.storage.query<{ target_id: string; count: number }>(
    'select target_id, cast(count(*) as integer) as count from delivery where done_at is null group by target_id',
  )
  const waiting = new Map(rows.map((row) => [row.target_id, Number(row.count)]))
  expect(dead.map((id) => waiting.get(id))).toEqual(dead.map(() => PENDING + LIVE))
  shutdown.abort()
  hanging.stop()
  await running
  expect(instance.unexpectedErrors).toEqual([])
  live.stop()
}, 120_000)

test('many receivers that keep failing and then hang do not delay the retry to another one that has waited less long', async () => {
  const dead = startReceiver(() => new Response('down', { status: 500 }))
  const live = startReceiver(() => new Response('later', { status: 503, headers: { 'retry-after': '900' } }))
  const openWorkspace = async (url: string, webhooks: number) => {
    const workspace = createWebhookCaller(instance, await instance.workspace())
    for (let count = 0; count < webhooks; count += 1) await workspace.create(url, 'record.created')
    return (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          workspace.moderate({ action: 'note', userId: String(index), reason: 'Exploiting' }),
        ),
      )
  }
  const noteInLive = await openWorkspace(live.url, 1)
  for (let count = 0; count < DEAD_WORKSPACES; count += 1) {
    const note = await openWorkspace(dead.url, DEAD_PER_WORKSPACE)
    // One more than are sent at once: from then on, it gets one request at a time.
    await note(5)
  }
  await noteInLive(1)
  await openDeliveries(instance).sendAllDue()
  instance.clock.advance(HOUR_MS)
  dead.respondWith(() => new Promise<Response>(() => {}))
  live.respondWith(() => new Response('ok'))
  const shutdown = new AbortController()
  const runner = openDeliveries(instance)
  const running = runner.run(shutdown.signal)
  await live.waitFor(2)
  expect(runner.attempts.map(({ error }) => error).filter((error) => error !== null)).toEqual([])
  shutdown.abort()
  dead.stop()
  await running
  expect(instance.unexpectedErrors).toEqual([])
  live.stop()
}, 120_000)

test('a workspace whose events cannot be stored delays those of no other, and is tried again', async () => {
  const live = startReceiver()
  const workspaces = [await instance.workspace(), await instance.workspace()]
  for (const workspace of workspaces)
    await createWebhookCaller(instance, workspace).create(live.url, 'ban.created')
  const [damaged, other] = workspaces as [(typeof workspaces)[0], (typeof workspaces)[0]]
  const ban = (workspace: typeof damaged) =>
    createWebhookCaller(instance, workspace).moderate({ action: 'ban', userId: '1', reason: 'Exploiting' })
  await ban(damaged)
  await ban(other)
  const repair = await damageRows(instance, 'insert', 'delivery', damaged.id)
  const shutdown = new AbortController()
  const running = openDeliveries(instance).run(shutdown.signal)
  await live.waitFor(1)
  expect(live.received.map(({ body }) => body.data.workspaceId)).toEqual([other.id])
  await repair()
  await createWebhookCaller(instance, damaged).moderate({ action: 'note', userId: '1', reason: 'Seen' })
  await live.waitFor(2)
  expect(live.received.map(({ body }) => body.data.workspaceId)).toEqual([other.id, damaged.id])
  shutdown.abort()
  await running
  // It is reported at the end of a round, which can be after the first delivery.
  expect(instance.unexpectedErrors.map(String)).toEqual([expect.stringContaining(damaged.id)])
  live.stop()
}, 60_000)

test('workspaces whose statements always time out delay no event and no retry of another', async () => {
  const live = startReceiver(() => new Response('down', { status: 500 }))
  // More than fail in a row before the rest of a round is left out.
  const failing: Awaited<ReturnType<Instance['workspace']>>[] = []
  for (let count = 0; count < 4; count += 1) failing.push(await instance.workspace())
  const other = await instance.workspace()
  const callers = [...failing, other].map((workspace) => createWebhookCaller(instance, workspace))
  for (const caller of callers) await caller.create(live.url, 'ban.created')
  const ban = { action: 'ban', userId: '1', reason: 'Exploiting' }
  await createWebhookCaller(instance, other).moderate(ban)
  await openDeliveries(instance).sendAllDue()
  instance.clock.advance(HOUR_MS)
  live.respondWith(() => new Response('ok'))
  for (const caller of callers) await caller.moderate(ban)
  const failingIds = new Set(failing.map(({ id }) => id))
  const shutdown = new AbortController()
  const db = failStatements(instance.db, (id) => failingIds.has(id))
  const running = openDeliveries({ ...instance, db }).run(shutdown.signal)
  // The first attempt, its retry, and the new event.
  await live.waitFor(3)
  failingIds.clear()
  for (const caller of callers) await caller.moderate({ action: 'note', userId: '1', reason: 'Seen' })
  await live.waitFor(callers.length + 2)
  expect(live.received.map(({ body }) => body.data.workspaceId)).toEqual([
    ...Array(3).fill(other.id),
    ...failing.map(() => expect.any(String)),
  ])
  shutdown.abort()
  await running
  const ids = failing.map(({ id }) => id)
  for (const error of instance.unexpectedErrors)
    expect(ids.some((id) => String(error).includes(id))).toBe(true)
  live.stop()
}, 60_000)

test('a workspace whose statements always time out is not tried again for each event of another, and is reported', async () => {
  const EVENTS = 5
  const live = startReceiver()
  const [slow, other] = [await instance.workspace(), await instance.workspace()]
  for (const workspace of [slow, other])
    await createWebhookCaller(instance, workspace).create(live.url, 'ban.created')
  let attempts = 0
  const db = failStatements(instance.db, (id) => {
    if (id === slow.id) attempts += 1
    return id === slow.id
  })
  const shutdown = new AbortController()
  const running = openDeliveries({ ...instance, db }).run(shutdown.signal)
  for (let count = 1; count <= EVENTS; count += 1) {
    const ban = { action: 'ban', userId: String(count), reason: 'Exploiting' }
    await createWebhookCaller(instance, other).moderate(ban)
    await live.waitFor(count)
  }
  // At the start, and with the first event.
  expect(attempts).toBeLessThanOrEqual(2)
  shutdown.abort()
  await running
  expect(instance.unexpectedErrors.map(String)).toEqual([expect.stringContaining(slow.id)])
  live.stop()
}, 60_000)

test('events are sent soon after the database was not available for a moment', async () => {
  const live = startReceiver()
  const workspaces = [await instance.workspace(), await instance.workspace()]
  const callers = workspaces.map((workspace) => createWebhookCaller(instance, workspace))
  for (const caller of callers) await caller.create(live.url, 'ban.created')
  const ban = async (userId: string) => {
    for (const caller of callers) await caller.moderate({ action: 'ban', userId, reason: 'Exploiting' })
  }
  const { db } = instance
  let isAvailable = true
  const first: Database['read']['first'] = async (statement, params) => {
    // Not a read of all workspaces, which is repeated anyway.
    if (isAvailable || !('workspaceId' in (params as object))) return db.read.first(statement, params)
    isAvailable = true
    throw new AppError('unavailable')
  }
  const shutdown = new AbortController()
  const { run } = openDeliveries({ ...instance, db: { ...db, read: { ...db.read, first } } })
  const running = run(shutdown.signal)
  await ban('1')
  await live.waitFor(2)
  isAvailable = false
  await ban('2')
  // Before the next poll, after 15 seconds.
  await live.waitFor(4)
  expect(isAvailable).toBe(true)
  shutdown.abort()
  await running
  live.stop()
}, 10_000)
