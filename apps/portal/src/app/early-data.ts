import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hasEarlyData } from '../api/early-reads.ts'
import { queryClient } from '../api/query-client.ts'
import { MAX_DATA_WAIT_MS } from '../first-screen-wait.ts'
import { isOpeningAtTop } from './first-screen.ts'
import { lazyScreen } from './lazy-screen.ts'
import type { SearchParams } from './search-params.ts'

/** A screen of a workspace at its URL, and the cache to read its data into. */
interface OpenedScreen<Params> {
  readonly client: QueryClient
  readonly params: Params
  readonly search: SearchParams
}

/** The part of a loader's parameters that is used. */
interface OpenedRoute<Params> {
  readonly params: Params
  readonly location: { readonly search: unknown }
}

/** Reads the queries that a screen shows first into the cache. */
export type ReadScreen<Params = { readonly workspaceId: string }> = (
  screen: OpenedScreen<Params>,
) => readonly Promise<void>[]

/** A component, and what reads its data. */
type ScreenModule<Name extends string, Params> = Readonly<Record<Name, () => ReactNode>> & {
  readonly earlyReads: Readonly<Record<Name, ReadScreen<Params>>>
}

/**
 * Creates the loader and the component of a route. The loader reads what the first screen shows before it is rendered, if the
 * page has already requested it: rendering it empty and then again with its data takes a slow phone much longer. Screens that
 * are opened later are shown at once.
 * @param load imports the module of the screen
 * @param name the component of the screen in the module; `earlyReads` in the module has the function that reads its data
 * @example createRoute({ path: '/people', ...createEarlyScreen(() => import('./people.tsx'), 'People') })
 */
export const createEarlyScreen = <Name extends string, Params>(
  load: () => Promise<ScreenModule<Name, Params>>,
  name: Name,
) => ({
  loader: async ({ params, location }: OpenedRoute<Params>): Promise<void> => {
    if (!(await hasEarlyData())) return
    // The component reports that the code could not be loaded.
    const screen = await load().catch(() => null)
    if (screen === null) return
    const search = location.search as SearchParams
    const reads = Promise.all(screen.earlyReads[name]({ client: queryClient, params, search }))
    if (isOpeningAtTop())
      await Promise.race([reads, new Promise((resolve) => setTimeout(resolve, MAX_DATA_WAIT_MS))])
    else await reads
  },
  component: lazyScreen(load, name),
})
