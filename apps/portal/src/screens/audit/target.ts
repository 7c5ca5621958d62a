import type { Permission } from '@reeve/core'
import type { Search } from '../../app/search.ts'
import { type Entry, type Snapshot, snapshotOf } from './data.ts'

interface Kind {
  /** What it was called. */
  readonly name: (of: Snapshot) => unknown
  /** More to tell it by. */
  readonly note?: (of: Snapshot) => string
  /** Said where nothing is known of it any more. */
  readonly nameless: string
  /** Where it is, below the address of the workspace, and what a reader needs to go there. */
  readonly path: (id: string) => string
  /** What shows it there among others. */
  readonly search?: (id: string, name: string) => Search
  readonly needs: Permission
}

const kinds: Readonly<Record<string, Kind>> = {
  record: {
    name: ({ userUsername, userId }) => userUsername ?? userId,
    note: ({ userUsername, userId, caseNumber }) =>
      `${userUsername ? `id ${String(userId)}, ` : ''}case ${String(caseNumber)}`,
    nameless: 'a player',
    path: (id) => `/moderation/cases/${id}`,
    needs: 'moderation.view',
  },
  event: {
    name: ({ title }) => title,
    nameless: 'an event',
    path: () => '/events',
    search: (id) => ({ event: id }),
    needs: 'events.view',
  },
  department: {
    name: ({ name }) => name,
    nameless: 'a department',
    path: () => '/departments',
    needs: 'departments.view',
  },
  member: {
    name: ({ username }) => username,
    nameless: 'a member',
    path: () => '/people',
    search: (_, name) => ({ q: name }),
    needs: 'members.view',
  },
  invitation: {
    name: ({ note }) => (note ? `the invitation “${String(note)}”` : null),
    nameless: 'an invitation',
    path: () => '/people',
    search: () => ({ tab: 'invitations' }),
    needs: 'members.manage',
  },
  role: {
    name: ({ name }) => name,
    nameless: 'a role',
    path: () => '/roles',
    search: (id) => ({ role: id }),
    needs: 'roles.view',
  },
  api_key: {
    name: ({ name }) => name,
    nameless: 'an API key',
    path: () => '/configuration/api/keys',
    needs: 'api_keys.manage',
  },
  endpoint_control: {
    name: ({ endpoint }) => endpoint,
    note: ({ mode }) => String(mode).replace('_', '-'),
    nameless: 'an endpoint',
    path: () => '/configuration/api/controls',
    needs: 'endpoint_controls.view',
  },
  workspace: {
    name: ({ groupName }) => groupName,
    nameless: 'the workspace',
    path: () => '/configuration/workspace',
    needs: 'workspace.view',
  },
  archive: {
    name: () => null,
    nameless: 'an archive',
    path: () => '/configuration/workspace',
    needs: 'workspace.view',
  },
}

/** What a change was made to, as a reader knows it. */
export interface Target {
  readonly name: string
  readonly note: string | null
  /** Its address, below that of the workspace; null where there is nowhere to go, or nothing that the reader may see. */
  readonly at: { readonly path: string; readonly search: Search } | null
}

/** What a change was made to, and where it is. @param may what the reader may */
export function targetOf(entry: Entry, may: ReadonlySet<Permission>): Target {
  const { targetKind, targetId, changes } = entry
  const kind = kinds[targetKind]
  if (!kind) return { name: targetKind, note: null, at: null }
  const of = snapshotOf(changes?.after) ?? snapshotOf(changes?.before)
  const told = of && kind.name(of)
  const name = typeof told === 'string' ? told : null
  return {
    name: name ?? kind.nameless,
    note: (of && kind.note?.(of)) ?? null,
    at: may.has(kind.needs)
      ? { path: kind.path(targetId), search: kind.search?.(targetId, name ?? '') ?? {} }
      : null,
  }
}
