import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { findDefaultWorkspace } from './api/me.ts'
import { createEarlyScreen } from './app/early-data.ts'
import { markOpened } from './app/first-screen.ts'
import { requireSession } from './app/guard.ts'
import { consumeInitialAuthState } from './app/initial-auth-state.ts'
import { parseSearchParams, type SearchParams, stringifySearchParams } from './app/search-params.ts'
import { RouteError } from './components/route-error.tsx'
import { ScreenSkeleton } from './components/screen-skeleton.tsx'

// Screens are loaded on first navigation.
const root = createRootRoute({
  validateSearch: (search): Partial<SearchParams> => search as SearchParams,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    if (consumeInitialAuthState() === 'first-run') throw redirect({ to: '/first-run', replace: true })
  },
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in.tsx'), 'SignIn'),
})
const firstRun = createRoute({
  getParentRoute: () => root,
  path: '/first-run',
  beforeLoad: () => {
    const initialAuthState = consumeInitialAuthState()
    if (initialAuthState !== null && initialAuthState !== 'first-run')
      throw redirect({ to: '/', replace: true })
  },
  component: lazyRouteComponent(() => import('./screens/first-run/first-run.tsx'), 'FirstRun'),
})
/** The token is in the URL fragment, which is neither sent to the server nor logged. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  // Consumed, because accepting an invitation changes who is signed in.
  beforeLoad: () => ({ initialAuthState: consumeInitialAuthState() }),
  component: lazyRouteComponent(() => import('./screens/invitation/invitation.tsx'), 'Invitation'),
})

/** Every route that needs a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => ({ me: await requireSession(location.href) }),
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

const indexRedirect = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    const targetWorkspace = findDefaultWorkspace(me)
    if (targetWorkspace)
      throw redirect({ to: '/w/$workspaceId', params: { workspaceId: targetWorkspace.id }, replace: true })
    throw redirect({ to: '/workspaces', replace: true })
  },
})
const workspaces = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces',
  component: lazyRouteComponent(() => import('./screens/workspaces/workspaces.tsx'), 'Workspaces'),
})
const newWorkspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/new',
  component: lazyRouteComponent(() => import('./screens/workspaces/new-workspace.tsx'), 'NewWorkspace'),
})
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./screens/account/account.tsx'), 'Account'),
})

/** One workspace, which the screens below read with `useWorkspace()`. */
const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/w/$workspaceId',
  component: lazyRouteComponent(() => import('./shell/workspace-layout.tsx'), 'WorkspaceLayout'),
})
const home = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  ...createEarlyScreen(() => import('./screens/home/home.tsx'), 'Home'),
})
const moderation = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation',
  ...createEarlyScreen(() => import('./screens/moderation/player-search.tsx'), 'PlayerSearch'),
})
const player = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/players/$userId',
  ...createEarlyScreen(() => import('./screens/moderation/player.tsx'), 'Player'),
})
const moderationRecord = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/cases/$id',
  ...createEarlyScreen(() => import('./screens/moderation/record.tsx'), 'RecordScreen'),
})
const loadRecordLists = () => import('./screens/moderation/record-lists.tsx')
const bans = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/bans',
  ...createEarlyScreen(loadRecordLists, 'ActiveBans'),
})
const mutes = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/mutes',
  ...createEarlyScreen(loadRecordLists, 'ActiveMutes'),
})
const history = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/history',
  ...createEarlyScreen(loadRecordLists, 'BanHistory'),
})
const records = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/records',
  ...createEarlyScreen(loadRecordLists, 'AllRecords'),
})
const events = createRoute({
  getParentRoute: () => workspace,
  path: '/events',
  component: lazyRouteComponent(() => import('./screens/events/events.tsx'), 'Events'),
})
const departments = createRoute({
  getParentRoute: () => workspace,
  path: '/departments',
  ...createEarlyScreen(() => import('./screens/departments/departments.tsx'), 'Departments'),
})
const people = createRoute({
  getParentRoute: () => workspace,
  path: '/people',
  ...createEarlyScreen(() => import('./screens/people/people.tsx'), 'People'),
})
const roles = createRoute({
  getParentRoute: () => workspace,
  path: '/roles',
  ...createEarlyScreen(() => import('./screens/roles/roles.tsx'), 'Roles'),
})
const apiKeys = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/api/keys',
  ...createEarlyScreen(() => import('./screens/configuration/api-keys.tsx'), 'ApiKeys'),
})
const controls = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/api/controls',
  ...createEarlyScreen(() => import('./screens/configuration/controls.tsx'), 'Controls'),
})
const usage = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/api/usage',
  component: lazyRouteComponent(() => import('./screens/configuration/usage.tsx'), 'Usage'),
})
const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/workspace',
  component: lazyRouteComponent(() => import('./screens/configuration/workspace.tsx'), 'WorkspaceSettings'),
})
const audit = createRoute({
  getParentRoute: () => workspace,
  path: '/audit',
  ...createEarlyScreen(() => import('./screens/audit/audit.tsx'), 'Audit'),
})

/** The operator screens. */
const operator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  component: lazyRouteComponent(() => import('./shell/operator-layout.tsx'), 'OperatorLayout'),
})
const operatorIndexRedirect = createRoute({
  getParentRoute: () => operator,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/instance', replace: true })
  },
})
const instance = createRoute({
  getParentRoute: () => operator,
  path: '/instance',
  component: lazyRouteComponent(() => import('./screens/operator/instance.tsx'), 'Instance'),
})
const accounts = createRoute({
  getParentRoute: () => operator,
  path: '/accounts',
  component: lazyRouteComponent(() => import('./screens/operator/accounts.tsx'), 'Accounts'),
})
const allWorkspaces = createRoute({
  getParentRoute: () => operator,
  path: '/workspaces',
  component: lazyRouteComponent(() => import('./screens/operator/workspaces.tsx'), 'AllWorkspaces'),
})

const routeTree = root.addChildren([
  signIn,
  firstRun,
  invitation,
  signedIn.addChildren([
    indexRedirect,
    workspaces,
    newWorkspace,
    account,
    workspace.addChildren([
      home,
      moderation,
      player,
      moderationRecord,
      bans,
      mutes,
      history,
      records,
      events,
      departments,
      people,
      roles,
      apiKeys,
      controls,
      usage,
      settings,
      audit,
    ]),
    operator.addChildren([operatorIndexRedirect, instance, accounts, allWorkspaces]),
  ]),
])

/** How long a screen may take before its skeleton is shown, in milliseconds. */
const PENDING_MS = 150
/** The first screen gets longer: a slow phone shows its data sooner if it does not render a skeleton before. */
const FIRST_PENDING_MS = 1000

export const router = createRouter({
  routeTree,
  parseSearch: parseSearchParams,
  stringifySearch: stringifySearchParams,
  defaultPreload: 'intent',
  defaultPendingComponent: ScreenSkeleton,
  defaultPendingMs: FIRST_PENDING_MS,
  defaultPendingMinMs: 200,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: lazyRouteComponent(() => import('./screens/not-found/not-found.tsx'), 'NotFound'),
  scrollRestoration: true,
})

const stopWaitingForFirstScreen = router.subscribe('onResolved', () => {
  router.options.defaultPendingMs = PENDING_MS
  markOpened()
  stopWaitingForFirstScreen()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
