import { timeZone } from '../format/locale.ts'

/** How long an early response may be used, in milliseconds: a screen that does not need it must not get old data later. */
const MAX_AGE_MS = 30_000

/** A response with the browser's times around it, in milliseconds since the epoch. */
interface EarlyResponse {
  readonly response: Response
  readonly sentAt: number
  readonly receivedAt: number
}

interface EarlyReads {
  /** Responses on their way, by their path and query. */
  earlyReads?: Map<string, Promise<EarlyResponse>>
}

const page: EarlyReads = globalThis as EarlyReads

/** A path with its query parameters besides `workspaceId`. */
type Read = readonly [path: string, query?: Readonly<Record<string, string>>]

const filterReads: readonly Read[] = [['/portal/api/saved-views'], ['/portal/api/actors']]

/** What the screens of a workspace read first, by their path below `/w/<id>`, exactly as they send it. */
const screenReads: Readonly<Record<string, readonly Read[]>> = {
  '': [['/portal/api/overview', { timeZone }]],
  '/moderation': [['/api/moderation', { limit: '10' }]],
  '/moderation/bans': [...filterReads, ['/api/moderation', { banList: 'true' }]],
  '/moderation/history': [...filterReads, ['/api/moderation', { banHistory: 'true' }]],
  '/moderation/records': [...filterReads, ['/api/moderation']],
  '/departments': [['/portal/api/departments']],
  '/people': [['/portal/api/roles'], ['/portal/api/members']],
  '/roles': [['/portal/api/roles'], ['/portal/api/roles/holdings']],
  '/configuration/api/keys': [['/portal/api/api-keys', { ended: 'false', limit: '200' }]],
  '/configuration/api/controls': [['/portal/api/endpoint-controls']],
  '/audit': [['/portal/api/audit']],
}

/** The reads of one player, and of one case. */
const playerReads = (userId: string): readonly Read[] => [
  ['/portal/api/players', { userId }],
  ['/api/moderation', { userId }],
]
const caseReads = (id: string): readonly Read[] => [['/api/moderation', { id, limit: '200' }]]

function listScreenReads(section: string): readonly Read[] {
  const [, kind, id = ''] = /^\/moderation\/(players|cases)\/([\w.:-]+)$/.exec(section) ?? []
  if (kind === undefined) return screenReads[section] ?? []
  return kind === 'players' ? playerReads(id) : caseReads(id)
}

/** What the screen at a URL reads first. A screen with filters in its URL is left to itself. */
function listEarlyPaths({ pathname, search }: { readonly pathname: string; readonly search: string }) {
  const [, workspaceId, section = ''] = /^\/w\/([\w-]+)(\/.*?)?\/?$/.exec(pathname) ?? []
  const reads = workspaceId === undefined || search !== '' ? [] : listScreenReads(section)
  return [
    '/portal/api/me',
    ...reads.map(
      ([path, query]) => `${path}?${new URLSearchParams({ workspaceId: `${workspaceId}`, ...query })}`,
    ),
  ]
}

async function readEarly(path: string): Promise<EarlyResponse> {
  const sentAt = Date.now()
  const response = await fetch(path, { headers: { accept: 'application/json' }, cache: 'no-store' })
  return { response, sentAt, receivedAt: Date.now() }
}

/** Sends the first requests before the scripts are loaded. Called by the script inside the page. */
export function startEarlyReads(url: { readonly pathname: string; readonly search: string }): void {
  page.earlyReads = new Map(listEarlyPaths(url).map((earlyPath) => [earlyPath, readEarly(earlyPath)]))
  // A failed request is reported to the reader that takes it.
  for (const response of page.earlyReads.values()) response.catch(() => null)
  setTimeout(() => page.earlyReads?.clear(), MAX_AGE_MS)
}

/** Whether there are responses that nothing has taken yet: while the first screen is opened. */
export const hasEarlyReads = (): boolean => (page.earlyReads?.size ?? 0) > 0

/** Takes the response to a request that the page has already sent. A second call for it returns undefined. */
export function takeEarlyRead(request: Request): Promise<EarlyResponse> | undefined {
  if (request.method !== 'GET') return undefined
  const { pathname, search } = new URL(request.url)
  const response = page.earlyReads?.get(pathname + search)
  page.earlyReads?.delete(pathname + search)
  return response
}
