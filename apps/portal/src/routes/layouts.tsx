import { createRootRoute, createRoute } from '@tanstack/react-router'
import { requireSession } from '../app/guard.ts'
import { lazyScreen } from '../app/lazy-screen.ts'
import type { SearchParams } from '../app/search-params.ts'

export const root = createRootRoute({
  validateSearch: (search): Partial<SearchParams> => search as SearchParams,
})

/** Every route that needs a session. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => ({ me: await requireSession(location.href) }),
  component: lazyScreen(() => import('../shell/shell.tsx'), 'Shell'),
})

/** One workspace, which the screens below read with `useWorkspace()`. */
export const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/w/$workspaceId',
  component: lazyScreen(() => import('../shell/workspace-layout.tsx'), 'WorkspaceLayout'),
})
