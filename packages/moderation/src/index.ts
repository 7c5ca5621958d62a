export {
  compareRecords,
  type RecordComparison,
  type RecordDifference,
} from './log-comparison/compare-records.ts'
export { playerPortalRoutes } from './players/portal-routes.ts'
export type { ModerationInput, ModerationQueryInput } from './records/model.ts'
export { recordPortalRoutes } from './records/portal-routes.ts'
export { moderation } from './records/routes.ts'
export { savedViewPortalRoutes } from './saved-views/portal-routes.ts'
