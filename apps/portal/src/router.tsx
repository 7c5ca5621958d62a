import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { needSignIn, takeFace } from './app/guard.ts'
import { lastWorkspace } from './app/last-workspace.ts'
import { parseSearch, type Search, writeSearch } from './app/search.ts'
import { Failure } from './components/failure.tsx'
import { Waiting } from './components/waiting.tsx'
import { SignIn } from './screens/sign-in/sign-in.tsx'

// Each screen is loaded when it is first gone to; signing in is what everybody does first, so that form is here at once.
const root = createRootRoute({
  validateSearch: (search): Partial<Search> => search as Search,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    if (takeFace() === 'first-run') throw redirect({ to: '/first-run', replace: true })
  },
  component: SignIn,
})
const firstRun = createRoute({
  getParentRoute: () => root,
  path: '/first-run',
  beforeLoad: () => {
    const face = takeFace()
    if (face !== null && face !== 'first-run') throw redirect({ to: '/', replace: true })
  },
  component: lazyRouteComponent(() => import('./screens/first-run/first-run.tsx'), 'FirstRun'),
})
/** The token is behind the `#`, which no browser sends and no log keeps. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  // Whoever joins is somebody else than when the page came.
  beforeLoad: () => ({ face: takeFace() }),
  component: lazyRouteComponent(() => import('./screens/invitation/invitation.tsx'), 'Invitation'),
})

/** Everything behind the sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => ({ me: await needSignIn(location.href) }),
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    const last = lastWorkspace()
    const known =
      me.workspaces.find(({ id }) => id === last) ?? (me.workspaces.length === 1 ? me.workspaces[0] : null)
    if (known) throw redirect({ to: '/w/$workspaceId', params: { workspaceId: known.id }, replace: true })
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

/** One workspace: `useWorkspace()` gives it to every screen below. */
const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/w/$workspaceId',
  component: lazyRouteComponent(() => import('./shell/workspace-layout.tsx'), 'WorkspaceLayout'),
})
const home = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/home/home.tsx'), 'Home'),
})
const moderation = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation',
  component: lazyRouteComponent(() => import('./screens/moderation/search.tsx'), 'PlayerSearch'),
})
const player = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/players/$userId',
  component: lazyRouteComponent(() => import('./screens/moderation/player.tsx'), 'Player'),
})
const moderationCase = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/cases/$id',
  component: lazyRouteComponent(() => import('./screens/moderation/case.tsx'), 'Case'),
})
const bans = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/bans',
  component: lazyRouteComponent(() => import('./screens/moderation/bans.tsx'), 'Bans'),
})
const history = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/history',
  component: lazyRouteComponent(() => import('./screens/moderation/history.tsx'), 'History'),
})
const records = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/records',
  component: lazyRouteComponent(() => import('./screens/moderation/records.tsx'), 'Records'),
})
const events = createRoute({
  getParentRoute: () => workspace,
  path: '/events',
  component: lazyRouteComponent(() => import('./screens/events/events.tsx'), 'Events'),
})
const departments = createRoute({
  getParentRoute: () => workspace,
  path: '/departments',
  component: lazyRouteComponent(() => import('./screens/departments/departments.tsx'), 'Departments'),
})
const people = createRoute({
  getParentRoute: () => workspace,
  path: '/people',
  component: lazyRouteComponent(() => import('./screens/people/people.tsx'), 'People'),
})
const roles = createRoute({
  getParentRoute: () => workspace,
  path: '/roles',
  component: lazyRouteComponent(() => import('./screens/roles/roles.tsx'), 'Roles'),
})
const apiKeys = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/api/keys',
  component: lazyRouteComponent(() => import('./screens/configuration/api-keys.tsx'), 'ApiKeys'),
})
const controls = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/api/controls',
  component: lazyRouteComponent(() => import('./screens/configuration/controls.tsx'), 'Controls'),
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
  component: lazyRouteComponent(() => import('./screens/audit/audit.tsx'), 'Audit'),
})

/** What operators of the instance do. */
const operator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  component: lazyRouteComponent(() => import('./shell/operator-layout.tsx'), 'OperatorLayout'),
})
const operatorStart = createRoute({
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
    start,
    workspaces,
    newWorkspace,
    account,
    workspace.addChildren([
      home,
      moderation,
      player,
      moderationCase,
      bans,
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
    operator.addChildren([operatorStart, instance, accounts, allWorkspaces]),
  ]),
])

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultPendingComponent: Waiting,
  defaultPendingMs: 150,
  defaultPendingMinMs: 200,
  defaultErrorComponent: Failure,
  defaultNotFoundComponent: lazyRouteComponent(() => import('./screens/not-found/not-found.tsx'), 'NotFound'),
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
