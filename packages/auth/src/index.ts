export * from './accounts/account.ts'
export { type CreateFirstWorkspace, type FirstRunCode, generateFirstRunCode } from './accounts/first-run.ts'
export { hashNewPassword } from './accounts/hash-new-password.ts'
export * from './accounts/list.ts'
export { Account, presentAccount } from './accounts/model.ts'
export { accountRoutes } from './accounts/routes.ts'
export * from './api-keys/cache.ts'
export * from './api-keys/create.ts'
export { createKeyFromRequest, listKeys, revokeKey } from './api-keys/lifecycle.ts'
export { apiKeyRoutes } from './api-keys/routes.ts'
export { getKeyStatus } from './api-keys/status.ts'
export * from './context.ts'
export type { GateDependencies } from './gate/authorize.ts'
export * from './gate/membership.ts'
export * from './gate/plugin.ts'
export {
  operatorRoute,
  publicRoute,
  rejectIdempotencyKey,
  SCAN_COST,
  sessionRoute,
} from './gate/portal-rules.ts'
export * from './gate/rule.ts'
export { assertNotCrossSite } from './gate/same-origin.ts'
export * from './gate/workspace-state.ts'
export * from './ip-address.ts'
export { hashPassword } from './methods/password/hash.ts'
export * from './methods/password/policy.ts'
export { reauthenticate } from './methods/password/reauthenticate.ts'
export { passwordRoutes } from './methods/password/routes.ts'
export { endAllSessions, endSessionById, listSessions } from './sessions/account-sessions.ts'
export * from './sessions/cookie.ts'
export * from './sessions/establish.ts'
export { sessionRoutes } from './sessions/routes.ts'
export * from './sessions/session.ts'
export * from './settings.ts'
export {
  deleteExpiredAttempts,
  deleteFailedAttempts,
  type LoginAttempt,
  markAttemptsSucceeded,
  recordFailedAttempt,
} from './throttle.ts'
export * from './token.ts'
export * from './workspace-limit.ts'
