import { id, idOrText, int32, integer, type Row, text } from './column.ts'

/**
 * The number of moderation actions per quarter of an hour. The borders of days are multiples of it in every time zone, so these
 * counts add up to the days of any reader.
 */
export const activityColumns = {
  workspace_id: id(),
  /** As in the audit log: `moderation.ban`. */
  action: text(),
  /** Start of the quarter of an hour in epoch milliseconds. */
  quarter: integer(),
  count: integer(),
}
export type ActivityTable = Row<typeof activityColumns>

/** How often an actor did something in a quarter of an hour, with the last name of the actor in it. */
export const activityByActorColumns = {
  workspace_id: id(),
  quarter: integer(),
  actor_kind: text<'api_key' | 'account' | 'system'>(),
  actor_id: idOrText(),
  action: text(),
  actor_name: text(),
  count: integer(),
}
export type ActivityByActorTable = Row<typeof activityByActorColumns>

/** How far the audit log of a workspace has been counted. */
export const activityProgressColumns = {
  workspace_id: id(),
  /** The sequence of the last audit entry that both tables include. */
  sequence: int32(),
}
export type ActivityProgressTable = Row<typeof activityProgressColumns>
