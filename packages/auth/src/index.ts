export * from './accounts/account.ts'
export { type CreateFirstWorkspace, type FirstRunCode, generateFirstRunCode } from './accounts/first-run.ts'
export * from './accounts/list.ts'
export { Account, presentAccount } from './accounts/model.ts'
export { firstRunRoutes } from './accounts/routes.ts'
export * from './api-keys/cache.ts'
export * from './api-keys/create.ts'
export { createKeyFromRequest, listKeys, revokeKey } from './api-keys/lifecycle.ts'
export { apiKeyRoutes } from './api-keys/routes.ts'
export * from './context.ts'
export { assertNotCrossSite } from './gate/authenticate.ts'
export type { GateDependencies } from './gate/authorize.ts'
export * from './gate/membership.ts'
export * from './gate/plugin.ts'
export {
  getUserAgent,
  operatorRoute,
  publicRoute,
  rejectIdempotencyKey,
  sessionRoute,
} from './gate/portal-rules.ts'
export * from './gate/rule.ts'
export * from './gate/workspace-state.ts'
export * from './ip-address.ts'
export { actorForAccount } from './methods/password.ts'
export * from './methods/password-hash.ts'
export * from './methods/reauthenticate.ts'
export * from './sessions/cookie.ts'
export { signInRoutes } from './sessions/routes.ts'
export * from './sessions/session.ts'
export * from './settings.ts'
export { clearFailedAttempts, deleteExpiredFailures, recordFailedAttempt } from './throttle.ts'
export * from './token.ts'
