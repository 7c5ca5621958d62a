import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
import { readArchive } from '../../support/workspace-jobs.ts'
import { createWorkspacesClient } from './fixture.ts'

let instance: Instance

const auditActions = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('audit').select('action').where('workspace_id', '=', p.workspaceId).orderBy('sequence'),
)

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const { path, post, get } = createWorkspacesClient(() => instance)
const now = () => new Date(instance.clock.now()).toISOString()

describe('create', () => {
  test('the account of a session becomes the owner and has every permission', async () => {
    const accountId = await instance.account()
    const credentials = { session: await instance.session(accountId) }
    const { workspace } = await post(credentials, { groupName: '  Night shift ' })
    expect(workspace).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      groupName: 'Night shift',
      ownerId: accountId,
      status: 'active',
      deleteAt: null,
      archivedAt: null,
      createdAt: now(),
      createdBy: accountId,
      updatedAt: now(),
      monthlyQuota: null,
      profileUrl: null,
      approvalHours: '24',
      defaultPlatform: 'roblox',
      version: '1',
    })
    const department = await instance.request('POST', '/api/departments', {
      ...credentials,
      body: { workspaceId: workspace.id, name: 'First' },
    })
    expect(department.status).toBe(200)
    expect((await get(credentials)).workspaces).toEqual([workspace])
  })

  test('with a key, the owner of its workspace becomes the owner, and the key gets no access', async () => {
    const { key, ownerId, ownerSession } = await instance.workspace()
    const { workspace } = await post({ key }, { action: 'create', groupName: 'Second' })
    expect(workspace.ownerId).toBe(ownerId)
    expect(
      (await get({ session: ownerSession })).workspaces.map(
        (workspaceItem: { id: string }) => workspaceItem.id,
      ),
    ).toContain(workspace.id)
    const foreignResponse = await instance.request('GET', `${path}?id=${workspace.id}`, { key })
    expect(foreignResponse.body.reason).toBe('wrong_workspace')
  })

  test('a retry with the same Idempotency-Key creates no second workspace', async () => {
    const credentials = { session: await instance.session(await instance.account()) }
    const once = () =>
      instance.request('POST', path, {
        ...credentials,
        body: { groupName: 'Once' },
        headers: { 'idempotency-key': 'first' },
      })
    const [first, second] = [await once(), await once()]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect((await get(credentials)).workspaces).toHaveLength(1)
  })

  test('two workspaces can have the same name', async () => {
    const credentials = { session: await instance.session(await instance.account()) }
    await post(credentials, { groupName: 'Twin' })
    await post(credentials, { groupName: 'Twin' })
    expect((await get(credentials)).workspaces).toHaveLength(2)
  })

  test('the legacy path returns the same response', async () => {
    const { key, id } = await instance.workspace()
    const response = await instance.request('GET', `${LEGACY_PREFIX}/workspaces?id=${id}`, { key })
    expect(response.body).toEqual(await get({ key }, { id }))
  })
})

describe('rename', () => {
  for (const action of [undefined, 'rename']) {
    test(`changes only the name ${action ? 'with an action' : 'with id and groupName alone'}`, async () => {
      const { id, key } = await instance.workspace('Before')
      const { workspace: before } = await get({ key }, { id })
      instance.clock.advance(1000)
      const { workspace } = await post({ key }, { id, groupName: 'After 🌙', ...(action && { action }) })
      expect(workspace).toEqual({ ...before, groupName: 'After 🌙', updatedAt: now(), version: '2' })
      expect(await get({ key }, { id })).toEqual({ workspace, job: null })
    })
  }

  test('succeeds with the current version in If-Match', async () => {
    const { id, key } = await instance.workspace()
    const response = await instance.request('POST', path, {
      key,
      body: { id, groupName: 'Matched' },
      headers: { 'if-match': '"1"' },
    })
    expect(response.body.workspace.version).toBe('2')
  })
})

