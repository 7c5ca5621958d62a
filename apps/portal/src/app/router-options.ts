import type { AnyRouter } from '@tanstack/react-router'
import { RouteError } from '../components/route-error.tsx'
import { ScreenSkeleton } from '../components/screen-skeleton.tsx'
import { markOpened } from './first-screen.ts'
import { parseSearchParams, stringifySearchParams } from './search-params.ts'

/** How long a screen may take before its skeleton is shown, in milliseconds. */
const PENDING_MS = 150
/** The first screen gets longer: a slow phone shows its data sooner if it does not render a skeleton before. */
const FIRST_PENDING_MS = 1000

/** How the router loads, renders and links screens. */
export const routerOptions = {
  parseSearch: parseSearchParams,
  stringifySearch: stringifySearchParams,
  defaultPreload: 'intent',
  defaultPendingComponent: ScreenSkeleton,
  defaultPendingMs: FIRST_PENDING_MS,
  defaultPendingMinMs: 200,
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
} as const

/** Gives the screens after the first one less time until their skeleton is shown. */
export function followFirstScreen(router: AnyRouter): void {
  const stop = router.subscribe('onResolved', () => {
    router.options.defaultPendingMs = PENDING_MS
    markOpened()
    stop()
  })
}
