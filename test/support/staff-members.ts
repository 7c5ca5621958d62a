import type { Permission } from '@reeve/core'
import type { ScreenContext } from './screen-states.ts'

type WorkspaceOwner = Pick<ScreenContext, 'server' | 'workspaceId'> & {
  readonly owner: { readonly session: string }
}

const lead: readonly Permission[] = [
  'moderation.view',
  'moderation.note',
  'moderation.warn',
  'moderation.mute',
  'moderation.kick',
  'departments.view',
  'events.view',
  'roles.view',
  'roles.manage',
  'members.view',
  'members.manage',
]

/** Roles of a typical staff, highest rank first. */
const roleDefinitions = [
  {
    key: 'admin',
    name: 'Administrator',
    color: '#9a4fc9',
    rank: '500',
    permissions: ['moderation.ban', 'audit.view'],
  },
  { key: 'lead', name: 'Lead', color: '#2f7de1', rank: '100', permissions: lead },
  {
    key: 'senior',
    name: 'Senior moderator',
    color: '#1f9c93',
    rank: '50',
    permissions: ['moderation.view', 'moderation.warn', 'moderation.ban', 'moderation.unban'],
  },
  {
    key: 'moderator',
    name: 'Moderator',
    color: '#3f9b4f',
    rank: '20',
    permissions: ['moderation.view', 'moderation.note', 'moderation.warn'],
  },
  { key: 'trainer', name: 'Trainer', rank: '20', permissions: ['events.view', 'moderation.view'] },
] as const

type RoleKey = (typeof roleDefinitions)[number]['key']

const memberDefinitions: readonly (readonly [string, readonly RoleKey[]])[] = [
  ['lee', ['lead']],
  ['juniper', ['moderator']],
  ['ash', ['moderator', 'trainer']],
  ['ada', ['admin']],
  ['sena', ['senior', 'trainer']],
  ['newcomer', []],
]

async function createStaff({ server, owner, workspaceId }: WorkspaceOwner) {
  const { session } = owner
  const ids = new Map<RoleKey, string>()
  for (const { key, permissions, ...role } of roleDefinitions) {
    const body = { workspaceId, ...role, permissions: JSON.stringify(permissions) }
    ids.set(key, (await server.requestOk('POST', '/portal/api/roles', { session, body })).body.role.id)
  }
  for (const [username, keys] of memberDefinitions) {
    const roleIds = keys.map((key) => ids.get(key)).join(',')
    await server.addMember({ workspaceId, session }, username, roleIds)
  }
  return {
    /** Role ids. */
    roles: Object.fromEntries(ids) as Readonly<Record<RoleKey, string>>,
    /** Session of `lee`, who manages members and roles below rank 100 and may not ban. */
    lead: await server.session('lee'),
    /** Session of a member without a role. */
    newcomer: await server.session('newcomer'),
  }
}

const staffByServer = new WeakMap<object, ReturnType<typeof createStaff>>()

/** Members of several ranks, created once per server. */
export function getStaff(target: WorkspaceOwner): ReturnType<typeof createStaff> {
  const existing = staffByServer.get(target.server) ?? createStaff(target)
  staffByServer.set(target.server, existing)
  return existing
}
