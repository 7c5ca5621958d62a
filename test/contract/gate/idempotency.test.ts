import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { standalonePortalDocument } from '@reeve/api/openapi/standalone'
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

const HOUR = 3_600_000

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

  test('the same request again has the same answer and no second effect, for 24 hours', async () => {
    const workspace = await instance.workspace()
    const first = await writeWithKey(workspace, 'a')
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null])
    instance.clock.advance(24 * HOUR - 1)
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

  test('both prefixes are the same route', async () => {
    const workspace = await instance.workspace()
    await writeWithKey(workspace, 'a')
    const legacy = await instance.request('POST', `/api/public/v1/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
      body: { name: 'once' },
      headers: { 'idempotency-key': 'a' },
    })
    expect([legacy.status, legacy.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  })

  test('another body or query under the same key is refused and changes nothing', async () => {
    const workspace = await instance.workspace()
    await writeWithKey(workspace, 'a')
    const otherWorkspace = await writeWithKey(workspace, 'a', { name: 'twice' })
    expect([otherWorkspace.status, otherWorkspace.body.code]).toEqual([422, 'idempotency_mismatch'])
    expect((await writeWithKey(workspace, 'a')).headers.get('idempotent-replayed')).toBe('true')
    expect(await count(workspace)).toBe(1)
  })

  test('another caller, workspace or route has keys of its own', async () => {
    const [workspace, otherWorkspace] = [await instance.workspace(), await instance.workspace()]
    await writeWithKey(workspace, 'a')
    const second = await instance.key(workspace.id)
    expect((await writeWithKey(workspace, 'a', { name: 'second caller' }, { key: second })).status).toBe(200)
    expect((await writeWithKey(otherWorkspace, 'a')).status).toBe(200)
    const patch = await instance.request('PATCH', `/api/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
      body: { id: instance.ports.newId() },
      headers: { 'idempotency-key': 'a' },
    })
    expect(patch.status).toBe(404)
  })

  test('of a hundred requests at once the first has the effect; the others conflict, and later ones replay it', async () => {
    const workspace = await instance.workspace()
    const writes = await holdWrites(instance.db, workspace.id)
    const first = writeWithKey(workspace, 'burst')
    await writes.untilWaiting(1)
    const conflicts = await runTimes(99, () => writeWithKey(workspace, 'burst'))
    expect(conflicts.map(({ status, body }) => [status, body.code])).toEqual(
      Array(99).fill([409, 'conflict']),
    )
    await writes.release()
    const { status, headers, body } = await first
    expect([status, headers.get('idempotent-replayed')]).toEqual([200, null])
    const replays = await runTimes(99, () => writeWithKey(workspace, 'burst'))
    expect(replays.map((replay) => [replay.headers.get('idempotent-replayed'), replay.body])).toEqual(
      Array(99).fill(['true', body]),
    )
    expect(await count(workspace)).toBe(1)
  })

  test('a refusal by the rules is kept and given again, also when it would be granted by now', async () => {
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

  test('what may go better next time is not kept', async () => {
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

  test('a repeat is admitted anew: whoever lost the permission meanwhile is refused', async () => {
    const workspace = await instance.workspace()
    await writeWithKey(workspace, 'a')
    await setArchived(instance, workspace.id, true)
    expect((await writeWithKey(workspace, 'a')).body.reason).toBe('workspace_archived')
  })

  test('an empty key and one of more than 255 characters are refused by name', async () => {
    const workspace = await instance.workspace()
    for (const key of ['', 'x'.repeat(256)]) {
      const response = await writeWithKey(workspace, key)
      expect([response.status, response.body.details?.[0]?.field]).toEqual([400, 'Idempotency-Key'])
    }
    expect((await writeWithKey(workspace, 'x'.repeat(255))).status).toBe(200)
  })

  test('no secret of a request is kept with it: the body is kept as a hash alone', async () => {
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

test('a route rejects a key exactly where the description of the portal says so; public routes ignore it', async () => {
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
    'POST /portal/api/sign-in',
  ]
  const described = writes
    .filter(({ isAccepted }) => !isAccepted)
    .map(({ method, path }) => `${method} ${path}`)
  expect(described.toSorted()).toEqual([...rejected, ...publicRoutes].toSorted())
  expect(rejected).toHaveLength(9)
})
