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

/** The reads of the screens that open most often, by the path below `/w/<id>`, exactly as the screens send them. */
const SCREEN_READS: readonly (readonly [
  RegExp,
  (workspaceId: string, userId: string) => readonly string[],
])[] = [
  [
    /^\/w\/([\w-]+)\/?$/,
    (workspaceId) => [`/portal/api/overview?${new URLSearchParams({ workspaceId, timeZone })}`],
  ],
  [
    /^\/w\/([\w-]+)\/moderation\/players\/([\w.:-]+)$/,
    (workspaceId, userId) => [
      `/portal/api/players?${new URLSearchParams({ workspaceId, userId })}`,
      `/api/moderation?${new URLSearchParams({ workspaceId, userId })}`,
    ],
  ],
]

/** What the screen at a path reads first. */
function listEarlyPaths(path: string): readonly string[] {
  const screenPaths = SCREEN_READS.flatMap(([pattern, listPaths]) => {
    const [, workspaceId, userId = ''] = pattern.exec(path) ?? []
    return workspaceId === undefined ? [] : listPaths(workspaceId, userId)
  })
  return ['/portal/api/me', ...screenPaths]
}

async function readEarly(path: string): Promise<EarlyResponse> {
  const sentAt = Date.now()
  const response = await fetch(path, { headers: { accept: 'application/json' }, cache: 'no-store' })
  return { response, sentAt, receivedAt: Date.now() }
}

/** Sends the first requests before the scripts are loaded. Called by the script inside the page. */
export function startEarlyReads(path: string): void {
  page.earlyReads = new Map(listEarlyPaths(path).map((earlyPath) => [earlyPath, readEarly(earlyPath)]))
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
