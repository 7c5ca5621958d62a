export type { CheckedSanction, CheckOptions, CheckResult } from './check.ts'
export * from './errors.ts'
export type { Follower, FollowOptions, FollowStatus } from './follow/follower.ts'
export type { SanctionChange } from './follow/sanction-set.ts'
export type { paths } from './generated/openapi.ts'
export type { Schemas, UserId } from './input.ts'
export type { ReeveOptions, RequestOptions } from './options.ts'
export { Reeve } from './reeve.ts'
export type * from './resources/appeals.ts'
export type * from './resources/approvals.ts'
export type * from './resources/batches.ts'
export type {
  Change,
  ChangesPage,
  ChangesQuery,
  Sanction,
  SanctionKind,
  SnapshotPage,
  SnapshotQuery,
} from './resources/changes.ts'
export type * from './resources/departments.ts'
export type * from './resources/endpoint-controls.ts'
export type * from './resources/erasures.ts'
export type * from './resources/events.ts'
export type * from './resources/insights.ts'
export type * from './resources/ladders.ts'
export type * from './resources/links.ts'
export type * from './resources/moderation.ts'
export type * from './resources/retention.ts'
export type * from './resources/roles.ts'
export type * from './resources/templates.ts'
export type * from './resources/webhooks.ts'
export type * from './resources/workspaces.ts'
export * from './verify-webhook.ts'
