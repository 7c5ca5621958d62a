import { afterAll, beforeAll, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/_workspace-permissions'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

test('reading roles requires roles.view', async () => {
  await expectAccessRules(instance, {
    method: 'GET',
    path,
    workspaceId: workspace.id,
    query: { workspaceId: workspace.id },
    permission: 'roles.view',
  })
})

test('reading one role requires roles.view', async () => {
  await expectAccessRules(instance, {
    method: 'GET',
    path,
    workspaceId: workspace.id,
    query: { workspaceId: workspace.id, roleId: workspace.ownerRoleId },
    permission: 'roles.view',
  })
})

test('replacing permissions requires roles.manage', async () => {
  await expectAccessRules(instance, {
    method: 'POST',
    path,
    workspaceId: workspace.id,
    body: {
      workspaceId: workspace.id,
      roleId: await instance.role(workspace.id, ['audit.view'], 5),
      permissions: '',
    },
    permission: 'roles.manage',
  })
})
