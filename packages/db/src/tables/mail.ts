import { id, integer, nullable, type Row, text } from './column.ts'

/** An e-mail that waits to be sent. Its row stays for a day after that, without its content. */
export const mailColumns = {
  id: id(),
  /** Whom it is about, and whose mails it is limited with; null where the account is not known yet. */
  account_id: nullable(id()),
  /** What it says: a kind of `MailContent`. */
  kind: text(),
  /** JSON of its recipient and what it says, encrypted with the key of the instance; empty once it was sent or given up. */
  content: text(),
  /** How often it was tried to send it. */
  attempts: integer(),
  created_at: integer(),
  /** When it is given up. */
  expires_at: integer(),
  /** When it is tried next; null once it was sent or given up. */
  due_at: nullable(integer()),
  /** When it was sent or given up. */
  ended_at: nullable(integer()),
  /** Why the last attempt failed; null after none, and for a mail that was sent. */
  problem: nullable(text()),
}
export type MailTable = Row<typeof mailColumns>
