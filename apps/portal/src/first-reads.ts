import type { Permission } from '@reeve/core'
import { TIME_ZONE } from './paths.ts'

/** A path with its query parameters besides `workspaceId`. */
type Read = readonly [path: string, query?: Readonly<Record<string, string>>]

interface ScreenReads {
  /** What a user needs to see the screen; null if every member may. */
  readonly permission: Permission | null
  readonly reads: readonly Read[]
}

const moderationReads = (...reads: readonly Read[]): ScreenReads => ({ permission: 'moderation.view', reads })
const filterReads: readonly Read[] = [['/portal/api/saved-views'], ['/portal/api/actors']]

/** What the screens of a workspace read first, by their path below `/w/<id>`, exactly as they send it. */
const screenReads: Readonly<Record<string, ScreenReads>> = {
  '': { permission: null, reads: [['/portal/api/overview', { timeZone: TIME_ZONE }]] },
  '/moderation': moderationReads(['/api/moderation', { limit: '10' }]),
  '/moderation/bans': moderationReads(...filterReads, ['/api/moderation', { banList: 'true' }]),
  '/moderation/history': moderationReads(...filterReads, ['/api/moderation', { banHistory: 'true' }]),
  '/moderation/records': moderationReads(...filterReads, ['/api/moderation']),
  '/departments': { permission: 'departments.view', reads: [['/portal/api/departments']] },
  '/people': { permission: 'members.view', reads: [['/portal/api/members']] },
  '/roles': { permission: 'roles.view', reads: [['/portal/api/roles'], ['/portal/api/roles/holdings']] },
  '/configuration/api/keys': {
    permission: 'api_keys.manage',
    reads: [['/portal/api/api-keys', { ended: 'false', limit: '200' }]],
  },
  '/configuration/api/controls': {
    permission: 'endpoint_controls.view',
    reads: [['/portal/api/endpoint-controls']],
  },
  '/audit': { permission: 'audit.view', reads: [['/portal/api/audit']] },
}

/** The reads of a screen by its path below `/w/<id>`. */
function findScreenReads(section: string): ScreenReads | undefined {
  const [, kind, id = ''] = /^\/moderation\/(players|cases)\/([\w.:-]+)$/.exec(section) ?? []
  if (kind === 'players')
    return moderationReads(['/portal/api/players', { userId: id }], ['/api/moderation', { userId: id }])
  if (kind === 'cases') return moderationReads(['/api/moderation', { id, limit: '200' }])
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
 * @param search the query of the URL: a screen with filters is left to itself
 * @returns null if it is not known
 */
export function findFirstReads({ pathname, search }: Pick<URL, 'pathname' | 'search'>): FirstReads | null {
  const [, workspaceId, section = ''] = /^\/w\/([\w-]+)(\/.*?)?\/?$/.exec(pathname) ?? []
  const screen = workspaceId === undefined || search !== '' ? undefined : findScreenReads(section)
  if (workspaceId === undefined || !screen) return null
  return {
    permission: screen.permission,
    urls: screen.reads.map(([path, query]) => `${path}?${new URLSearchParams({ workspaceId, ...query })}`),
  }
}
