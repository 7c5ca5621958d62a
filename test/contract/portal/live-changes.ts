import type { Instance } from '../../support/instance.ts'
import type { LiveStream } from '../../support/live-stream.ts'
import type { Workspace } from '../workspaces/fixture.ts'

/** What an owner is told of where everything may have changed. */
export const OWNER_RESOURCES = [
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
export const banPlayer = (instance: Instance, { id, ownerSession }: Workspace, userId = '261') =>
  instance.request('POST', '/api/moderation', {
    session: ownerSession,
    body: { workspaceId: id, action: 'ban', userId, reason: 'Exploiting' },
  })

/** A change that is told of as one of departments. */
export const createDepartment = (instance: Instance, { id, key }: Workspace, name: string) =>
  instance.request('POST', '/api/departments', { key, body: { workspaceId: id, name } })

/** What was told of so far, each once. */
export const listResources = ({ events }: LiveStream) =>
  [...new Set(events.map(({ resource }) => resource))].sort()

/** What was told up to a change that comes last, without that. */
export async function resourcesBefore(
  stream: LiveStream,
  sendLast: () => Promise<unknown>,
  resource: string,
) {
  await sendLast()
  await stream.waitUntil(() => stream.events.some((event) => event.resource === resource))
  return listResources(stream).filter((event) => event !== resource)
}
