import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { standalonePortalDocument } from '@reeve/api/openapi/standalone'
import { DAY_MS } from '@reeve/core'
import { statement } from '@reeve/db'
import {
  type Instance,
  LEGACY_PREFIX,
  openInstance,
  PUBLIC_URL,
  type RequestOptions,
} from '../../support/instance.ts'
import { quota, setArchived } from '../../support/workspace-states.ts'
import { holdWrites } from '../../support/write-queue.ts'
import { createDepartment, readDepartments, runTimes, type WorkspaceFixture } from './requests.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

describe('Idempotency-Key', () => {
  const writeWithKey = (
    workspace: WorkspaceFixture,
    key: string,
    body: object = { name: 'once' },
    options: RequestOptions = {},
    target = instance,
  ) =>
    target.request('POST', `/api/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
      body,
      headers: { 'idempotency-key': key },
      ...options,
    })
  const count = async (workspace: WorkspaceFixture) =>
    (await readDepartments(instance, workspace)).body.departments.length

  test('a retry gets the same response and has no second effect, for 24 hours', async () => {
    const workspace = await instance.workspace()
    const first = await writeWithKey(workspace, 'a')
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    instance.clock.advance(DAY_MS - 1)
    const replayed = await writeWithKey(workspace, 'a')
    expect([replayed.status, replayed.body, replayed.headers.get('idempotent-replayed')]).toEqual([
      200,
      first.body,
      'true',
    ])
    expect(replayed.headers.get('content-type')).toStartWith('application/json')
    expect(await count(workspace)).toBe(1)
    instance.clock.advance(1)
    expect((await writeWithKey(workspace, 'a')).status).toBe(409)
  })

  test('is shared by both prefixes', async () => {
    const workspace = await instance.workspace()
    await writeWithKey(workspace, 'a')
    const legacy = await instance.request('POST', `/api/public/v1/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
      body: { name: 'once' },
      headers: { 'idempotency-key': 'a' },
    })
    expect([legacy.status, legacy.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  })

  test('replays a request with the same fields, whatever their order and formatting', async () => {
    const workspace = await instance.workspace()
    const headers = { 'idempotency-key': 'fields' }
    const send = (query: string, body: string) =>
      instance.request('POST', `/api/moderation?${query}`, { key: workspace.key, headers, body })
    const first = await send(
      `workspaceId=${workspace.id}&severity=high`,
      '{"action":"mute","userId":"261","reason":"Spam","durationSeconds":"60"}',
    )
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    const repeated = await send(
      `severity=high&workspaceId=${workspace.id}`,
      '{\n  "durationSeconds": 60,\n  "reason": "Sp\\u0061m", "userId": 261, "action": "mute"\n}',
    )
    expect([repeated.status, repeated.headers.get('idempotent-replayed'), repeated.body]).toEqual([
      200,
      'true',
      first.body,
    ])
    const other = await send(
      `workspaceId=${workspace.id}&severity=low`,
      '{"action":"mute","userId":"261","reason":"Spam","durationSeconds":"60"}',
    )
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
  })

  test('with another body or query is rejected without an effect', async () => {
    const workspace = await instance.workspace()
    await writeWithKey(workspace, 'a')
    const otherWorkspace = await writeWithKey(workspace, 'a', { name: 'twice' })
    expect([otherWorkspace.status, otherWorkspace.body.code]).toEqual([422, 'idempotency_mismatch'])
    expect((await writeWithKey(workspace, 'a')).headers.get('idempotent-replayed')).toBe('true')
    expect(await count(workspace)).toBe(1)
  })

  test('is separate for each caller, workspace and route', async () => {
    const [workspace, otherWorkspace] = [await instance.workspace(), await instance.workspace()]
    await writeWithKey(workspace, 'a')
    const second = await instance.key(workspace.id)
    expect((await writeWithKey(workspace, 'a', { name: 'second caller' }, { key: second })).status).toBe(200)
    expect((await writeWithKey(otherWorkspace, 'a')).status).toBe(200)
    const patch = await instance.request('PATCH', `/api/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
      body: { id: instance.ports.newId(), name: 'other' },
      headers: { 'idempotency-key': 'a' },
    })
    expect(patch.status).toBe(404)
  })

  test('of 100 concurrent requests, the first has the effect, the others conflict, and later ones replay it', async () => {
    const workspace = await instance.workspace()
    const writes = await holdWrites(instance.db, workspace.id)
    const first = writeWithKey(workspace, 'burst')
    await writes.untilWaiting(1)
    const conflicts = await runTimes(99, () => writeWithKey(workspace, 'burst'))
    expect(
      conflicts.map(({ status, body, headers }) => [status, body.code, headers.get('retry-after')]),
    ).toEqual(Array(99).fill([409, 'conflict', '1']))
    await writes.release()
    const { status, headers, body } = await first
    expect([status, headers.get('idempotent-replayed')]).toEqual([200, null])
    const replays = await runTimes(99, () => writeWithKey(workspace, 'burst'))
    expect(replays.map((replay) => [replay.headers.get('idempotent-replayed'), replay.body])).toEqual(
      Array(99).fill(['true', body]),
    )
    expect(await count(workspace)).toBe(1)
  })

  test('a rejection is replayed, even if the request would succeed now', async () => {
    const workspace = await instance.workspace()
    const { department } = (await createDepartment(instance, workspace, { body: { name: 'Taken' } })).body
    const first = await writeWithKey(workspace, 'a', { name: 'taken' })
    expect(first.status).toBe(409)
    const path = `/api/departments?workspaceId=${workspace.id}&id=${department.id}`
    expect((await instance.request('DELETE', path, { key: workspace.key })).status).toBe(200)
    const replayed = await writeWithKey(workspace, 'a', { name: 'taken' })
    expect([replayed.status, replayed.body, replayed.headers.get('idempotent-replayed')]).toEqual([
      409,
      first.body,
      'true',
    ])
    expect((await writeWithKey(workspace, 'b', { name: 'taken' })).status).toBe(200)
  })

  test('a rejected If-Match is not replayed to a retry with the current version', async () => {
    const workspace = await instance.workspace()
    const { id, version } = (await writeWithKey(workspace, 'a')).body.department
    const rename = (ifMatch: string) =>
      instance.request('PATCH', `/api/departments?workspaceId=${workspace.id}`, {
        key: workspace.key,
        body: { id, name: 'Renamed' },
        headers: { 'idempotency-key': 'b', 'if-match': ifMatch },
      })
    expect((await rename('"77"')).status).toBe(412)
    const retry = await rename(`"${version}"`)
    expect([retry.status, retry.body.department?.name]).toEqual([200, 'Renamed'])
    expect((await rename(`"${version}"`)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('a response that a retry can change is not stored', async () => {
    const workspace = await instance.workspace()
    await quota(instance, workspace.id, 0)
    expect((await writeWithKey(workspace, 'a')).status).toBe(429)
    await quota(instance, workspace.id, null)
    await setArchived(instance, workspace.id, true)
    expect((await writeWithKey(workspace, 'a')).status).toBe(403)
    await setArchived(instance, workspace.id, false)
    const done = await writeWithKey(workspace, 'a')
    expect([done.status, done.headers.get('idempotent-replayed')]).toEqual([200, null])
  })

  test('a retry is authorized again: it fails if the caller has lost access', async () => {
    const workspace = await instance.workspace()
    await writeWithKey(workspace, 'a')
    await setArchived(instance, workspace.id, true)
    expect((await writeWithKey(workspace, 'a')).body.reason).toBe('workspace_archived')
  })

  test('is rejected if it is empty or longer than 255 characters', async () => {
    const workspace = await instance.workspace()
    for (const key of ['', 'x'.repeat(256)]) {
      const response = await writeWithKey(workspace, key)
      expect([response.status, response.body.details?.[0]?.field]).toEqual([400, 'Idempotency-Key'])
    }
    expect((await writeWithKey(workspace, 'x'.repeat(255))).status).toBe(200)
  })

  test('the request body is stored as a hash only', async () => {
    const workspace = await instance.workspace()
    await writeWithKey(workspace, 'a', { name: 'kept', description: 'planted text' })
    const rows = await instance.db.read.all(
      statement<{ workspaceId: string }>()((sql, p) =>
        sql.selectFrom('idempotency').selectAll().where('workspace_id', '=', p.workspaceId),
      ),
      { workspaceId: workspace.id },
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.request_hash).toMatch(/^[0-9a-f]{64}$/)
  })
})

test('the portal document lists exactly the routes that reject or ignore an Idempotency-Key', async () => {
  const { paths } = (await standalonePortalDocument({
    publicUrl: new URL(PUBLIC_URL),
    legacyPrefix: LEGACY_PREFIX,
  })) as { paths: Record<string, Record<string, { 'x-accepts-idempotency-key': boolean }>> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      isAccepted: operation['x-accepts-idempotency-key'],
    })),
  )
  const writes = operations.filter(({ method }) => method !== 'GET')
  const workspace = await instance.workspace()
  const operator = await instance.session(await instance.account('operator', true))
  const rejected: string[] = []
  for (const { method, path } of writes) {
    const { status, body } = await instance.request(method, `${path}?workspaceId=${workspace.id}`, {
      session: path.startsWith('/admin/') ? operator : workspace.ownerSession,
      headers: { 'idempotency-key': 'once' },
    })
    const isRejected = status === 400 && body.details?.[0]?.field === 'Idempotency-Key'
    if (isRejected) rejected.push(`${method} ${path}`)
  }
  const publicRoutes = [
    'POST /portal/api/first-run',
    'POST /portal/api/invitation',
    'POST /portal/api/invitation/sign-up',
    'POST /portal/api/password-link',
    'POST /portal/api/password-link/password',
    'POST /portal/api/password-reset',
    'POST /portal/api/sign-in',
    'POST /portal/api/sign-in/callback',
    'POST /portal/api/sign-in/passkey',
    'POST /portal/api/sign-in/passkey/options',
    'POST /portal/api/sign-in/provider',
    'POST /portal/api/sign-in/second-factor',
    'POST /portal/api/sign-in/sign-up',
  ]
  const described = writes
    .filter(({ isAccepted }) => !isAccepted)
    .map(({ method, path }) => `${method} ${path}`)
  expect(described.toSorted()).toEqual([...rejected, ...publicRoutes].toSorted())
  expect(rejected).toHaveLength(22)
})
