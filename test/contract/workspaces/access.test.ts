import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, type RequestOptions } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { setArchived, setEndpointControl } from '../../support/workspace-states.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/workspaces'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

/** Archives a workspace and takes it back into use. @returns the archive's id */
async function archiveOf({ id, key } = workspace): Promise<string> {
  const { body } = await instance.request('POST', path, { key, body: { id, archive: true } })
  await instance.request('POST', path, { key, body: { id, archive: false } })
  return body.archive.id
}

const post = (credentials: RequestOptions, body: Record<string, unknown>) =>
  instance.request('POST', path, { ...credentials, body })

describe('who may not is told so, and nothing is changed', () => {
  test('reading one needs workspace.view of a key, and membership of an account', async () => {
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      workspace: 'id',
      workspaceId: workspace.id,
      query: { id: workspace.id },
      permission: 'workspace.view',
      except: ['a session that lacks the permission'],
    })
  })

  test('a key’s list needs workspace.view', async () => {
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      workspace: 'own',
      workspaceId: workspace.id,
      permission: 'workspace.view',
    })
  })

  test('reading archives needs workspace.view', async () => {
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      workspace: 'id',
      workspaceId: workspace.id,
      query: { id: workspace.id, archives: 'true' },
      permission: 'workspace.view',
    })
  })

  test('creating needs workspace.create of a key', async () => {
    await expectAccessRules(instance, {
      method: 'POST',
      path,
      workspace: 'own',
      workspaceId: workspace.id,
      body: { groupName: 'New' },
      permission: 'workspace.create',
    })
  })

  for (const [description, body] of [
    ['by action', { action: 'rename', groupName: 'Other' }],
    ['by its fields', { groupName: 'Other' }],
  ] as const) {
    test(`renaming ${description} needs workspace.rename`, async () => {
      await expectAccessRules(instance, {
        method: 'POST',
        path,
        workspace: 'id',
        workspaceId: workspace.id,
        body: { id: workspace.id, ...body },
        permission: 'workspace.rename',
      })
    })
  }

  for (const [description, body] of [
    ['by action', { action: 'archive' }],
    ['by archive', { archive: true }],
  ] as const) {
    test(`archiving ${description} needs workspace.archive`, async () => {
      await expectAccessRules(instance, {
        method: 'POST',
        path,
        workspace: 'id',
        workspaceId: workspace.id,
        body: { id: workspace.id, ...body },
        permission: 'workspace.archive',
        whileArchived: true,
      })
      await setArchived(instance, workspace.id, false)
    })
  }

  test('restoring needs workspace.restore', async () => {
    await setArchived(instance, workspace.id, true)
    await expectAccessRules(instance, {
      method: 'POST',
      path,
      workspace: 'id',
      workspaceId: workspace.id,
      body: { id: workspace.id, archive: false },
      permission: 'workspace.restore',
      whileArchived: true,
    })
  })

  test('rolling back needs workspace.restore', async () => {
    const fromArchive = await archiveOf()
    await setArchived(instance, workspace.id, true)
    await expectAccessRules(instance, {
      method: 'POST',
      path,
      workspace: 'id',
      workspaceId: workspace.id,
      body: { id: workspace.id, fromArchive },
      permission: 'workspace.restore',
      whileArchived: true,
      // The members that this replay itself makes are put back by it, which takes what they hold; see roll-back.test.ts.
      accepted: null,
    })
    await setArchived(instance, workspace.id, false)
  })

  test('a copy needs workspace.restore of a key, and workspace.create besides', async () => {
    const fromArchive = await archiveOf()
    const request = {
      method: 'POST',
      path,
      workspace: 'own',
      workspaceId: workspace.id,
      body: { fromArchive },
      whileArchived: true,
    } as const
    await expectAccessRules(instance, {
      ...request,
      permission: 'workspace.restore',
      also: ['workspace.create'],
    })
    const key = await instance.key(workspace.id, ['workspace.restore'])
    const { body } = await post({ key }, { fromArchive })
    expect([body.reason, body.permission]).toEqual(['missing_permission', 'workspace.create'])
  })
})

