import { allows, type Holder, type Permission } from '@reeve/core'
import type { Change } from '@reeve/db'

/** What may be told to have changed, each with what it takes to hear of it; null where belonging is enough. */
const heardWith = {
  moderation: 'moderation.view',
  departments: 'departments.view',
  events: 'events.view',
  workspaces: null,
  roles: 'roles.view',
  members: 'members.view',
  'api-keys': 'api_keys.manage',
  'endpoint-controls': 'endpoint_controls.view',
  archives: 'workspace.view',
  invitations: 'members.manage',
  usage: 'usage.view',
} as const satisfies Record<string, Permission | null>

export type LiveResource = keyof typeof heardWith

export const liveResources = Object.keys(heardWith) as readonly LiveResource[]

/** What a change shows in: a list of members tells their roles, a department who is in it, a workspace its quota. */
const shownIn: Readonly<Record<Change['kind'], readonly LiveResource[]>> = {
  record: ['moderation'],
  department: ['departments'],
  event: ['events'],
  workspace: ['workspaces', 'archives', 'usage'],
  role: ['roles', 'members'],
  member: ['members', 'roles', 'departments'],
  api_key: ['api-keys'],
  endpoint_control: ['endpoint-controls'],
  invitation: ['invitations'],
}

export const resourcesOf = ({ kind }: Pick<Change, 'kind'>): readonly LiveResource[] => shownIn[kind]

export const isKind = (word: string): word is Change['kind'] => Object.hasOwn(shownIn, word)

/** What waits to be told: a resource, and whether only drafts of it have changed. */
export type Pending = Map<LiveResource, { draftsOnly: boolean }>

/** Adds a change to what waits; that of a published event is wider than that of a draft. */
export function addTo(pending: Pending, resource: LiveResource, draftsOnly: boolean): void {
  pending.set(resource, { draftsOnly: draftsOnly && (pending.get(resource)?.draftsOnly ?? true) })
}

/** Whether someone may hear that it has changed. */
export function mayHear(holder: Holder, resource: LiveResource, draftsOnly: boolean): boolean {
  const needed = heardWith[resource]
  if (needed !== null && !allows(holder, needed)) return false
  return !draftsOnly || allows(holder, 'events.manage')
}
