import type { Permission } from '@reeve/core'
import { parseFilters } from './app/filter-parsers.ts'
import { parseSearchParams, type SearchParams } from './app/search-params.ts'
import type { DayRange } from './format/day-range.ts'
import { TIME_ZONE } from './paths.ts'
import { auditFilterParsers, auditQuery } from './screens/audit/audit-filters.ts'
import { findListQuery, type RecordListKind } from './screens/moderation/list-kinds.ts'
import { memberFilterParsers, membersQuery } from './screens/people/member-filters.ts'

/** A path with its query parameters besides `workspaceId`. */
type Read = readonly [path: string, query?: Readonly<Record<string, string>>]

/** What a screen reads by the filters in its URL; null if it is not known here. */
type FindReads = (workspaceId: string, search: SearchParams) => readonly Read[] | null

interface ScreenReads {
  /** What a user needs to see the screen; null if every member may. */
  readonly permission: Permission | null
  /** Without a function, a screen with search parameters is left to itself. */
  readonly reads: readonly Read[] | FindReads
}

const moderationReads = (...reads: readonly Read[]): ScreenReads => ({ permission: 'moderation.view', reads })

/** Days begin at midnight in the time zone of the browser, which the server does not know. */
const hasDays = ({ from, to }: DayRange): boolean => from !== undefined || to !== undefined

const filterReads: readonly Read[] = [['/portal/api/saved-views'], ['/portal/api/actors']]
const recordListReads = (kind: RecordListKind): ScreenReads => ({
  permission: 'moderation.view',
  reads: (_, search) => {
    const query = findListQuery(kind, search)
    if (query === null) return filterReads
    return hasDays(query) ? null : [...filterReads, ['/api/moderation', query]]
  },
})

/** What the screens of a workspace read first, by their path below `/w/<id>`, exactly as they send it. */
const screenReads: Readonly<Record<string, ScreenReads>> = {
  '': { permission: null, reads: [['/portal/api/overview', { timeZone: TIME_ZONE }]] },
  '/moderation': moderationReads(['/api/moderation', { limit: '10' }]),
  '/moderation/bans': recordListReads('bans'),
  '/moderation/mutes': recordListReads('mutes'),
  '/moderation/history': recordListReads('history'),
  '/moderation/records': recordListReads('records'),
  '/inbox': moderationReads(['/portal/api/inbox/counts'], ['/portal/api/inbox', { source: 'assigned' }]),
  '/moderation/approvals': moderationReads(['/api/moderation/approvals', { state: 'pending' }]),
  '/departments': { permission: 'departments.view', reads: [['/portal/api/departments']] },
  '/people': {
    permission: 'members.view',
    reads: (workspaceId, { tab, ...search }) =>
      tab === undefined
        ? [['/portal/api/members', membersQuery(workspaceId, parseFilters(memberFilterParsers, search))]]
        : null,
  },
  '/roles': {
    permission: 'roles.view',
    // The same for each view of them.
    reads: () => [['/portal/api/roles'], ['/portal/api/roles/holdings']],
  },
  '/configuration/api/keys': {
    permission: 'api_keys.manage',
    reads: [['/portal/api/api-keys', { ended: 'false', limit: '200' }]],
  },
  '/configuration/import': {
    permission: 'moderation.import',
    reads: [['/portal/api/imports', { limit: '20' }]],
  },
  '/configuration/webhooks': { permission: 'webhooks.manage', reads: [['/api/webhooks']] },
  '/configuration/reasons': {
    permission: 'moderation.view',
    reads: (_, { tab }) => (tab === undefined ? [['/api/moderation/templates', { limit: '200' }]] : null),
  },
  '/configuration/api/controls': {
    permission: 'endpoint_controls.view',
    reads: [['/portal/api/endpoint-controls']],
  },
  '/audit': {
    permission: 'audit.view',
    reads: (workspaceId, search) => {
      const filters = parseFilters(auditFilterParsers, search)
      return hasDays(filters) ? null : [['/portal/api/audit', auditQuery(workspaceId, filters)]]
    },
  },
}

/** The reads of a screen by its path below `/w/<id>`. */
function findScreenReads(section: string): ScreenReads | undefined {
  const [, kind, id = ''] = /^\/moderation\/(players|cases)\/([\w.:-]+)$/.exec(section) ?? []
  if (kind === 'players')
    return moderationReads(['/portal/api/players', { userId: id }], ['/api/moderation', { userId: id }])
  if (kind === 'cases') return moderationReads(['/api/moderation', { id, limit: '200' }])
  const [, webhookId] = /^\/configuration\/webhooks\/([\w-]+)$/.exec(section) ?? []
  if (webhookId !== undefined)
    return {
      permission: 'webhooks.manage',
      reads: [
        ['/api/webhooks', { id: webhookId }],
        ['/api/webhooks/deliveries', { webhookId }],
      ],
    }
  return screenReads[section]
}

/** What the first screen reads, for the script inside the page. */
export interface FirstReads {
  readonly permission: Permission | null
  /** Paths with their queries. */
  readonly urls: readonly string[]
}

/**
 * What the screen at a URL reads first. Only for signed-in users.
 * @param search the query of the URL
 * @returns null if it is not known
 */
export function findFirstReads({ pathname, search }: Pick<URL, 'pathname' | 'search'>): FirstReads | null {
  const [, workspaceId, section = ''] = /^\/w\/([\w-]+)(\/.*?)?\/?$/.exec(pathname) ?? []
  const screen = workspaceId === undefined ? undefined : findScreenReads(section)
  if (workspaceId === undefined || !screen) return null
  const reads =
    typeof screen.reads === 'function'
      ? screen.reads(workspaceId, parseSearchParams(search))
      : search === ''
        ? screen.reads
        : null
  if (reads === null) return null
  return {
    permission: screen.permission,
    urls: reads.map(([path, query]) => `${path}?${new URLSearchParams({ workspaceId, ...query })}`),
  }
}
