import {
  DAY_MS,
  DEFAULT_SEVERITY,
  isSanctionKind,
  type Platforms,
  parsePlayerId,
  removeInvisibleCharacters,
  resolvePlayerId,
  wire,
} from '@reeve/core'
import type { ImportTable, RecordTable } from '@reeve/db'
import {
  MAX_COMMENT_LENGTH,
  MAX_COMMENTS,
  MAX_EVIDENCE,
  MAX_EVIDENCE_LENGTH,
  MAX_REASON_LENGTH,
} from '../records/codecs.ts'
import { NOT_REVOKED, toCommentColumns, toEvidenceColumns } from '../records/columns.ts'
import { MAX_USERNAME_LENGTH } from '../records/requests.ts'
import { computeExpiry } from '../records/sanction.ts'
import { MAX_PUBLIC_REASON_LENGTH } from '../templates/model.ts'
import { noTemplate } from '../templates/resolve.ts'
import { type ForeignRecord, UnreadableEntry } from './formats/format.ts'

/** The columns of a record that follow from an entry of a file. */
export type ImportedColumns = Omit<
  RecordTable,
  'workspace_id' | 'id' | 'case_number' | 'sequence' | 'created_at' | 'updated_at'
>

/** In characters. */
const MAX_SOURCE_ID = 200

/** Other tools store what Reeve rejects. */
const CONTROL_CHARACTERS = new RegExp(wire.CONTROL_CHARACTER, 'g')

/** A text as Reeve stores it: without control characters and colour codes of games, and not too long. */
function cleanText(text: string | null, max: number): string | null {
  if (text === null) return null
  const clean = text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/§[0-9a-fk-or]/gi, '')
    .replace(CONTROL_CHARACTERS, '')
    .normalize('NFC')
    .trim()
  const characters = clean.length <= max ? null : [...clean]
  const short =
    characters === null || characters.length <= max ? clean : `${characters.slice(0, max - 1).join('')}…`
  return short === '' ? null : short
}

const cleanName = (name: string | null): string | null =>
  cleanText(name === null ? null : removeInvisibleCharacters(name.replace(/\s+/g, ' ')), MAX_USERNAME_LENGTH)

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
  const isExpired = expiresAt !== null && expiresAt <= now
  const isLifted = entry.isLifted || (entry.isInactive && !isExpired)
  const ended = isLifted ? 'revoked' : entry.isReplaced ? 'superseded' : isExpired ? 'expired' : null
  const evidence = [
    ...entry.evidence,
    ...(entry.reason !== null && [...entry.reason].length > MAX_REASON_LENGTH
      ? [`Reason: ${entry.reason}`]
      : []),
    ...(keeps_ip === 1 && entry.ip !== null ? [`IP address: ${entry.ip}`] : []),
  ]
  return {
    action,
    user_id: readPlayer(entry.userId, platforms),
    user_username: cleanName(entry.userUsername),
    reason: cleanText(entry.reason, MAX_REASON_LENGTH),
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
    ...NOT_REVOKED,
    ...(isLifted && {
      revoked_at: entry.liftedAt ?? now,
      revoked_by: id,
      revoked_by_username: cleanName(entry.liftedBy),
      revoke_reason: cleanText(entry.liftReason, MAX_REASON_LENGTH),
    }),
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
    public_reason: cleanText(entry.publicReason, MAX_PUBLIC_REASON_LENGTH),
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
