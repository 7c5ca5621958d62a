import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance, PASSWORD } from '../../support/instance.ts'
import { quota } from '../../support/workspace-states.ts'

// The password is hashed a dozen times.
setDefaultTimeout(60_000)

/** A clock that is ahead by most of a month, which ends in the next one. */
const AHEAD_MS = 25 * DAY_MS

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>

beforeEach(async () => {
  const clock = createTestClock(Date.UTC(2031, 0, 10))
  instance = await openInstance({
    clock,
    keyRatePerMinute: 60,
    sessionRatePerMinute: 60,
    workspaceJobsPerDay: 1,
    finishesJobs: false,
  })
  clock.advance(AHEAD_MS)
  workspace = await instance.workspace()
})
afterEach(() => instance.close())

const setClockBack = () => instance.clock.advance(-AHEAD_MS)

const createDepartment = (name: string, headers: Record<string, string> = {}) =>
  instance.request('POST', '/api/departments', {
    key: workspace.key,
    headers,
    body: { workspaceId: workspace.id, name },
  })
const startArchive = () =>
  instance.request('POST', '/api/workspaces', {
    key: workspace.key,
    body: { id: workspace.id, archive: 'true' },
  })
const readDepartments = (caller: { key?: string; session?: string }) =>
  instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, caller)

test('sessions, API keys and sign-ins from before are valid, and nobody is locked out by earlier failures', async () => {
  await instance.account('robin')
  const signIn = (password: string) =>
    instance.request('POST', '/portal/api/sign-in', { body: { username: 'robin', password } })
  for (let attempt = 0; attempt < 11; attempt++) await signIn('not the password')
  expect((await signIn(PASSWORD)).status).toBe(429)
  setClockBack()
  expect((await signIn(PASSWORD)).status).toBe(200)
  expect((await readDepartments({ session: workspace.ownerSession })).status).toBe(200)
  expect((await readDepartments({ key: workspace.key })).status).toBe(200)
})

test('rate limits are refilled as before', async () => {
  const caller = { key: workspace.key }
  let status = 200
  while (status === 200) status = (await readDepartments(caller)).status
  setClockBack()
  const rejected = await readDepartments(caller)
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1'])
  instance.clock.advance(1000)
  expect((await readDepartments(caller)).status).toBe(200)
})

test('requests that were counted in the next month do not use up the quota of this one', async () => {
  await quota(instance, workspace.id, 2)
  for (const name of ['First', 'Second']) expect((await createDepartment(name)).status).toBe(200)
  expect((await createDepartment('Third')).status).toBe(429)
  await instance.flush()
  setClockBack()
  for (const name of ['Fourth', 'Fifth'])
    expect([name, (await createDepartment(name)).status]).toEqual([name, 200])
  expect((await createDepartment('Sixth')).status).toBe(429)
})

test('an idempotency key from before still returns its response, and new ones work', async () => {
  const headers = { 'idempotency-key': 'one' }
  const first = await createDepartment('Owls', headers)
  setClockBack()
  const repeated = await createDepartment('Owls', headers)
  expect([repeated.status, repeated.text]).toEqual([200, first.text])
  expect(repeated.headers.get('idempotent-replayed')).toBe('true')
  expect((await createDepartment('Others', { 'idempotency-key': 'two' })).status).toBe(200)
})

test('jobs of the workspace that were started in the future do not count, and one whose process was killed is continued', async () => {
  expect((await startArchive()).status).toBe(200)
  await instance.storage.query(
    `update workspace_job set state = 'running', runner = 'killed', heartbeat_at = ${instance.clock.now()}`,
  )
  setClockBack()
  await instance.runJobs()
  expect(await instance.storage.query('select state from workspace_job')).toEqual([{ state: 'succeeded' }])
  await instance.request('POST', '/api/workspaces', {
    key: workspace.key,
    body: { id: workspace.id, archive: 'false' },
  })
  expect((await startArchive()).status).toBe(200)
  await instance.runJobs()
  await instance.request('POST', '/api/workspaces', {
    key: workspace.key,
    body: { id: workspace.id, archive: 'false' },
  })
  expect((await startArchive()).status).toBe(429)
})
