import { parseChanges } from '@reeve/audit'
import { type Actor, isOpenAppealState, type Ports } from '@reeve/core'
import { type AppealTable, type RecordTable, statement, type Transaction } from '@reeve/db'
import type { presentAppealForAudit } from '../appeals/model.ts'
import { findAppeals, saveAppeal } from '../appeals/store.ts'
import { isInForce } from '../records/sanction.ts'
import type { ChangeSelection } from './record-history.ts'

/** The changes that close an appeal, and the one that takes this back. */
const CLOSING = ['decide', 'withdraw', 'expire', 'supersede', 'restore'].map((verb) => `appeals.${verb}`)
const MAX_CHANGES = 20

const closingChanges = statement<{
  workspaceId: string
  appealId: string
  targetKind: string
  actions: readonly string[]
  limit: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom('audit')
    .select(['sequence', 'action', 'actor_id', 'at', 'changes'])
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.appealId)
    .where('target_kind', '=', p.targetKind)
    .where(dialect.inList('action', p.actions))
    .orderBy('sequence', 'desc')
    .limit(p.limit),
)

type Snapshot = Pick<
  ReturnType<typeof presentAppealForAudit>,
  'state' | 'closedAt' | 'decidedAt' | 'decidedBy' | 'effect' | 'final' | 'nextAppealAt'
>

/**
 * Restores the latest appeal of a ban as it was before the selected changes closed it, from the audit log. An appeal that somebody else has
 * closed since, or before, is left alone.
 * @param after the ban once it is reverted: an appeal is open only while its ban is in force
 */
export async function restoreAppeal(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  after: RecordTable,
  { isSelected }: Pick<ChangeSelection, 'isSelected'>,
): Promise<void> {
  if (after.appeal_code === null) return
  const workspaceId = after.workspace_id
  const [appeal] = await findAppeals(tx, { workspaceId, recordId: after.id }, 1)
  if (!appeal) return
  const changes = await tx.all(closingChanges, {
    workspaceId,
    appealId: appeal.id,
    targetKind: 'appeal',
    actions: CLOSING,
    limit: MAX_CHANGES,
  })
  const isBack = isInForce(after, ports.now())
  let earlier: Partial<Snapshot> = {}
  for (const change of changes) {
    const { sequence, action, actor_id: actorId, at, changes: json } = change
    // An expired ban that is in force again had expired because of the selected changes, no matter who has marked it as expired since.
    const isReverted = isSelected({ sequence, actorId, at }) || (isBack && action === 'appeals.expire')
    if (json === null || !isReverted) break
    earlier = { ...earlier, ...parseChanges(json).before }
  }
  const { state } = earlier
  if (state === undefined) return
  if (isOpenAppealState(state) && after.in_force === 0) return
  await saveAppeal(tx, ports, actor, 'restore', appeal, {
    ...toColumns(appeal, earlier),
    ban_expires_at: after.expires_at,
  })
}

const parseTime = (time: string | null): number | null => (time === null ? null : Date.parse(time))

/** The columns that closing changes; those that the log does not have were not changed. */
function toColumns(appeal: AppealTable, earlier: Partial<Snapshot>): Partial<AppealTable> {
  const decidedAt = earlier.decidedAt === undefined ? appeal.decided_at : parseTime(earlier.decidedAt)
  return {
    ...(earlier.state !== undefined && { state: earlier.state }),
    ...(earlier.closedAt !== undefined && { closed_at: parseTime(earlier.closedAt) }),
    decided_at: decidedAt,
    waited_ms: decidedAt === null ? null : decidedAt - appeal.submitted_at,
    ...(earlier.decidedBy !== undefined && { decided_by: earlier.decidedBy }),
    ...(earlier.effect !== undefined && { effect: earlier.effect }),
    ...(earlier.final !== undefined && { is_final: earlier.final === 'true' ? 1 : 0 }),
    ...(earlier.nextAppealAt !== undefined && { next_appeal_at: parseTime(earlier.nextAppealAt) }),
  }
}
