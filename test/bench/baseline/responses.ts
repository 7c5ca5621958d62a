import { decodeWord } from '@reeve/db'
import { formatId } from '../stored-ids.ts'

/** Responses of the baseline servers: the same as Reeve's for the rows of the benchmark, written in the most direct way. */

export type Row = Record<string, unknown>
const formatTime = (timestamp: unknown): string | null =>
  typeof timestamp === 'number' ? new Date(timestamp).toISOString() : null

const formatMessage = (row: Row): string => `You are banned permanently. Reason: ${row.reason}.`

export const toRecordResponse = (row: Row) => ({
  id: formatId(row.id),
  workspaceId: formatId(row.workspace_id),
  caseNumber: String(row.case_number),
  action: row.action,
  userId: row.user_id,
  userUsername: row.user_username,
  reason: row.reason,
  publicReason: row.public_reason,
  message: formatMessage(row),
  severity: decodeWord(String(row.severity)),
  status: 'active',
  evidenceCount: String(row.evidence_count),
  evidenceFileCount: String(row.evidence_file_count),
  commentCount: String(row.comment_count),
  durationSeconds: row.duration_seconds === null ? null : String(row.duration_seconds),
  expiresAt: formatTime(row.expires_at),
  actorUserId: formatId(row.actor_id),
  actorUsername: row.actor_username,
  actorPlatformUserId: row.actor_platform_user_id,
  createdAt: formatTime(row.created_at),
  updatedAt: formatTime(row.updated_at),
  acknowledgedAt: formatTime(row.acknowledged_at),
  revokedAt: formatTime(row.revoked_at),
  revokedBy: formatId(row.revoked_by),
  revokedByUsername: row.revoked_by_username,
  revokedByPlatformUserId: row.revoked_by_platform_user_id,
  revokeReason: row.revoke_reason,
  redactedAt: formatTime(row.redacted_at),
  occurredAt: formatTime(row.occurred_at),
  originalModerator: row.original_moderator,
  source: row.source,
  sourceId: row.source_id,
  appealCode: row.appeal_code,
  appealableFrom: formatTime(row.appeal_from),
  appealableUntil: formatTime(row.appeal_until),
  templateId: formatId(row.template_id),
  templateVersion: row.template_version,
  ladderId: formatId(row.ladder_id),
  ladderVersion: row.ladder_version,
  step: row.step,
  countsUntil: formatTime(row.counts_until),
  sequence: String(row.sequence),
  version: String(row.version),
  waitsForApproval: 'false',
})

export const toEventResponse = (row: Row) => ({
  id: formatId(row.id),
  workspaceId: formatId(row.workspace_id),
  title: row.title,
  description: row.description,
  scheduledFor: formatTime(row.scheduled_for),
  published: row.published === 1 ? 'true' : 'false',
  eventType: row.event_type,
  imageUrl: row.image_url,
  image_url: row.image_url,
  trainingStart: formatTime(row.training_start),
  trainingEnd: formatTime(row.training_end),
  trainingHost: row.training_host,
  hostAccountId: null,
  experienceId: row.experience_id,
  experienceName: row.experience_name,
  experiencePlaceId: row.experience_place_id,
  experienceThumbnailUrl: row.experience_thumbnail_url,
  experienceUrl: row.experience_url,
  status: 'scheduled',
  endsAt: formatTime(row.ends_at),
  createdBy: formatId(row.created_by),
  createdAt: formatTime(row.created_at),
  updatedAt: formatTime(row.updated_at),
  version: String(row.version),
})

export const toSanctionResponse = (kind: 'ban' | 'mute', row: Row) => ({
  kind,
  userId: row.user_id,
  recordId: formatId(row.id),
  caseNumber: String(row.case_number),
  expiresAt: formatTime(row.expires_at),
  reason: row.reason,
  appealCode: row.appeal_code,
  message: formatMessage(row),
})

/** The response of the baseline by path. */
export type Handlers = Readonly<Record<string, (url: URL, request: Request) => Response | Promise<Response>>>
