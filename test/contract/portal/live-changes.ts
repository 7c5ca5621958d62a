import type { Follower } from '../../support/follow.ts'
import type { Instance } from '../../support/instance.ts'
import type { Workspace } from '../workspaces/world.ts'

/** What an owner is told of where everything may have changed. */
export const ALL = [
  'api-keys',
  'archives',
  'departments',
  'endpoint-controls',
  'events',
  'invitations',
  'members',
  'moderation',
  'roles',
  'usage',
  'workspaces',
]

/** A change that is told of as one of moderation. */
export const ban = (instance: Instance, { id, ownerSession }: Workspace, userId = '261') =>
  instance.call('POST', '/api/moderation', {
    session: ownerSession,
    body: { workspaceId: id, action: 'ban', userId, reason: 'Exploiting' },
  })

/** A change that is told of as one of departments. */
export const department = (instance: Instance, { id, key }: Workspace, name: string) =>
  instance.call('POST', '/api/departments', { key, body: { workspaceId: id, name } })

/** What was told of so far, each once. */
export const resources = ({ told }: Follower) => [...new Set(told.map(({ resource }) => resource))].sort()

/** What was told up to a change that comes last, without that. */
export async function toldBefore(follower: Follower, last: () => Promise<unknown>, resource: string) {
  await last()
  await follower.until(() => follower.told.some((one) => one.resource === resource))
  return resources(follower).filter((one) => one !== resource)
}
