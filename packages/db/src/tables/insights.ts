import { id, idOrText, integer, nullable, type Row, text } from './column.ts'

const counts = {
  bans: integer(),
  mutes: integer(),
  warnings: integer(),
  kicks: integer(),
  /** How many of them were lifted or revoked since. */
  lifted: integer(),
}

/** How many records an actor created on a day. */
export const recordCountColumns = {
  workspace_id: id(),
  /** Days since 1970 in UTC. */
  day: integer(),
  actor_id: idOrText(),
  ...counts,
}
export type RecordCountTable = Row<typeof recordCountColumns>

/** How many records of a reason were created on a day. The row of a reason is deleted with the last record that has it. */
export const reasonCountColumns = {
  workspace_id: id(),
  day: integer(),
  /** On one line, and cut off. */
  reason: text(),
  ...counts,
}
export type ReasonCountTable = Row<typeof reasonCountColumns>

/** A ban that was appealed at least once. Its reason is that of the record. */
export const appealedBanColumns = {
  workspace_id: id(),
  /** Of the ban: days since 1970 in UTC. */
  day: integer(),
  record_id: id(),
  /** Who banned. */
  actor_id: idOrText(),
}
export type AppealedBanTable = Row<typeof appealedBanColumns>

/** Something that waits for staff, and when a person first responded. */
export const responseTimeColumns = {
  workspace_id: id(),
  /** A record that an API key reported, or an appeal. */
  id: id(),
  kind: text<'report' | 'appeal'>(),
  user_id: text(),
  opened_at: integer(),
  responded_at: nullable(integer()),
}
export type ResponseTimeTable = Row<typeof responseTimeColumns>
