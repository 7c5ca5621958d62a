import type { paths } from '../../dist/api/portal.d.ts'
import type { FirstReads } from '../first-reads.ts'
import { timeZone } from '../format/locale.ts'
import { TIME_ZONE } from '../paths.ts'
import { type EarlyResponse, page } from './early-reads.ts'

const ME_PATH = '/portal/api/me'
type Me = paths[typeof ME_PATH]['get']['responses'][200]['content']['application/json']

/** How long an early response may be used, in milliseconds: a screen that does not need it must not get old data later. */
const MAX_AGE_MS = 30_000

async function readEarly(path: string): Promise<EarlyResponse> {
  const sentAt = Date.now()
  const response = await fetch(path, { headers: { accept: 'application/json' }, cache: 'no-store' })
  return { response, sentAt, receivedAt: Date.now() }
}

/** Whether the user may see a screen of a workspace, and no endpoint of the workspace is restricted. */
async function canSee(me: Promise<EarlyResponse>, workspaceId: string, permission: FirstReads['permission']) {
  const { response } = await me
  if (!response.ok) return false
  const { workspaces }: Me = await response.clone().json()
  const workspace = workspaces.find(({ id }) => id === workspaceId)
  if (!workspace || workspace.restrictedEndpoints.length > 0) return false
  return permission === null || (JSON.parse(workspace.permissions) as string[]).includes(permission)
}

/**
 * Sends the first requests before the scripts are loaded: for the user, and as soon as it is known what they may see, for the
 * data of the screen. Called by the script inside the page.
 */
export function startEarlyReads(): void {
  const me = readEarly(ME_PATH)
  page.earlyReads = new Map([[ME_PATH, me]])
  const { firstReads } = document.documentElement.dataset
  if (firstReads !== undefined) {
    const { permission, urls }: FirstReads = JSON.parse(firstReads)
    const workspaceId = location.pathname.split('/')[2] ?? ''
    const isAllowed = canSee(me, workspaceId, permission).catch(() => false)
    page.hasEarlyData = isAllowed
    for (const template of urls) {
      const url = template.replace(TIME_ZONE, encodeURIComponent(timeZone))
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
