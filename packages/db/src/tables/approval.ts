import { id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** The request to make a ban permanent, which another person decides. Until then it is in effect as a temporary ban. */
export const approvalColumns = {
  workspace_id: id(),
  id: id(),
  record_id: id(),
  user_id: text(),
  /** The requested duration; null is permanent. */
  duration_seconds: nullable(integer()),
  /** When the temporary ban ends, and the request with it. */
  expires_at: integer(),
  /** When the ban that it replaced would have ended: a rejection ends this one then. Null if it replaced none. */
  fallback_expires_at: nullable(integer()),
  /** Who requested it: the account, or the account that created the API key. This person cannot decide. */
  person_id: idOrText(),
  requested_at: integer(),
  /** Null until somebody decides; an undecided request has expired after `expires_at`. */
  decision: nullable(text<'approved' | 'rejected' | 'superseded'>()),
  decided_at: nullable(integer()),
  /** The account or API key that decided, or that ended the ban before a decision. */
  decided_by: nullable(idOrText()),
}
export type ApprovalTable = Row<typeof approvalColumns>
