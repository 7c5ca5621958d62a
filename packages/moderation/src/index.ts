export { moderationPortalRoutes } from './players/portal-routes.ts'
export type { ModerationInput, ModerationQueryInput } from './records/model.ts'
export { moderation } from './records/routes.ts'
