export type { ModerationInput, ModerationQueryInput } from './model.ts'
export { moderationDesk } from './portal-routes.ts'
export { moderation } from './routes.ts'
