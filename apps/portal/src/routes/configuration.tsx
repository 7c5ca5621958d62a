import { createRoute } from '@tanstack/react-router'
import { createEarlyScreen } from '../app/early-data.ts'
import { lazyScreen } from '../app/lazy-screen.ts'
import { workspace } from './layouts.tsx'

const appealSettings = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/appeals',
  component: lazyScreen(() => import('../screens/configuration/appeals.tsx'), 'AppealSettings'),
})
const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/webhooks',
  ...createEarlyScreen(() => import('../screens/configuration/webhooks.tsx'), 'Webhooks'),
})
const webhook = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/webhooks/$id',
  ...createEarlyScreen(() => import('../screens/configuration/webhook.tsx'), 'WebhookScreen'),
})
const reasons = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/reasons',
  ...createEarlyScreen(() => import('../screens/reasons/reasons.tsx'), 'Reasons'),
})
const retention = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/retention',
  component: lazyScreen(() => import('../screens/retention/retention.tsx'), 'RetentionScreen'),
})
const erasures = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/erasures',
  component: lazyScreen(() => import('../screens/erasures/erasures.tsx'), 'Erasures'),
})
const importScreen = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/import',
  ...createEarlyScreen(() => import('../screens/import/import.tsx'), 'ImportScreen'),
})
const apiKeys = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/api/keys',
  ...createEarlyScreen(() => import('../screens/configuration/api-keys.tsx'), 'ApiKeys'),
})
const controls = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/api/controls',
  ...createEarlyScreen(() => import('../screens/configuration/controls.tsx'), 'Controls'),
})
const usage = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/api/usage',
  component: lazyScreen(() => import('../screens/configuration/usage.tsx'), 'Usage'),
})
const connect = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/connect',
  component: lazyScreen(() => import('../screens/configuration/connect.tsx'), 'Connect'),
})
const settings = createRoute({
  getParentRoute: () => workspace,
  path: '/configuration/workspace',
  component: lazyScreen(() => import('../screens/configuration/workspace.tsx'), 'WorkspaceSettings'),
})

/** The routes of the configuration of a workspace. */
export const configurationRoutes = [
  appealSettings,
  webhooks,
  webhook,
  reasons,
  retention,
  erasures,
  importScreen,
  apiKeys,
  controls,
  usage,
  connect,
  settings,
] as const
