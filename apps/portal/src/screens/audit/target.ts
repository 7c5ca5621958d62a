import type { Permission } from '@reeve/core'
import type { SearchParams } from '../../app/search-params.ts'
import { type AuditEntry, type Snapshot, toSnapshot } from './audit-data.ts'

interface TargetKind {
  /** What it was called. */
  readonly name: (snapshot: Snapshot) => unknown
  /** More to tell it by. */
  readonly note?: (snapshot: Snapshot) => string
  /** Said where nothing is known of it any more. */
  readonly fallbackName: string
  /** Where it is, below the address of the workspace, and what a reader needs to go there. */
  readonly path: (id: string) => string
  /** What shows it there among others. */
  readonly search?: (id: string, name: string) => SearchParams
  readonly permission: Permission
}

const targetKinds: Readonly<Record<string, TargetKind>> = {
  record: {
    name: ({ userUsername, userId }) => userUsername ?? userId,
    note: ({ userUsername, userId, caseNumber }) =>
      `${userUsername ? `id ${String(userId)}, ` : ''}case ${String(caseNumber)}`,
    fallbackName: 'a player',
    path: (id) => `/moderation/cases/${id}`,
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
    name: ({ endpoint }) => endpoint,
    note: ({ mode }) => String(mode).replace('_', '-'),
    fallbackName: 'an endpoint',
    path: () => '/configuration/api/controls',
    permission: 'endpoint_controls.view',
  },
  workspace: {
    name: ({ groupName }) => groupName,
    fallbackName: 'the workspace',
    path: () => '/configuration/workspace',
    permission: 'workspace.view',
  },
  archive: {
    name: () => null,
    fallbackName: 'an archive',
    path: () => '/configuration/workspace',
    permission: 'workspace.view',
  },
}

/** What a change was made to, as a reader knows it. */
export interface AuditTarget {
  readonly name: string
  readonly note: string | null
  /** Its address, below that of the workspace; null where there is nowhere to go, or nothing that the reader may see. */
  readonly link: { readonly path: string; readonly search: SearchParams } | null
}

/** What a change was made to, and where it is. @param may what the reader may */
export function resolveTarget(entry: AuditEntry, permissions: ReadonlySet<Permission>): AuditTarget {
  const { targetKind, targetId, changes } = entry
  const kind = targetKinds[targetKind]
  if (!kind) return { name: targetKind, note: null, link: null }
  const snapshot = toSnapshot(changes?.after) ?? toSnapshot(changes?.before)
  const rawName = snapshot && kind.name(snapshot)
  const name = typeof rawName === 'string' ? rawName : null
  return {
    name: name ?? kind.fallbackName,
    note: (snapshot && kind.note?.(snapshot)) ?? null,
    link: permissions.has(kind.permission)
      ? { path: kind.path(targetId), search: kind.search?.(targetId, name ?? '') ?? {} }
      : null,
  }
}
