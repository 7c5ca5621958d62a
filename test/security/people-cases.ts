import type { Scene, ServiceCase } from './service-case.ts'

const ROLES = 'permissions/src/change.ts'
const ASSIGN = 'members/src/assign.ts'
const KEYS = ['auth/src/api-keys/create.ts', 'auth/src/api-keys/lifecycle.ts']
const INVITATIONS = 'members/src/invitations/pending.ts'

const RANK = 30

const createRole = ({ instance, workspace }: Scene, rank = RANK) =>
  instance.role(workspace.id, ['usage.view'], rank)

/** Creates a key as somebody of this rank does. @returns its id */
async function createRankedKey({ instance, workspace, create }: Scene, rank: number): Promise<string> {
  await instance.key(workspace.id, ['usage.view'], { rank })
  const { apiKeys } = await create('GET', '/portal/api/api-keys', {})
  const created = apiKeys.find((key: { permissions: string }) => key.permissions === '["usage.view"]')
  return String(created.id)
}

/** What `docs/portal.md` says about roles, members, invitations and API keys beyond the permission of the route. */
export const peopleCases: readonly ServiceCase[] = [
  {
    name: 'create a role with a permission',
    reaches: [ROLES],
    requires: ['roles.manage', 'usage.view'],
    rejectedRank: RANK,
    prepare: async ({ send }) =>
      send('POST', '/portal/api/roles', { name: 'Analysts', rank: `${RANK}`, permissions: 'usage.view' }),
  },
  {
    name: 'add a permission to a role',
    reaches: [ROLES],
    requires: ['roles.manage', 'audit.view'],
    rejectedRank: RANK,
    prepare: async (scene) =>
      scene.send('PATCH', '/portal/api/roles', {
        id: await createRole(scene),
        permissions: 'usage.view,audit.view',
      }),
  },
  {
    name: 'add a permission to a role with an API key',
    reaches: [ROLES],
    requires: ['roles.manage', 'audit.view'],
    callers: 'key',
    prepare: async (scene) =>
      scene.send('POST', '/api/_workspace-permissions', {
        roleId: await createRole(scene),
        permissions: 'usage.view,audit.view',
      }),
  },
  {
    name: 'add a permission to a role, in a list of roles',
    reaches: [ROLES],
    requires: ['roles.manage', 'audit.view'],
    rejectedRank: RANK,
    prepare: async (scene) => {
      const roles = [
        { id: await createRole(scene, 5), permissions: 'usage.view', version: '1' },
        { id: await createRole(scene), permissions: 'usage.view,audit.view', version: '1' },
      ]
      return scene.send('POST', '/portal/api/roles/permissions', { roles: JSON.stringify(roles) })
    },
  },
  {
    name: 'raise a role to a rank',
    reaches: [ROLES],
    requires: ['roles.manage'],
    rejectedRank: RANK + 5,
    prepare: async (scene) =>
      scene.send('PATCH', '/portal/api/roles', { id: await createRole(scene), rank: `${RANK + 5}` }),
  },
  {
    name: 'reorder a role',
    reaches: [ROLES],
    requires: ['roles.manage'],
    rejectedRank: RANK,
    prepare: async (scene) => {
      const id = await createRole(scene)
      return scene.send('POST', '/portal/api/roles/ranks', {
        ranks: `${id}:5:1`,
      })
    },
  },
  {
    name: 'delete a role',
    reaches: [ROLES],
    requires: ['roles.manage'],
    rejectedRank: RANK,
    prepare: async (scene) => scene.send('DELETE', '/portal/api/roles', { id: await createRole(scene) }),
  },
  {
    name: 'assign a role to a member',
    reaches: [ASSIGN, 'members/src/change.ts'],
    requires: ['members.manage', 'usage.view'],
    rejectedRank: RANK,
    prepare: async (scene) => {
      const { accountId } = await scene.instance.member(scene.workspace.id, [], 1)
      return scene.send('PATCH', '/portal/api/members', { accountId, roleIds: await createRole(scene) })
    },
  },
  {
    name: 'remove a member',
    reaches: ['members/src/change.ts'],
    requires: ['members.manage'],
    rejectedRank: RANK,
    prepare: async ({ instance, workspace, send }) => {
      const { accountId } = await instance.member(workspace.id, ['usage.view'], RANK)
      return send('DELETE', '/portal/api/members', { accountId })
    },
  },
  {
    name: 'invite somebody with a role',
    reaches: [ASSIGN],
    requires: ['members.manage', 'usage.view'],
    rejectedRank: RANK,
    prepare: async (scene) =>
      scene.send('POST', '/portal/api/invitations', { roleIds: await createRole(scene) }),
  },
  {
    name: 'withdraw an invitation',
    reaches: [INVITATIONS],
    requires: ['members.manage'],
    rejectedRank: RANK,
    prepare: async (scene) => {
      const roleIds = await createRole(scene)
      const { invitation } = await scene.create('POST', '/portal/api/invitations', { roleIds })
      return scene.send('DELETE', '/portal/api/invitations', { id: invitation.id })
    },
  },
  {
    name: 'create an API key with a permission',
    reaches: KEYS,
    requires: ['api_keys.manage', 'usage.view'],
    prepare: async ({ send }) =>
      send('POST', '/portal/api/api-keys', { name: 'bot', permissions: 'usage.view' }),
  },
  {
    name: 'rotate an API key with a permission',
    reaches: KEYS,
    requires: ['api_keys.manage', 'usage.view'],
    rejectedRank: RANK - 1,
    prepare: async (scene) =>
      scene.send('POST', '/portal/api/api-keys/rotate', { id: await createRankedKey(scene, RANK) }),
  },
  {
    name: 'revoke an API key',
    reaches: KEYS,
    requires: ['api_keys.manage'],
    rejectedRank: RANK - 1,
    prepare: async (scene) =>
      scene.send('POST', '/portal/api/api-keys/revoke', { id: await createRankedKey(scene, RANK) }),
  },
]