describe('archive and restore', () => {
  for (const [description, archiving, restoring] of [
    ['by action', { action: 'archive' }, { action: 'restore' }],
    ['by archive', { archive: 'true' }, { archive: 'false' }],
    ['by archive as a boolean', { archive: true }, { archive: false }],
    ['by both', { action: 'archive', archive: '1' }, { action: 'restore', archive: '0' }],
  ] as const) {
    test(`${description}: makes the workspace read-only and active again`, async () => {
      const { id, key } = await instance.workspace('Frozen')
      const { workspace: before } = await get({ key }, { id })
      instance.clock.advance(1000)
      const { workspace, archive, job } = await post({ key }, { id, ...archiving })
      expect(workspace).toEqual({
        ...before,
        status: 'archived',
        archivedAt: now(),
        updatedAt: now(),
        version: '2',
      })
      const preparing = {
        id: expect.any(String),
        workspaceId: id,
        groupName: 'Frozen',
        createdAt: now(),
        createdBy: expect.any(String),
        state: 'preparing',
        sizeBytes: null,
        sha256: null,
        counts: null,
      }
      expect(archive).toEqual(preparing)
      const queued = {
        id: expect.any(String),
        workspaceId: id,
        kind: 'archive',
        state: 'queued',
        step: 'write',
        progress: '0',
        jobsAhead: '0',
        canBeCancelled: 'true',
        archiveId: null,
        newArchiveId: archive.id,
        newWorkspaceId: null,
        error: null,
        createdAt: now(),
        startedAt: null,
        finishedAt: null,
      }
      expect(job).toEqual(queued)
      expect(await get({ key }, { id })).toEqual({
        workspace,
        job: {
          ...queued,
          state: 'succeeded',
          step: 'checksum',
          progress: '1',
          canBeCancelled: 'false',
          startedAt: now(),
          finishedAt: now(),
        },
      })
      expect(await readArchive(instance, { key }, archive)).toEqual({
        ...preparing,
        state: 'ready',
        sizeBytes: expect.stringMatching(/^[1-9]\d*$/),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        counts: {
          members: '1',
          roles: '1',
          departments: '0',
          records: '0',
          recordVersions: '0',
          evidenceFiles: '0',
          events: '0',
          media: '0',
        },
      })
      const restored = await post({ key }, { id, ...restoring })
      expect(restored).toEqual({
        workspace: { ...workspace, status: 'active', archivedAt: null, version: '3' },
      })
    })
  }

  test('an archived workspace accepts reads and the ban check, and rejects writes', async () => {
    const { id, key } = await instance.workspace()
    const ban = { workspaceId: id, action: 'ban', userId: '261', reason: 'Exploiting' }
    await instance.request('POST', '/api/moderation', { key, body: ban })
    const check = () =>
      instance.request('POST', `/api/moderation?workspaceId=${id}&banList=true&userId=261`, { key })
    const { bans } = (await check()).body
    expect(bans).toHaveLength(1)
    await post({ key }, { id, archive: true })
    expect((await check()).body.bans).toEqual(bans)
    const rejectedResponse = await instance.request('POST', '/api/moderation', {
      key,
      body: { ...ban, userId: '262' },
    })
    expect(rejectedResponse.body.reason).toBe('workspace_archived')
    await post({ key }, { id, archive: false })
    const accepted = await instance.request('POST', '/api/moderation', {
      key,
      body: { ...ban, userId: '262' },
    })
    expect(accepted.status).toBe(200)
  })

  test('archiving again creates another archive, listed newest first', async () => {
    const { id, key, ownerSession } = await instance.workspace()
    const created: unknown[] = []
    for (let round = 0; round < 3; round++) {
      const { archive } = await post({ key }, { id, archive: true })
      created.unshift(await readArchive(instance, { key }, archive))
      await post({ key }, { id, archive: false })
    }
    expect(await get({ key }, { archives: 'true' })).toEqual({ archives: created, nextCursor: null })
    expect(await get({ session: ownerSession }, { archives: 'true', id })).toEqual({
      archives: created,
      nextCursor: null,
    })
    const first = await get({ key }, { archives: 'true', limit: '2' })
    const second = await get({ key }, { archives: 'true', limit: '2', cursor: first.nextCursor })
    expect([...first.archives, ...second.archives]).toEqual(created)
    expect(second.nextCursor).toBeNull()
  })
})

test('every action is in the audit log of its workspace, and a copy in both logs', async () => {
  const { id, key } = await instance.workspace('Logged')
  await post({ key }, { id, groupName: 'Renamed' })
  const { archive } = await post({ key }, { id, archive: true })
  const copy = (await post({ key }, { fromArchive: archive.id })).workspace
  await post({ key }, { id, fromArchive: archive.id })
  const actions = async (workspaceId: string) => {
    const rows = await instance.context.db.read.all(auditActions, { workspaceId })
    return rows.map((row) => row.action)
  }
  expect((await actions(id)).filter((action) => action.startsWith('workspaces.'))).toEqual([
    'workspaces.create',
    'workspaces.rename',
    'workspaces.archive',
    'workspaces.copy',
    'workspaces.roll_back',
  ])
  expect(await actions(copy.id)).toEqual(['workspaces.restore'])
})
