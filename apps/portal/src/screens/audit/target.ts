import type { Permission } from '@reeve/core'
import type { SearchParams } from '../../app/search-params.ts'
import { type AuditEntry, type Snapshot, toSnapshot } from './audit-data.ts'
import { formatEndpoint, formatMode } from './format-endpoint.ts'

interface TargetKind {
  /** The name of the target. @param isRemoved whether it is gone after the change */
  readonly name: (snapshot: Snapshot, isRemoved: boolean) => unknown
  /** Further identification, shown in parentheses. */
  readonly note?: (snapshot: Snapshot) => string
  /** Shown if the log has no name for it. */
  readonly fallbackName: string
  /** The page of the target, relative to the workspace, and the permission that the page requires. */
  readonly path: (id: string) => string
  /** Search parameters that select the target on that page. */
  readonly search?: (id: string, name: string) => SearchParams
  readonly permission: Permission
}

/** The rules, or a run that has deleted records. */
const retention: TargetKind = {
  name: ({ records }) => records && `${String(records)} old cases`,
  fallbackName: 'the retention rules',
  path: () => '/configuration/retention',
  permission: 'moderation.view',
}

const targetKinds: Readonly<Record<string, TargetKind>> = {
  record: {
    name: ({ userUsername, userId }) => userUsername ?? userId,
    note: ({ userUsername, userId, caseNumber }) =>
      `${userUsername ? `ID ${String(userId)}, ` : ''}case ${String(caseNumber)}`,
    fallbackName: 'a player',
    path: (id) => `/moderation/cases/${id}`,
    permission: 'moderation.view',
  },
  appeal: {
    name: ({ userUsername, userId }) => userUsername ?? userId,
    note: ({ caseNumber }) => `case ${String(caseNumber)}`,
    fallbackName: 'a player',
    path: (id) => `/appeals/${id}`,
    permission: 'appeals.view',
  },
  appeal_settings: {
    name: () => null,
    fallbackName: 'how appeals work',
    path: () => '/configuration/appeals',
    permission: 'appeals.view',
  },
  retention,
  retention_run: retention,
  assignment: {
    name: ({ username, caseNumber }, isRemoved) =>
      `${caseNumber ? `case ${String(caseNumber)}` : 'a case'} ${isRemoved ? 'from' : 'to'} ${String(username)}`,
    fallbackName: 'a case',
    path: (id) => `/moderation/cases/${id}`,
    permission: 'moderation.view',
  },
  pinned_note: {
    name: ({ userId }) => userId,
    fallbackName: 'a player',
    path: () => '/moderation',
    permission: 'moderation.view',
  },
  player_link: {
    name: ({ userId, linkedUserId }) => `${String(userId)} and ${String(linkedUserId)}`,
    fallbackName: 'two players',
    path: () => '/moderation',
    permission: 'moderation.view',
  },
  saved_view: {
    name: ({ name }) => name,
    fallbackName: 'a view',
    path: () => '/moderation/records',
    permission: 'moderation.view',
  },
  template: {
    name: ({ name }) => name,
    fallbackName: 'a template',
    path: () => '/configuration/reasons',
    permission: 'moderation.view',
  },
  ladder: {
    name: ({ name }) => name,
    fallbackName: 'a ladder',
    path: () => '/configuration/reasons',
    permission: 'moderation.view',
  },
  event: {
    name: ({ title }) => title,
    fallbackName: 'an event',
    path: () => '/events',
    search: (id) => ({ event: id }),
    permission: 'events.view',
  },
  department: {
    name: ({ name }) => name,
    fallbackName: 'a department',
    path: () => '/departments',
    permission: 'departments.view',
  },
  member: {
    name: ({ username }) => username,
    fallbackName: 'a member',
    path: () => '/people',
    search: (_, name) => ({ q: name }),
    permission: 'members.view',
  },
  invitation: {
    name: ({ note }) => (note ? `the invitation “${String(note)}”` : null),
    fallbackName: 'an invitation',
    path: () => '/people',
    search: () => ({ tab: 'invitations' }),
    permission: 'members.manage',
  },
  role: {
    name: ({ name }) => name,
    fallbackName: 'a role',
    path: () => '/roles',
    search: (id) => ({ role: id }),
    permission: 'roles.view',
  },
  api_key: {
    name: ({ name }) => name,
    fallbackName: 'an API key',
    path: () => '/configuration/api/keys',
    permission: 'api_keys.manage',
  },
  endpoint_control: {
    name: ({ endpoint }) => formatEndpoint(String(endpoint)),
    note: ({ mode }) => formatMode(String(mode)),
    fallbackName: 'an endpoint',
    path: () => '/configuration/api/controls',
    permission: 'endpoint_controls.view',
  },
  account: {
    name: () => null,
    fallbackName: 'a deleted account',
    path: () => '/people',
    search: () => ({ tab: 'deleted' }),
    permission: 'members.manage',
  },
  webhook: {
    name: ({ name }) => name,
    note: ({ host }) => String(host),
    fallbackName: 'a webhook',
    path: (id) => `/configuration/webhooks/${id}`,
    permission: 'webhooks.manage',
  },
  batch: {
    name: () => null,
    fallbackName: 'a batch',
    path: () => '/batches',
    search: (id) => ({ batch: id }),
    permission: 'moderation.bulk',
  },
  workspace: {
    name: ({ groupName }) => groupName,
    fallbackName: 'the workspace',
    path: () => '/configuration/workspace',
    permission: 'workspace.view',
  },
  import: {
    name: ({ fileName }) => fileName,
    fallbackName: 'a file',
    path: () => '/configuration/import',
    permission: 'moderation.import',
  },
  erasure: {
    name: () => null,
    fallbackName: 'the erasure of a player',
    path: () => '/configuration/erasures',
    permission: 'moderation.erase',
  },
  archive: {
    name: () => null,
    fallbackName: 'an archive',
    path: () => '/configuration/workspace',
    permission: 'workspace.view',
  },
}

/** The target of a change. */
export interface AuditTarget {
  readonly name: string
  readonly note: string | null
  /** Its page, relative to the workspace; null if it has none or the user may not see it. */
  readonly link: { readonly path: string; readonly search: SearchParams } | null
}

/** `Builderman (ID 261, case 1)` */
export const formatTarget = ({ name, note }: AuditTarget): string =>
  note === null ? name : `${name} (${note})`

/** Resolves the name and page of a change's target. @param permissions the user's permissions */
export function resolveTarget(entry: AuditEntry, permissions: ReadonlySet<Permission>): AuditTarget {
  const { targetKind, targetId, changes } = entry
  const kind = targetKinds[targetKind]
  if (!kind) return { name: targetKind, note: null, link: null }
  const after = toSnapshot(changes?.after)
  const snapshot = after ?? toSnapshot(changes?.before)
  const rawName = snapshot && kind.name(snapshot, after === null)
  const name = typeof rawName === 'string' ? rawName : null
  return {
    name: name ?? kind.fallbackName,
    note: (snapshot && kind.note?.(snapshot)) ?? null,
    link: permissions.has(kind.permission)
      ? { path: kind.path(targetId), search: kind.search?.(targetId, name ?? '') ?? {} }
      : null,
  }
}
