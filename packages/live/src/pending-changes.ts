import type { LiveResource } from '@reeve/core'
import type { DataChange } from '@reeve/db'

/**
 * The resources that show a row of each kind: members and invitations show roles, departments show members, keys and webhooks
 * whether their creator still is one, usage shows the quota. What is off or read-only shows in the workspace to every member,
 * whether they may view endpoint controls or not.
 */
const resourcesByKind: Readonly<Record<DataChange['kind'], readonly LiveResource[]>> = {
  record: ['moderation'],
  batch: ['moderation'],
  department: ['departments'],
  saved_view: ['moderation'],
  template: ['moderation'],
  ladder: ['moderation'],
  claim: ['claims', 'inbox'],
  assignment: ['claims', 'inbox'],
  mention: ['inbox'],
  pinned_note: ['moderation'],
  player_link: ['moderation'],
  appeal: ['appeals', 'inbox'],
  appeal_settings: ['appeals'],
  approval: ['inbox'],
  retention: ['moderation'],
  event: ['events'],
  workspace: ['workspaces', 'archives', 'usage'],
  workspace_job: ['jobs', 'archives'],
  role: ['roles', 'members', 'invitations'],
  member: ['members', 'roles', 'departments', 'invitations', 'api-keys', 'webhooks'],
  api_key: ['api-keys'],
  endpoint_control: ['endpoint-controls', 'workspaces'],
  invitation: ['invitations'],
  webhook: ['webhooks'],
  import: ['imports'],
  erasure: ['erasures'],
}

export const affectedResources = ({ kind }: Pick<DataChange, 'kind'>): readonly LiveResource[] =>
  resourcesByKind[kind]

export const isChangeKind = (kind: string): kind is DataChange['kind'] => Object.hasOwn(resourcesByKind, kind)

/** Changes not yet sent: a resource, and whether only drafts of it have changed. */
export type PendingChanges = Map<LiveResource, { draftsOnly: boolean }>

/** Adds a change. A pending change of anything but drafts stays one. */
export function addPending(pending: PendingChanges, resource: LiveResource, draftsOnly: boolean): void {
  pending.set(resource, { draftsOnly: draftsOnly && (pending.get(resource)?.draftsOnly ?? true) })
}
