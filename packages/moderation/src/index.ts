export { playerPortalRoutes } from './players/portal-routes.ts'
export type { ModerationInput, ModerationQueryInput } from './records/model.ts'
export { recordPortalRoutes } from './records/portal-routes.ts'
export { moderation } from './records/routes.ts'
