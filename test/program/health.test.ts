import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../support/instance.ts'
import { METRICS_TOKEN, readSeries } from '../support/metrics.ts'
import { setRecordBytes } from '../support/workspace-states.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(async () => {
  await instance.close()
})

test('/healthz and /readyz are public', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const { status, body } = await instance.request('GET', path, { from: '192.0.2.1' })
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect((await instance.request('HEAD', path)).status).toBe(200)
    expect((await instance.request('POST', path)).headers.get('allow')).toBe('GET, HEAD')
  }
})

test('an instance without its database is alive but not ready', async () => {
  const broken = await openInstance()
  await broken.db.close()
  const { status, body } = await broken.request('GET', '/readyz')
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'unavailable' })
  expect((await broken.request('GET', '/healthz')).status).toBe(200)
})

/** Waits for one event loop tick, in which work after a response runs. */
const nextTick = () => new Promise((resolve) => setImmediate(resolve))

test('requests are counted by method, route pattern and status class, and writes when they are committed', async () => {
  const fresh = await openInstance()
  const { id, key } = await fresh.workspace()
  const page = async () => (await fresh.request('GET', '/metrics', { key: METRICS_TOKEN })).text
  // A request is counted after its response, so the last count can arrive late.
  const expectCount = async (metricName: string, count: number) => {
    while (readSeries(await page(), metricName) !== count) await nextTick()
  }
  const calls = (method: string, route: string, status: string) =>
    `reeve_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`
  const before = readSeries(await page(), 'reeve_writes_committed_total') ?? 0
  const body = { workspaceId: id, name: 'Trainers' }
  await fresh.request('POST', '/api/departments', { key, body })
  await fresh.request('POST', '/api/departments', { key, body })
  await fresh.request('POST', '/api/public/v1/departments', { key, body })
  await expectCount(calls('POST', '/api/departments', '2xx'), 1)
  await expectCount(calls('POST', '/api/departments', '4xx'), 1)
  await expectCount(calls('POST', '/api/public/v1/departments', '4xx'), 1)
  const text = await page()
  expect(readSeries(text, 'reeve_writes_committed_total')).toBe(before + 1)
  expect(readSeries(text, 'reeve_writes_waiting')).toBe(0)
  expect(readSeries(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
  await fresh.close()
})

test('clients cannot create series', async () => {
  for (let requestIndex = 0; requestIndex < 20; requestIndex++) {
    await instance.request('GET', `/made-up-${requestIndex}`)
    await instance.request('PROPFIND', '/healthz')
    await instance.request('GET', `/media/${'f'.repeat(63)}${requestIndex % 10}.png`)
  }
  let text = ''
  while (!text.includes('method="other",route="none"')) {
    await nextTick()
    text = (await instance.request('GET', '/metrics', { key: METRICS_TOKEN })).text
  }
  for (const invalidRequest of ['made-up', 'PROPFIND', 'ffff']) expect(text).not.toContain(invalidRequest)
})

test('the storage of all workspaces is a sum per kind, with the number of workspaces near and over their quota', async () => {
  const fresh = await openInstance({ storageQuota: 1_000_000 })
  const workspaces = [await fresh.workspace(), await fresh.workspace(), await fresh.workspace()]
  const sizes = [800_000, 1_000_000, 1000]
  for (const [index, { id }] of workspaces.entries()) await setRecordBytes(fresh, id, sizes[index] ?? 0)
  const { text } = await fresh.request('GET', '/metrics', { key: METRICS_TOKEN })
  const read = (series: string) => readSeries(text, series)
  expect(read('reeve_storage_bytes{kind="records"}')).toBe(1_801_000)
  for (const kind of ['images', 'archives', 'responses'])
    expect(read(`reeve_storage_bytes{kind="${kind}"}`)).toBe(0)
  expect(read('reeve_storage_quota_workspaces{state="near"}')).toBe(2)
  expect(read('reeve_storage_quota_workspaces{state="over"}')).toBe(1)
  await fresh.close()
})

test('without the database, the other metrics are returned', async () => {
  const broken = await openInstance()
  await broken.db.close()
  const { status, text } = await broken.request('GET', '/metrics', { key: METRICS_TOKEN })
  expect([status, readSeries(text, 'reeve_failures_total')]).toEqual([200, 0])
  expect(readSeries(text, 'reeve_ready')).toBe(0)
  expect(text).not.toContain('reeve_storage_bytes{')
})
