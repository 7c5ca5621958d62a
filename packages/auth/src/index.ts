export * from './accounts/account.ts'
export { deleteCredentials } from './accounts/delete-credentials.ts'
export { emailAddress, isEmailAddress } from './accounts/email.ts'
export { emailRoutes } from './accounts/email-routes.ts'
export { type CreateFirstWorkspace, type FirstRunCode, generateFirstRunCode } from './accounts/first-run.ts'
export { hashNewPassword } from './accounts/hash-new-password.ts'
export * from './accounts/list.ts'
export { Account, presentAccount } from './accounts/model.ts'
export { accountRoutes } from './accounts/routes.ts'
export * from './accounts/sign-in-methods.ts'
export { toUsernameSkeleton, username } from './accounts/username.ts'
export * from './api-keys/cache.ts'
export * from './api-keys/create.ts'
export * from './api-keys/creator.ts'
export * from './api-keys/creator-status.ts'
export { confirmKey, createKeyFromRequest, findApiKey, listKeys, revokeKey } from './api-keys/lifecycle.ts'
export * from './api-keys/limits.ts'
export { compareApiKeys } from './api-keys/log-comparison.ts'
export * from './api-keys/orphaned.ts'
export { apiKeyRoutes } from './api-keys/routes.ts'
export { getKeyStatus } from './api-keys/status.ts'
export * from './context.ts'
export { MAX_CREATIONS } from './creations.ts'
export * from './creator-webhooks.ts'
export * from './factors/enrolled.ts'
export * from './factors/factor.ts'
export { resetSecondFactors } from './factors/reset.ts'
export { factorRoutes } from './factors/routes.ts'
export * from './gate/membership.ts'
export { reencryptPlayerKeys } from './gate/player-keys.ts'
export * from './gate/plugin.ts'
export {
  operatorRoute,
  operatorWriteRoute,
  publicPageRoute,
  publicRoute,
  rejectIdempotencyKey,
  requireVerification,
  SCAN_COST,
  sessionRoute,
} from './gate/portal-rules.ts'
export { assertSessionVerified, VERIFICATION_LIFETIME_MS } from './gate/recent-verification.ts'
export * from './gate/rule.ts'
export {
  findSecondFactorPolicy,
  isWorkspaceOpenTo,
  parseSecondFactorPolicy,
  workspaceRequiresSecondFactor,
} from './gate/second-factor-policy.ts'
export * from './gate/workspace-state.ts'
export * from './ip-address.ts'
export * from './mail/content.ts'
export * from './mail/outbox.ts'
export * from './mail/render.ts'
export * from './methods/oidc/index.ts'
export { getRelyingParty, type RelyingParty } from './methods/passkey/relying-party.ts'
export { passkeyRoutes } from './methods/passkey/routes.ts'
export { passkeySignInRoutes } from './methods/passkey/sign-in-routes.ts'
export { hashPassword } from './methods/password/hash.ts'
export { createPasswordLink } from './methods/password/link.ts'
export { formatPasswordLink } from './methods/password/link-url.ts'
export * from './methods/password/policy.ts'
export { answerPasswordReset } from './methods/password/reset.ts'
export { passwordRoutes } from './methods/password/routes.ts'
export { totpRoutes } from './methods/totp/routes.ts'
export { reencryptTotpSecrets } from './methods/totp/service.ts'
export { computeTotp, toTotpStep } from './methods/totp/totp.ts'
export * from './one-time-token.ts'
export * from './proxies.ts'
export { endAllSessions, endSessionById, listSessions } from './sessions/account-sessions.ts'
export * from './sessions/cookie.ts'
export { deleteUnusedDevices } from './sessions/device.ts'
export * from './sessions/establish.ts'
export { sessionRoutes } from './sessions/routes.ts'
export * from './sessions/session.ts'
export * from './settings.ts'
export * from './sign-in-failure.ts'
export { loadActor, loadPseudonymKey, parseActor, serializeActor } from './stored-actor.ts'
export {
  deleteExpiredAttempts,
  deleteFailedAttempts,
  type LoginAttempt,
  markAttemptsSucceeded,
  recordFailedAttempt,
} from './throttle/attempts.ts'
export { type CodeCaller, countAppealFile, findByCode } from './throttle/code-lookup.ts'
export * from './token.ts'
export * from './workspace-limit.ts'
