import type { Actor, Permission, Ports } from '@reeve/core'
import type { ApprovalTable, Queries, RecordTable } from '@reeve/db'
import type { ClaimTarget } from '../claims/service.ts'

/** How many things are counted: a number above it is shown as `99+`. */
export const MAX_INBOX_COUNT = 100

/** What an item of the inbox says about its record. */
export type InboxRecord = Pick<RecordTable, 'id' | 'case_number' | 'action' | 'user_id' | 'user_username'>

/** Something that waits for the reader. Every one is about a record. */
export interface InboxItem {
  /** Unique within the source. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  /** What its source is sorted by, before the id; epoch milliseconds. */
  readonly sortTime: number
  readonly isRead: boolean
  readonly record: InboxRecord
  /** What it says; null if that was redacted. */
  readonly text: string | null
  /** Who caused it; null if nobody did. */
  readonly actorId: string | null
  /** Of a ban that waits for approval: what was requested. */
  readonly requested?: Pick<ApprovalTable, 'duration_seconds' | 'expires_at'>
}

/** A page of a source. */
export interface InboxPage {
  readonly limit: number
  /** The last item of the previous page; null for the first page. */
  readonly after: Pick<InboxItem, 'sortTime' | 'id'> | null
}

/** What an item shows of its record. */
export const INBOX_RECORD_COLUMNS = [
  'record.id',
  'record.case_number',
  'record.action',
  'record.user_id',
  'record.user_username',
] as const

/** One kind of things that wait for a person. `sources.ts` lists them all. */
export interface InboxSource {
  /** Required to see them. */
  readonly permission: Permission
  /** What somebody claims who works on an item: its record, or the appeal that it is. */
  readonly claimKind: ClaimTarget['kind']
  /** How many there are for the actor, up to `MAX_INBOX_COUNT`. */
  readonly count: (db: Queries, ports: Ports, actor: Actor) => Promise<number>
  /** Reads up to `limit` of them: what waits for a decision begins with the most urgent, everything else with the newest. */
  readonly list: (db: Queries, ports: Ports, actor: Actor, page: InboxPage) => Promise<InboxItem[]>
}
