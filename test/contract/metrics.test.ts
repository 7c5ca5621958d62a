import { afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { createTestStorage, usePostgres } from '../support/engine.ts'
import { createRandomPng, dataUrl } from '../support/images.ts'
import { type Instance, openInstance, PASSWORD } from '../support/instance.ts'
import { startStreamServer } from '../support/live-stream.ts'
import { METRICS_TOKEN, readSeries, runPromtool } from '../support/metrics.ts'
import { holdWrites } from '../support/write-queue.ts'
import { archiveWorkspace, createWorkspaceRequests } from './workspaces/fixture.ts'

let instance: Instance
beforeEach(async () => {
  instance = await openInstance({ finishesJobs: false })
})
afterEach(() => instance.close())

const readMetrics = async (of = instance): Promise<string> =>
  (await of.request('GET', '/metrics', { key: METRICS_TOKEN })).text
/** The current value of a series. */
const read = async (series: string): Promise<number | null> => readSeries(await readMetrics(), series)

test('responses are counted by method, route pattern and status code', async () => {
  const { id, key } = await instance.workspace()
  const count = (code: number) =>
    read(`reeve_http_responses_total{method="GET",route="/api/departments",code="${code}"}`)
  for (const one of [key, key, 'wrong'])
    await instance.request('GET', `/api/departments?workspaceId=${id}`, { key: one })
  expect([await count(200), await count(401), await count(500)]).toEqual([2, 1, null])
  await instance.request('GET', '/made-up-path')
  expect(await read('reeve_http_responses_total{method="GET",route="none",code="404"}')).toBe(1)
})

test('a server error is counted as a failure', async () => {
  const { id, key } = await instance.workspace()
  expect(await read('reeve_failures_total')).toBe(0)
  await instance.storage.query('alter table department rename to lost')
  const body = { workspaceId: id, name: 'Trainers' }
  const { status } = await instance.request('POST', '/api/departments', { key, body })
  expect([status, await read('reeve_failures_total')]).toEqual([500, 1])
})

test('attempts to sign in are counted by result', async () => {
  const readResults = async () => {
    const text = await readMetrics()
    return ['succeeded', 'failed', 'rate_limited'].map((result) =>
      readSeries(text, `reeve_sign_ins_total{result="${result}"}`),
    )
  }
  await instance.account('Robin')
  const signIn = (body: object) => instance.request('POST', '/portal/api/sign-in', { body })
  expect(await readResults()).toEqual([0, 0, 0])
  await signIn({ username: 'Robin', password: PASSWORD })
  await signIn({ username: 'Robin', password: 'not the password' })
  await signIn({ username: 'Robin' })
  expect(await readResults()).toEqual([1, 1, 0])
  for (let failure = 0; failure < 11; failure++) await signIn({ username: 'nobody', password: 'wrong' })
  expect(await readResults()).toEqual([1, 11, 1])
}, 60_000)

test('the start of the process stays the same when the clock of the machine is corrected', async () => {
  const started = await read('process_start_time_seconds')
  expect(Math.abs((started ?? 0) - (Date.now() / 1000 - process.uptime()))).toBeLessThan(2)
  setSystemTime(Date.now() + 90_000)
  try {
    expect(await read('process_start_time_seconds')).toBe(started)
  } finally {
    setSystemTime()
  }
})

test('open live streams are counted', async () => {
  const { id, ownerSession } = await instance.workspace()
  const server = startStreamServer(instance)
  expect(await read('reeve_live_streams')).toBe(0)
  const stream = await server.openStream(id, ownerSession)
  await server.openStream(id, ownerSession)
  expect(await read('reeve_live_streams')).toBe(2)
  await stream.close()
  while ((await read('reeve_live_streams')) !== 1);
  await server.close()
})

test('writes that wait are counted', async () => {
  const { id, key } = await instance.workspace()
  expect(await read('reeve_writes_waiting')).toBe(0)
  const held = await holdWrites(instance.db, id)
  const before = (await read('reeve_writes_waiting')) ?? 0
  const writes = ['A', 'B', 'C'].map((name) =>
    instance.request('POST', '/api/departments', { key, body: { workspaceId: id, name } }),
  )
  await held.untilWaiting(3)
  expect(await read('reeve_writes_waiting')).toBe(before + 3)
  await held.release()
  await Promise.all(writes)
  expect(await read('reeve_writes_waiting')).toBe(0)
})

test('the size of the database grows with its data, on SQLite that of the WAL before its checkpoint', async () => {
  const { id, key } = await instance.workspace()
  const size = usePostgres ? 'reeve_database_size_bytes' : 'reeve_wal_size_bytes'
  const before = (await read(size)) ?? 0
  // Random bytes, because PostgreSQL compresses.
  const image = createRandomPng(1_000_000)
  const body = {
    workspaceId: id,
    title: 'A',
    scheduledFor: '2030-01-01T00:00:00Z',
    imageDataUrl: dataUrl(image),
  }
  expect((await instance.request('POST', '/api/events', { key, body })).status).toBe(200)
  expect(await read(size)).toBeGreaterThan(before + 900_000)
  expect(await read('reeve_database_size_bytes')).toBeGreaterThan(0)
})

describe('jobs of workspaces', () => {
  const readJobs = async () => {
    const text = await readMetrics()
    const finished = (result: string) =>
      readSeries(text, `reeve_workspace_job_duration_seconds_count{kind="copy",result="${result}"}`)
    return {
      queued: readSeries(text, 'reeve_workspace_jobs{state="queued"}'),
      running: readSeries(text, 'reeve_workspace_jobs{state="running"}'),
      succeeded: finished('succeeded'),
      failed: finished('failed'),
    }
  }

  test('are counted while they are queued, and when they have succeeded or failed', async () => {
    const workspace = await instance.workspace()
    const archive = await archiveWorkspace(instance, workspace)
    const { workspaces, removeMember } = createWorkspaceRequests(instance, workspace)
    const { session, accountId } = await instance.member(workspace.id, permissions)
    await workspaces({ fromArchive: archive.id }, { session: workspace.ownerSession })
    expect(await readJobs()).toEqual({ queued: 1, running: 0, succeeded: 0, failed: 0 })
    await instance.runJobs()
    expect(await readJobs()).toEqual({ queued: 0, running: 0, succeeded: 1, failed: 0 })
    await workspaces({ fromArchive: archive.id }, { session })
    await removeMember(accountId)
    await instance.runJobs()
    expect(await readJobs()).toEqual({ queued: 0, running: 0, succeeded: 1, failed: 1 })
  })

  test('are counted while they run', async () => {
    const workspace = await instance.workspace()
    await createWorkspaceRequests(instance, workspace).workspaces(
      { id: workspace.id, archive: 'true' },
      { session: workspace.ownerSession },
    )
    await instance.storage.query("update workspace_job set state = 'running' where state = 'queued'")
    expect(await readJobs()).toMatchObject({ queued: 0, running: 1 })
  })
})

test('promtool accepts the whole exposition', async () => {
  const { id, key } = await instance.workspace()
  await instance.request('GET', `/api/departments?workspaceId=${id}`, { key })
  const text = await readMetrics()
  expect(readSeries(text, 'reeve_ready')).toBe(1)
  expect(await runPromtool(['check', 'metrics'], text)).toEqual({ exitCode: 0, output: '' })
  const [engine, other] = usePostgres ? ['PostgreSQL', 'SQLite'] : ['SQLite', 'PostgreSQL']
  expect(text).toContain(`reeve_database_info{engine="${engine}",version="`)
  expect(text).not.toContain(`engine="${other}"`)
  expect(text).toContain(usePostgres ? 'reeve_postgres_' : 'reeve_wal_')
  expect(text).not.toContain(usePostgres ? 'reeve_wal_' : 'reeve_postgres_')
})

describe.if(usePostgres)('on PostgreSQL', () => {
  test('connections are counted by pool, with the requests that wait for one', async () => {
    const workspaces = await Promise.all(Array.from({ length: 8 }, () => instance.workspace()))
    const [workspace] = workspaces
    await instance.request('GET', `/api/departments?workspaceId=${workspace?.id}`, {
      key: workspace?.key ?? '',
    })
    const text = await readMetrics()
    expect(readSeries(text, 'reeve_postgres_connections{pool="lookups"}')).toBeGreaterThan(0)
    expect(readSeries(text, 'reeve_postgres_connections_in_use{pool="writes"}')).toBe(0)
    const max = readSeries(text, 'reeve_postgres_connections_max{pool="writes"}') ?? 0
    const held = await Promise.all(workspaces.slice(0, max).map(({ id }) => holdWrites(instance.db, id)))
    const waiting = instance.workspace()
    while ((await read('reeve_postgres_requests_waiting{pool="writes"}')) === 0);
    expect(await read('reeve_postgres_connections_in_use{pool="writes"}')).toBe(max)
    expect(await read('reeve_postgres_connections{pool="writes"}')).toBe(max)
    await Promise.all(held.map(({ release }) => release()))
    await waiting
    expect(await read('reeve_postgres_requests_waiting{pool="writes"}')).toBe(0)
  })

  test('without its database an instance is not ready, and its listener is not connected until it is back', async () => {
    const { createFaultProxy } = await import('@reeve/db/test-cluster')
    const storage = await createTestStorage()
    const proxy = createFaultProxy(storage.databaseUrl ?? '')
    const cut = await openInstance({ storage: { ...storage, databaseUrl: proxy.url } })
    const readState = async () => {
      const text = await readMetrics(cut)
      const [ready, listening] = ['reeve_ready', 'reeve_postgres_listener_connected'].map((name) =>
        readSeries(text, name),
      )
      return { ready, listening, size: readSeries(text, 'reeve_database_size_bytes') }
    }
    expect(await readState()).toEqual({ ready: 1, listening: 1, size: expect.any(Number) })
    proxy.block('cut')
    while ((await readState()).listening === 1);
    expect(await readState()).toEqual({ ready: 0, listening: 0, size: null })
    proxy.unblock()
    while ((await readState()).listening === 0);
    expect(await readState()).toMatchObject({ ready: 1, listening: 1 })
    await cut.close()
  })

  test('while the database hangs, the metrics are returned before the timeout of Prometheus', async () => {
    const { createFaultProxy } = await import('@reeve/db/test-cluster')
    const storage = await createTestStorage()
    const proxy = createFaultProxy(storage.databaseUrl ?? '')
    const stalled = await openInstance({ storage: { ...storage, databaseUrl: proxy.url } })
    proxy.block('stalled')
    const startedAt = performance.now()
    expect(readSeries(await readMetrics(stalled), 'reeve_ready')).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    proxy.unblock()
    while (readSeries(await readMetrics(stalled), 'reeve_ready') === 0);
    await stalled.close()
  }, 60_000)
})