describe('a copy made by an account', () => {
  const READ = [
    'moderation.view',
    'departments.view',
    'events.view',
    'events.manage',
    'roles.view',
    'members.view',
    'endpoint_controls.view',
  ] as const

  test('needs workspace.restore in the workspace of the archive', async () => {
    const fromArchive = await archiveOf()
    const { session } = await instance.member(
      workspace.id,
      permissions.filter((one) => one !== 'workspace.restore'),
    )
    const before = await readStoredRows(instance)
    const { status, body } = await post({ session }, { fromArchive })
    expect([status, body.reason, body.permission]).toEqual([403, 'missing_permission', 'workspace.restore'])
    expect(await readStoredRows(instance)).toEqual(before)
  })

  test('shows its maker nothing that they may not read already', async () => {
    const fromArchive = await archiveOf()
    for (const missingPermissions of READ) {
      const set = READ.filter((one) => one !== missingPermissions)
      const { session } = await instance.member(workspace.id, ['workspace.restore', ...set])
      const { status, body } = await post({ session }, { fromArchive })
      expect([status, body.reason, body.permission]).toEqual([403, 'missing_permission', missingPermissions])
    }
    const { session } = await instance.member(workspace.id, ['workspace.restore', ...READ])
    expect((await post({ session }, { fromArchive })).status).toBe(200)
  })

  test('is refused where the endpoint is switched off or to read-only in the workspace of the archive', async () => {
    const other = await instance.workspace()
    const fromArchive = await archiveOf(other)
    const outcome = async () => {
      const { status, body } = await post({ session: other.ownerSession }, { fromArchive })
      return `${status} ${body.reason ?? ''}`.trim()
    }
    await setEndpointControl(instance, other.id, 'workspaces', 'off')
    expect(await outcome()).toBe('403 endpoint_disabled')
    await setEndpointControl(instance, other.id, 'workspaces', 'read_only')
    expect(await outcome()).toBe('403 endpoint_read_only')
    await setEndpointControl(instance, other.id, 'workspaces', null)
    expect(await outcome()).toBe('200')
  })

  test('ends with the membership', async () => {
    const fromArchive = await archiveOf()
    const member = await instance.member(workspace.id, permissions)
    await instance.request(
      'DELETE',
      `/portal/api/members?workspaceId=${workspace.id}&accountId=${member.accountId}`,
      { session: workspace.ownerSession },
    )
    const { status, body } = await post(member, { fromArchive })
    expect([status, body.code]).toEqual([404, 'not_found'])
  })
})

describe('nobody gets around a permission by how a request is put', () => {
  const indirectBodies: Record<string, unknown>[] = [
    { action: 'create', archive: true },
    { action: 'rename', archive: true, groupName: 'A' },
    { action: 'create', groupName: 'A', id: '' },
    { action: 'restore', archive: true },
    { archive: ' true' },
    { archive: 'TRUE' },
    { action: 'ARCHIVE' },
    { action: ' archive' },
    { action: null, archive: true },
  ]
  for (const body of indirectBodies) {
    test(`archiving by ${JSON.stringify(body)}`, async () => {
      const set = permissions.filter((one) => one !== 'workspace.archive')
      const { session } = await instance.member(workspace.id, set)
      const key = await instance.key(workspace.id, set)
      const before = await readStoredRows(instance)
      for (const credentials of [{ key }, { session }]) {
        const { status } = await post(credentials, { id: workspace.id, ...body })
        expect([400, 403]).toContain(status)
      }
      expect(await readStoredRows(instance)).toEqual(before)
    })
  }

  test('an id in other letters or with spaces is still the same workspace', async () => {
    const other = await instance.workspace()
    const { status, body } = await post(
      { key: workspace.key },
      { id: ` ${other.id.toUpperCase()} `, groupName: 'Mine' },
    )
    expect([status, body.reason]).toEqual([403, 'wrong_workspace'])
  })
})
