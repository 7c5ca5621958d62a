import type { Instance } from '../../support/instance.ts'
import type { LiveStream } from '../../support/live-stream.ts'
import type { Workspace } from '../workspaces/fixture.ts'

/** The resources that an owner receives if everything may have changed. */
export const OWNER_RESOURCES = [
  'api-keys',
  'appeals',
  'archives',
  'claims',
  'departments',
  'endpoint-controls',
  'erasures',
  'events',
  'imports',
  'inbox',
  'invitations',
  'jobs',
  'members',
  'moderation',
  'roles',
  'usage',
  'webhooks',
  'workspaces',
]

/** Makes a change that is sent as `moderation`. */
export const banPlayer = (instance: Instance, { id, ownerSession }: Workspace, userId = '261') =>
  instance.request('POST', '/api/moderation', {
    session: ownerSession,
    body: { workspaceId: id, action: 'ban', userId, reason: 'Exploiting' },
  })

/** Makes a change that is sent as `departments`. */
export const createDepartment = (instance: Instance, { id, key }: Workspace, name: string) =>
  instance.request('POST', '/api/departments', { key, body: { workspaceId: id, name } })

/** The resources received so far, each once. */
export const listResources = ({ events }: LiveStream) =>
  [...new Set(events.map(({ resource }) => resource))].sort()

/** Sends a last change, waits until its resource is received, and returns the others received until then. */
export async function resourcesBefore(
  stream: LiveStream,
  sendLast: () => Promise<unknown>,
  resource: string,
) {
  await sendLast()
  await stream.waitUntil(() => stream.events.some((event) => event.resource === resource))
  return listResources(stream).filter((received) => received !== resource)
}
