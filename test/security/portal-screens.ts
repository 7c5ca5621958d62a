import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instance } from '../support/instance.ts'
import { listScreenStates } from '../support/screen-states.ts'
import type { Tenant } from './tenant.ts'

const PORTAL = join(import.meta.dir, '../../apps/portal/src')
const ROUTE_FILES = ['router.tsx', 'routes/configuration.tsx']
const ROUTE = /getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g
const PREFIXES: Readonly<Record<string, string>> = {
  root: '',
  signedIn: '',
  workspace: '/w/$workspaceId',
  operator: '/operator',
}

/** Screens for people who are not signed in: `e2e/session.test.ts` and others open them. */
const SIGNED_OUT = /^\/(?:sign-in|first-run|invitation)/

/** What the address of a screen says beyond its path: a tab, or what is open in it. */
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  '/w/$workspaceId/events': ['?event=$event'],
  '/w/$workspaceId/batches': ['?batch=$batch', '?new=action', '?new=undo'],
  '/w/$workspaceId/inbox': ['?source=mentions', '?source=appeals', '?source=approvals'],
  '/w/$workspaceId/roles': ['?view=permissions'],
}

/** The paths of all screens of the router, with the ids of a tenant, and every query of a state of `test/screens`. */
export async function listScreenPaths({ workspaceId, ids }: Tenant): Promise<string[]> {
  const last = (table: string): string => {
    const id = ids[table]?.at(-1)
    if (id === undefined) throw new Error(`the tenant has no ${table}`)
    return id
  }
  /** The parameters by the path before them: a route with another one fails until it is listed. */
  const parameters: Readonly<Record<string, () => string>> = {
    'w/$workspaceId': () => workspaceId,
    'players/$userId': () => '261',
    'cases/$id': () => last('record'),
    'appeals/$id': () => last('appeal'),
    'webhooks/$id': () => last('webhook'),
    '?event=$event': () => last('event'),
    '?batch=$batch': () => last('batch'),
  }
  const resolve = (path: string): string =>
    path.replace(/(\w+\/|\?\w+=)\$\w+/g, (parameter) => {
      const find = parameters[parameter]
      if (!find) throw new Error(`portal-screens.ts has no id for ${parameter} of ${path}`)
      return parameter.replace(/\$\w+/, find())
    })
  const patterns: string[] = []
  for (const file of ROUTE_FILES) {
    const source = await readFile(join(PORTAL, file), 'utf8')
    for (const [, parent = '', path = ''] of source.matchAll(ROUTE)) {
      const prefix = PREFIXES[parent]
      if (prefix === undefined)
        throw new Error(`portal-screens.ts does not know the parent ${parent} of ${path}`)
      const pattern = `${prefix}${path}`.replace(/(?<=.)\/$/, '')
      if (!SIGNED_OUT.test(pattern))
        patterns.push(pattern, ...(VARIANTS[pattern] ?? []).map((one) => pattern + one))
    }
  }
  const states = (await listScreenStates()).flatMap(({ path, as }) =>
    typeof path === 'string' && as === undefined ? [path.replace('/w/$', '/w/$workspaceId')] : [],
  )
  return [...new Set([...patterns, ...states].map(resolve))]
}

/**
 * The screens of the single rows that contain texts which no list shows.
 * @param numbers those after the markup of the texts
 */
export async function findPathsOf(
  instance: Instance,
  { workspaceId, session }: Tenant,
  numbers: readonly string[],
): Promise<string[]> {
  const read = async (path: string) =>
    (
      await instance.request('GET', `${path}${path.includes('?') ? '&' : '?'}workspaceId=${workspaceId}`, {
        session,
      })
    ).body
  const isMissing = (row: unknown): boolean =>
    numbers.some((number) => new RegExp(`onerror=hit\\(\\)>${number}\\b`).test(JSON.stringify(row)))
  const paths: string[] = []
  for (const event of (await read('/api/events?limit=200')).events)
    if (isMissing(event)) paths.push(`/w/${workspaceId}/events?event=${event.id}`)
  const records: { id: string; userId: string }[] = (await read('/api/moderation?limit=200')).records
  for (const { id } of records)
    if (isMissing(await read(`/api/moderation?id=${id}`)))
      paths.push(`/w/${workspaceId}/moderation/cases/${id}`)
  for (const userId of new Set(records.map((record) => record.userId)))
    if (isMissing(await read(`/api/moderation/links?userId=${userId}`)))
      paths.push(`/w/${workspaceId}/moderation/players/${userId}`)
  return paths
}
