import type { Ports } from '@reeve/core'
import {
  type ApprovalTable,
  type AssignmentTable,
  type Database,
  insertAll,
  type PinnedNoteTable,
  type PlayerLinkTable,
  type RuleVersionTable,
  statement,
} from '@reeve/db'

const insertRuleVersion = statement<RuleVersionTable>()((sql, p) => insertAll(sql, 'rule_version', p))
const insertApproval = statement<ApprovalTable>()((sql, p) =>
  insertAll(sql, 'approval', p).onConflict((conflict) => conflict.doNothing()),
)
const insertAssignment = statement<AssignmentTable>()((sql, p) =>
  insertAll(sql, 'assignment', p).onConflict((conflict) => conflict.doNothing()),
)
const insertPinnedNote = statement<PinnedNoteTable>()((sql, p) => insertAll(sql, 'pinned_note', p))
const insertPlayerLink = statement<PlayerLinkTable>()((sql, p) => insertAll(sql, 'player_link', p))
const firstRecords = statement<{ workspaceId: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select(['id', 'user_id'])
    .where('workspace_id', '=', p.workspaceId)
    .orderBy('id')
    .limit(p.limit),
)

/** Tables that a roll-back replaces in slices, because they can have many rows. */
export const DESK_TABLES = ['rule_version', 'approval', 'assignment', 'pinned_note', 'player_link'] as const

/** Earlier versions that one rule has. */
const VERSIONS_PER_RULE = 500
const ROWS_PER_UNIT = 500

/**
 * Inserts rows of `DESK_TABLES`, faster than the API and without what belongs to them: so many of each table, but approvals and assignments
 * at most for every record.
 */
export async function insertDeskRows(
  db: Database,
  ports: Ports,
  workspaceId: string,
  counts: Readonly<Record<(typeof DESK_TABLES)[number], number>>,
): Promise<void> {
  const now = ports.now()
  const limit = Math.max(counts.approval, counts.assignment)
  const records = await db.read.all(firstRecords, { workspaceId, limit })
  const accountId = ports.newId()
  const common = { workspace_id: workspaceId, created_by: accountId, created_at: now }
  const ruleIds: string[] = []
  const highest = Math.max(...Object.values(counts))
  for (let start = 0; start < highest; start += ROWS_PER_UNIT)
    await db.write(async (tx) => {
      for (let index = start; index < Math.min(start + ROWS_PER_UNIT, highest); index++) {
        const record = records[index]
        const rule = Math.floor(index / VERSIONS_PER_RULE)
        ruleIds[rule] ??= ports.newId()
        if (index < counts.rule_version)
          await tx.run(insertRuleVersion, {
            workspace_id: workspaceId,
            rule_id: ruleIds[rule],
            version: (index % VERSIONS_PER_RULE) + 1,
            snapshot: JSON.stringify({ name: `Rule ${rule}`, window_days: index + 1 }),
            replaced_at: now,
            replaced_by: accountId,
          })
        if (record && index < counts.approval)
          await tx.run(insertApproval, {
            workspace_id: workspaceId,
            id: ports.newId(),
            record_id: record.id,
            user_id: record.user_id,
            duration_seconds: null,
            expires_at: now + 86_400_000,
            fallback_expires_at: null,
            person_id: accountId,
            requested_at: now,
            decision: 'approved',
            decided_at: now,
            decided_by: accountId,
          })
        if (record && index < counts.assignment)
          await tx.run(insertAssignment, {
            workspace_id: workspaceId,
            record_id: record.id,
            account_id: accountId,
            assigned_by: accountId,
            assigned_at: now,
          })
        if (index < counts.pinned_note)
          await tx.run(insertPinnedNote, {
            ...common,
            id: ports.newId(),
            user_id: String(index + 1),
            record_id: null,
            text: `Note ${index}`,
          })
        if (index < counts.player_link)
          await tx.run(insertPlayerLink, {
            ...common,
            id: ports.newId(),
            first_user_id: `1${String(index).padStart(8, '0')}`,
            second_user_id: `2${String(index).padStart(8, '0')}`,
            confidence: 'low',
            reason: 'Same device',
            updated_at: now,
            version: 1,
          })
      }
    })
}
