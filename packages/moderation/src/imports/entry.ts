import {
  DAY_MS,
  DEFAULT_SEVERITY,
  isSanctionKind,
  type Platforms,
  parsePlayerId,
  resolvePlayerId,
  wire,
} from '@reeve/core'
import type { ImportTable, RecordTable } from '@reeve/db'
import { MAX_COMMENTS, MAX_EVIDENCE } from '../records/codecs.ts'
import { toCommentColumns, toEvidenceColumns } from '../records/columns.ts'
import { computeExpiry } from '../records/sanction.ts'
import { noTemplate } from '../templates/resolve.ts'
import { type ForeignRecord, UnreadableEntry } from './formats/format.ts'

/** The columns of a record that follow from an entry of a file. */
export type ImportedColumns = Omit<
  RecordTable,
  'workspace_id' | 'id' | 'case_number' | 'sequence' | 'created_at' | 'updated_at'
>

/** Limits of texts, in characters. */
const MAX_REASON = 1000
const MAX_NAME = 100
const MAX_EVIDENCE_LENGTH = 2000
const MAX_SOURCE_ID = 200
const MAX_PUBLIC_REASON = 400
const MAX_COMMENT_LENGTH = 2000

// biome-ignore lint/suspicious/noControlCharactersInRegex: other tools store what Reeve rejects
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** A text as Reeve stores it: without control characters and colour codes of games, and not too long. */
function cleanText(text: string | null, max: number): string | null {
  if (text === null) return null
  const clean = text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/§[0-9a-fk-or]/gi, '')
    .replace(CONTROL, '')
    .normalize('NFC')
    .trim()
  const characters = clean.length <= max ? null : [...clean]
  const short =
    characters === null || characters.length <= max ? clean : `${characters.slice(0, max - 1).join('')}…`
  return short === '' ? null : short
}

const cleanName = (name: string | null): string | null =>
  cleanText(
    name?.replace(/\s+/g, ' ').replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '') ?? null,
    MAX_NAME,
  )

function readPlayer(userId: string, platforms: Platforms): string {
  try {
    return resolvePlayerId(parsePlayerId(userId), platforms)
  } catch (error) {
    if (error instanceof wire.WireError) throw new UnreadableEntry(`the player ${error.message}`)
    throw error
  }
}

/**
 * The record that an entry becomes.
 * @param platforms those of the workspace
 * @param now epoch milliseconds, at which a sanction is in force or not
 * @throws UnreadableEntry
 */
export function toImportedColumns(
  entry: ForeignRecord,
  { id, source, keeps_ip }: Pick<ImportTable, 'id' | 'source' | 'keeps_ip'>,
  platforms: Platforms,
  now: number,
): ImportedColumns {
  const { action, occurredAt } = entry
  if (entry.sourceId.length > MAX_SOURCE_ID)
    throw new UnreadableEntry(`its id is longer than ${MAX_SOURCE_ID} characters`)
  if (occurredAt > now + DAY_MS) throw new UnreadableEntry('it is in the future')
  const isSanction = isSanctionKind(action)
  const seconds =
    isSanction && entry.expiresAt !== null
      ? Math.max(1, Math.round((entry.expiresAt - occurredAt) / 1000))
      : null
  const expiresAt = isSanction ? computeExpiry(occurredAt, seconds) : null
  const ended = entry.isLifted
    ? 'revoked'
    : entry.isReplaced
      ? 'superseded'
      : expiresAt !== null && expiresAt <= now
        ? 'expired'
        : null
  const evidence = [
    ...entry.evidence,
    ...(entry.reason !== null && [...entry.reason].length > MAX_REASON ? [`Reason: ${entry.reason}`] : []),
    ...(keeps_ip === 1 && entry.ip !== null ? [`IP address: ${entry.ip}`] : []),
  ]
  return {
    action,
    user_id: readPlayer(entry.userId, platforms),
    user_username: cleanName(entry.userUsername),
    reason: cleanText(entry.reason, MAX_REASON),
    severity: entry.severity ?? DEFAULT_SEVERITY[action],
    duration_seconds: seconds,
    expires_at: expiresAt,
    ended,
    in_force: isSanction && ended === null ? 1 : 0,
    // The import itself: those who acted are not accounts here.
    actor_kind: 'system',
    actor_id: id,
    actor_username: cleanName(entry.moderator),
    actor_platform_user_id: null,
    acknowledged_at: entry.isAcknowledged ? occurredAt : null,
    revoked_at: entry.isLifted ? (entry.liftedAt ?? now) : null,
    revoked_by: entry.isLifted ? id : null,
    revoke_reason: entry.isLifted ? cleanText(entry.liftReason, MAX_REASON) : null,
    redacted_at: null,
    occurred_at: occurredAt,
    original_moderator: cleanName(entry.moderator),
    source,
    source_id: entry.sourceId,
    version: 1,
    ...toEvidenceColumns(
      evidence
        .flatMap((item) => cleanText(item.replaceAll('\n', ' '), MAX_EVIDENCE_LENGTH) ?? [])
        .slice(0, MAX_EVIDENCE),
    ),
    ...noTemplate,
    public_reason: cleanText(entry.publicReason, MAX_PUBLIC_REASON),
    // Nobody here knows whether the other tool has decided about an appeal.
    ...{ appeal_code: null, appeal_from: null, appeal_until: null },
    // Those who wrote them are not accounts here.
    ...toCommentColumns(
      entry.comments.slice(0, MAX_COMMENTS).map(({ id: commentId, text, author, createdAt }) => ({
        id: commentId,
        text: cleanText(text, MAX_COMMENT_LENGTH) ?? '',
        authorId: id,
        authorUsername: cleanName(author) ?? '',
        createdAt,
      })),
    ),
    evidence_files: '[]',
    evidence_file_count: 0,
  }
}
