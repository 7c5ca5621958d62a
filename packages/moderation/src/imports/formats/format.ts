import type { RecordAction, SanctionKind, Severity } from '@reeve/core'

/** A comment on an entry. */
export interface ForeignComment {
  readonly id: string
  readonly text: string
  /** Who wrote it, as the other tool names them. */
  readonly author: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** An entry of another tool, in the terms of Reeve. Times are epoch milliseconds. */
export interface ForeignRecord {
  /** Identifies the entry among those of its source. */
  readonly sourceId: string
  /** In files without ids, what tells the entry from others with the same `sourceId`; null if that is the id in the other tool. */
  readonly content: string | null
  readonly action: RecordAction
  /** As the other tool writes it, with its platform. */
  readonly userId: string
  readonly userUsername: string | null
  readonly reason: string | null
  readonly severity: Severity | null
  readonly occurredAt: number
  /** Null for an entry that never expires, and for those that are no sanction. */
  readonly expiresAt: number | null
  /** Whether it was lifted there; when, by whom and why, if that is known. */
  readonly isLifted: boolean
  readonly liftedAt: number | null
  /** As the other tool names them. */
  readonly liftedBy: string | null
  readonly liftReason: string | null
  /** Whether it is not in force there any more, in tools that do not say why: it was lifted unless it has expired. */
  readonly isInactive: boolean
  /** Whether another sanction took its place there. */
  readonly isReplaced: boolean
  /** Who acted, as the other tool names them. */
  readonly moderator: string | null
  /** What the player reads instead of the reason. */
  readonly publicReason: string | null
  readonly comments: readonly ForeignComment[]
  readonly evidence: readonly string[]
  readonly ip: string | null
  readonly isAcknowledged: boolean
  /** What the entry ends, in tools where the end of a sanction is an entry of its own. */
  readonly lifts: Lift | null
}

/** Which sanctions of its player from the same source an entry ends: those that began before it. */
export interface Lift {
  readonly kind: SanctionKind
  /** What their ids in the source begin with; empty for all. */
  readonly sourceIdPrefix: string
}

/** What a file contains at a line: an entry, or why it cannot be read. */
export type ParsedItem<Entry extends ForeignRecord = ForeignRecord> =
  | { readonly line: number; readonly record: Entry }
  | { readonly line: number; readonly problem: string }

/** What a parser needs to know besides the file. */
export interface ParseOptions {
  readonly fileName: string
  /** Of a CSV file: the header of the column with each field. Null finds the columns by their usual names. */
  readonly columns: Readonly<Record<string, string>> | null
  /** Of a file whose entries do not say it. */
  readonly action: RecordAction
}

/** Reads a file in pieces: only an entry at a time is in memory. Parsing the same file again gives the same items. */
export type ParseFile = (text: AsyncIterable<string>, options: ParseOptions) => AsyncIterable<ParsedItem>

/** An entry that cannot be read. The message follows a line number. */
export class UnreadableEntry extends Error {}

/** Fields that most entries do not have. */
export const emptyRecord = {
  content: null,
  userUsername: null,
  reason: null,
  severity: null,
  expiresAt: null,
  isLifted: false,
  liftedAt: null,
  liftedBy: null,
  liftReason: null,
  isInactive: false,
  isReplaced: false,
  moderator: null,
  publicReason: null,
  comments: [],
  evidence: [],
  ip: null,
  isAcknowledged: false,
  lifts: null,
} as const

/** Converts one item, and reports an entry that cannot be read instead of throwing. */
export function toItem<Entry extends ForeignRecord>(line: number, convert: () => Entry): ParsedItem<Entry> {
  try {
    return { line, record: convert() }
  } catch (error) {
    if (error instanceof UnreadableEntry) return { line, problem: error.message }
    throw error
  }
}
