import type { RecordTable } from '@reeve/db'
import { createSeededId } from './seeded-random.ts'

/**
 * The row of a warning about a player of its own, to insert without the API.
 * @param start epoch milliseconds @param index differs between the rows of an instance
 */
export function createWarningRow(
  start: number,
  index: number,
  columns: Partial<RecordTable> & Pick<RecordTable, 'workspace_id'>,
): RecordTable {
  return {
    id: createSeededId(start, 5, index),
    case_number: index + 1,
    action: 'warn',
    user_id: String(1_000_000 + index),
    user_username: null,
    reason: 'Spamming the trade channel',
    severity: 'low',
    evidence: '[]',
    evidence_count: 0,
    comments: '[]',
    comment_count: 0,
    evidence_files: '[]',
    evidence_file_count: 0,
    duration_seconds: null,
    expires_at: null,
    ended: null,
    in_force: 0,
    actor_kind: 'api_key',
    actor_id: 'bench',
    actor_username: 'bench',
    actor_platform_user_id: null,
    created_at: start,
    updated_at: start,
    acknowledged_at: null,
    revoked_at: null,
    revoked_by: null,
    revoked_by_username: null,
    revoked_by_platform_user_id: null,
    revoke_reason: null,
    redacted_at: null,
    occurred_at: null,
    original_moderator: null,
    source: null,
    source_id: null,
    appeal_code: null,
    appeal_from: null,
    appeal_until: null,
    template_id: null,
    template_version: null,
    ladder_id: null,
    ladder_version: null,
    step: null,
    counts_until: null,
    public_reason: null,
    sequence: index + 1,
    version: 1,
    ...columns,
  }
}
