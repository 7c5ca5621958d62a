import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { findDefaultWorkspace } from './api/me.ts'
import { createEarlyScreen } from './app/early-data.ts'
import { consumeInitialAuthState } from './app/initial-auth-state.ts'
import { lazyScreen } from './app/lazy-screen.ts'
import { followFirstScreen, routerOptions } from './app/router-options.ts'
import { configurationRoutes } from './routes/configuration.tsx'
import { root, signedIn, workspace } from './routes/layouts.tsx'

// Screens are loaded on first navigation.
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    if (consumeInitialAuthState() === 'first-run') throw redirect({ to: '/first-run', replace: true })
  },
  component: lazyScreen(() => import('./screens/sign-in/sign-in.tsx'), 'SignIn'),
})
/** Where an identity provider sends the browser back to. */
const providerCallback = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/$provider/callback',
  // Consumed, because coming back changes who is signed in.
  beforeLoad: () => {
    if (consumeInitialAuthState() === 'first-run') throw redirect({ to: '/first-run', replace: true })
  },
  component: lazyScreen(() => import('./screens/sign-in/provider-callback.tsx'), 'ProviderCallback'),
})
/** The token is in the URL fragment, which is neither sent to the server nor logged. */
const passwordLink = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/password',
  beforeLoad: () => {
    // Consumed, because setting the password changes who is signed in.
    consumeInitialAuthState()
  },
  component: lazyScreen(() => import('./screens/sign-in/password-link.tsx'), 'PasswordLinkScreen'),
})
const firstRun = createRoute({
  getParentRoute: () => root,
  path: '/first-run',
  beforeLoad: () => {
    const initialAuthState = consumeInitialAuthState()
    if (initialAuthState !== null && initialAuthState !== 'first-run')
      throw redirect({ to: '/', replace: true })
  },
  component: lazyScreen(() => import('./screens/first-run/first-run.tsx'), 'FirstRun'),
})
/** The token is in the URL fragment, which is neither sent to the server nor logged. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  // Consumed, because accepting an invitation changes who is signed in.
  beforeLoad: () => ({ initialAuthState: consumeInitialAuthState() }),
  component: lazyScreen(() => import('./screens/invitation/invitation.tsx'), 'Invitation'),
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
  component: lazyScreen(() => import('./screens/workspaces/workspaces.tsx'), 'Workspaces'),
})
const newWorkspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/new',
  component: lazyScreen(() => import('./screens/workspaces/new-workspace.tsx'), 'NewWorkspace'),
})
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyScreen(() => import('./screens/account/account.tsx'), 'Account'),
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
const inbox = createRoute({
  getParentRoute: () => workspace,
  path: '/inbox',
  ...createEarlyScreen(() => import('./screens/inbox/inbox.tsx'), 'Inbox'),
})
const batches = createRoute({
  getParentRoute: () => workspace,
  path: '/batches',
  component: lazyScreen(() => import('./screens/batches/batches.tsx'), 'Batches'),
})
const insights = createRoute({
  getParentRoute: () => workspace,
  path: '/insights',
  component: lazyScreen(() => import('./screens/insights/insights.tsx'), 'Insights'),
})
const approvals = createRoute({
  getParentRoute: () => workspace,
  path: '/moderation/approvals',
  ...createEarlyScreen(() => import('./screens/moderation/approvals.tsx'), 'Approvals'),
})
const events = createRoute({
  getParentRoute: () => workspace,
  path: '/events',
  component: lazyScreen(() => import('./screens/events/events.tsx'), 'Events'),
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
const appeals = createRoute({
  getParentRoute: () => workspace,
  path: '/appeals',
  component: lazyScreen(() => import('./screens/appeals/appeals.tsx'), 'Appeals'),
})
const appeal = createRoute({
  getParentRoute: () => workspace,
  path: '/appeals/$id',
  component: lazyScreen(() => import('./screens/appeals/appeal.tsx'), 'AppealScreen'),
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
  component: lazyScreen(() => import('./shell/operator-layout.tsx'), 'OperatorLayout'),
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
  component: lazyScreen(() => import('./screens/operator/instance.tsx'), 'Instance'),
})
const accounts = createRoute({
  getParentRoute: () => operator,
  path: '/accounts',
  component: lazyScreen(() => import('./screens/operator/accounts.tsx'), 'Accounts'),
})
const allWorkspaces = createRoute({
  getParentRoute: () => operator,
  path: '/workspaces',
  component: lazyScreen(() => import('./screens/operator/workspaces.tsx'), 'AllWorkspaces'),
})
const instanceAudit = createRoute({
  getParentRoute: () => operator,
  path: '/audit',
  component: lazyScreen(() => import('./screens/operator/instance-audit.tsx'), 'InstanceAudit'),
})
const reports = createRoute({
  getParentRoute: () => operator,
  path: '/reports',
  component: lazyScreen(() => import('./screens/operator/reports.tsx'), 'Reports'),
})

const routeTree = root.addChildren([
  signIn,
  providerCallback,
  passwordLink,
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
      approvals,
      bans,
      mutes,
      history,
      records,
      inbox,
      batches,
      insights,
      events,
      departments,
      people,
      roles,
      appeals,
      appeal,
      ...configurationRoutes,
      audit,
    ]),
    operator.addChildren([operatorIndexRedirect, instance, accounts, allWorkspaces, reports, instanceAudit]),
  ]),
])

export const router = createRouter({
  routeTree,
  ...routerOptions,
  defaultNotFoundComponent: lazyScreen(() => import('./screens/not-found/not-found.tsx'), 'NotFound'),
})

followFirstScreen(router)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
