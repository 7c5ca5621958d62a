import type { Permission } from '@reeve/core'
import type { Scene } from './scene.ts'

type Where = Pick<Scene, 'place' | 'workspaceId'> & { readonly owner: { readonly session: string } }

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

/** The roles of a staff that has grown, from the highest down. */
const staff = [
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

type Key = (typeof staff)[number]['key']

const people: readonly (readonly [string, readonly Key[]])[] = [
  ['lee', ['lead']],
  ['juniper', ['moderator']],
  ['ash', ['moderator', 'trainer']],
  ['ada', ['admin']],
  ['sena', ['senior', 'trainer']],
  ['newcomer', []],
]

async function settle({ place, owner, workspaceId }: Where) {
  const { session } = owner
  const ids = new Map<Key, string>()
  for (const { key, permissions, ...role } of staff) {
    const body = { workspaceId, ...role, permissions: JSON.stringify(permissions) }
    ids.set(key, (await place.must('POST', '/portal/api/roles', { session, body })).body.role.id)
  }
  for (const [username, keys] of people) {
    await place.account(username)
    const roleIds = keys.map((key) => ids.get(key)).join(',')
    await place.must('POST', '/portal/api/members', { session, body: { workspaceId, username, roleIds } })
  }
  return {
    /** Ids of the roles. */
    roles: Object.fromEntries(ids) as Readonly<Record<Key, string>>,
    /** A session of `lee`, who manages members and roles below 100, and may not ban. */
    lead: await place.session('lee'),
    /** A session of a member without a role. */
    newcomer: await place.session('newcomer'),
  }
}

const settled = new WeakMap<object, ReturnType<typeof settle>>()

/** A staff of several ranks, made once a place. */
export function peopleIn(where: Where): ReturnType<typeof settle> {
  const known = settled.get(where.place) ?? settle(where)
  settled.set(where.place, known)
  return known
}
