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

/** Archives and restores a workspace. @returns the archive's ID */
async function createArchive({ id, key } = workspace): Promise<string> {
  const { body } = await instance.request('POST', path, { key, body: { id, archive: true } })
  await instance.request('POST', path, { key, body: { id, archive: false } })
  return body.archive.id
}

const post = (credentials: RequestOptions, body: Record<string, unknown>) =>
  instance.request('POST', path, { ...credentials, body })

describe('a caller without permission gets 403, and nothing is changed', () => {
  test('reading one requires workspace.view for a key, and membership for an account', async () => {
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

  test('listing with a key requires workspace.view', async () => {
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      workspace: 'own',
      workspaceId: workspace.id,
      permission: 'workspace.view',
    })
  })

  test('reading archives requires workspace.view', async () => {
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      workspace: 'id',
      workspaceId: workspace.id,
      query: { id: workspace.id, archives: 'true' },
      permission: 'workspace.view',
    })
  })

  test('creating with a key requires workspace.create', async () => {
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
    test(`renaming ${description} requires workspace.rename`, async () => {
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
    test(`archiving ${description} requires workspace.archive`, async () => {
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

  test('restoring requires workspace.restore', async () => {
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

  test('rolling back requires workspace.restore', async () => {
    const fromArchive = await createArchive()
    await setArchived(instance, workspace.id, true)
    await expectAccessRules(instance, {
      method: 'POST',
      path,
      workspace: 'id',
      workspaceId: workspace.id,
      body: { id: workspace.id, fromArchive },
      permission: 'workspace.restore',
      whileArchived: true,
      // The roll-back restores the members that this test creates, which requires their permissions; see roll-back.test.ts.
      accepted: null,
    })
    await setArchived(instance, workspace.id, false)
  })

  test('a copy with a key requires workspace.restore and workspace.create', async () => {
    const fromArchive = await createArchive()
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
    'moderation.evidence',
    'appeals.view',
    'departments.view',
    'events.view',
    'events.manage',
    'roles.view',
    'members.view',
    'endpoint_controls.view',
  ] as const

  test('requires workspace.restore in the workspace of the archive', async () => {
    const fromArchive = await createArchive()
    const { session } = await instance.member(
      workspace.id,
      permissions.filter((one) => one !== 'workspace.restore'),
    )
    const before = await readStoredRows(instance)
    const { status, body } = await post({ session }, { fromArchive })
    expect([status, body.reason, body.permission]).toEqual([403, 'missing_permission', 'workspace.restore'])
    expect(await readStoredRows(instance)).toEqual(before)
  })

  test('requires permission to read everything in it', async () => {
    const fromArchive = await createArchive()
    for (const missingPermissions of READ) {
      const set = READ.filter((one) => one !== missingPermissions)
      const { session } = await instance.member(workspace.id, ['workspace.restore', ...set])
      const { status, body } = await post({ session }, { fromArchive })
      expect([status, body.reason, body.permission]).toEqual([403, 'missing_permission', missingPermissions])
    }
    const { session } = await instance.member(workspace.id, ['workspace.restore', ...READ])
    expect((await post({ session }, { fromArchive })).status).toBe(200)
  })

  test('is refused if the endpoint is off or read-only in the workspace of the archive', async () => {
    const other = await instance.workspace()
    const fromArchive = await createArchive(other)
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

  test('is not possible after the membership has ended', async () => {
    const fromArchive = await createArchive()
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

describe('a permission cannot be bypassed by the form of a request', () => {
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

  test('an ID in upper case or with spaces identifies the same workspace', async () => {
    const other = await instance.workspace()
    const { status, body } = await post(
      { key: workspace.key },
      { id: ` ${other.id.toUpperCase()} `, groupName: 'Mine' },
    )
    expect([status, body.reason]).toEqual([403, 'wrong_workspace'])
  })
})
