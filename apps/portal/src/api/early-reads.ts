import type { Permission } from '@reeve/core'
import type { paths } from '../../dist/api/portal.d.ts'
import { timeZone } from '../format/locale.ts'

const ME_PATH = '/portal/api/me'
type Me = paths[typeof ME_PATH]['get']['responses'][200]['content']['application/json']

/** How long an early response may be used, in milliseconds: a screen that does not need it must not get old data later. */
const MAX_AGE_MS = 30_000

/** A response with the browser's times around it, in milliseconds since the epoch. */
interface EarlyResponse {
  readonly response: Response
  readonly sentAt: number
  readonly receivedAt: number
}

interface EarlyReads {
  /** Responses on their way, by their path and query; null for what the user may not read. */
  earlyReads?: Map<string, Promise<EarlyResponse | null>>
}

const page: EarlyReads = globalThis as EarlyReads

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
  '': { permission: null, reads: [['/portal/api/overview', { timeZone }]] },
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

async function readEarly(path: string): Promise<EarlyResponse> {
  const sentAt = Date.now()
  const response = await fetch(path, { headers: { accept: 'application/json' }, cache: 'no-store' })
  return { response, sentAt, receivedAt: Date.now() }
}

/** Whether the user may see a screen of a workspace, and no endpoint of the workspace is restricted. */
async function canSee(me: Promise<EarlyResponse>, workspaceId: string, permission: Permission | null) {
  const { response } = await me
  if (!response.ok) return false
  const { workspaces }: Me = await response.clone().json()
  const workspace = workspaces.find(({ id }) => id === workspaceId)
  if (!workspace || workspace.restrictedEndpoints.length > 0) return false
  return permission === null || (JSON.parse(workspace.permissions) as string[]).includes(permission)
}

/**
 * Sends the first requests before the scripts are loaded: for the user, and as soon as it is known what they may see, for the
 * data of the screen. A screen with filters in its URL is left to itself. Called by the script inside the page.
 */
export function startEarlyReads({
  pathname,
  search,
}: {
  readonly pathname: string
  readonly search: string
}): void {
  const me = readEarly(ME_PATH)
  page.earlyReads = new Map([[ME_PATH, me]])
  const [, workspaceId, section = ''] = /^\/w\/([\w-]+)(\/.*?)?\/?$/.exec(pathname) ?? []
  const screen = findScreenReads(section)
  if (workspaceId !== undefined && screen && search === '') {
    const isAllowed = canSee(me, workspaceId, screen.permission)
    for (const [path, query] of screen.reads) {
      const url = `${path}?${new URLSearchParams({ workspaceId, ...query })}`
      page.earlyReads.set(
        url,
        isAllowed.then((allowed) => (allowed ? readEarly(url) : null)),
      )
    }
  }
  // A failed request is reported to the reader that takes it.
  for (const response of page.earlyReads.values()) response.catch(() => null)
  setTimeout(() => page.earlyReads?.clear(), MAX_AGE_MS)
}

/** Whether there are responses that nothing has taken yet: while the first screen is opened. */
export const hasEarlyReads = (): boolean => (page.earlyReads?.size ?? 0) > 0

/** Takes the response to a request that the page has already sent. @returns null if it was not sent, or is taken already */
export async function takeEarlyRead(request: Request): Promise<EarlyResponse | null> {
  if (request.method !== 'GET') return null
  const { pathname, search } = new URL(request.url)
  const response = page.earlyReads?.get(pathname + search)
  page.earlyReads?.delete(pathname + search)
  return (await response) ?? null
}
