import { type Actor, hasPermission, type SanctionKind } from '@reeve/core'
import { type BatchItemTable, type BatchTable, type Queries, type RecordTable, statement } from '@reeve/db'
import { isInForce } from '../records/sanction.ts'
import { findActiveSanctions } from './describe-players.ts'

/** For which targets that a batch has left alone nothing is left to do, because somebody else has done it or made it impossible. */

const recordStates = statement<{ workspaceId: string; ids: readonly string[] }>({ isLookup: true })(
  (sql, p, dialect) =>
    sql
      .selectFrom('record')
      .select(['id', 'action', 'in_force', 'ended', 'expires_at', 'revoked_at', 'redacted_at'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('id', p.ids)),
)

type RecordState = Pick<
  RecordTable,
  'id' | 'action' | 'in_force' | 'ended' | 'expires_at' | 'revoked_at' | 'redacted_at'
>

/** Why nothing is left to do for a record, by the action of the batch; null if the action can still be done. */
const explanations: Readonly<Record<string, (row: RecordState, now: number) => string | null>> = {
  unban: explainEnd,
  unmute: explainEnd,
  extend: explainEnd,
  revoke: ({ revoked_at }) => (revoked_at === null ? null : 'This case is already revoked.'),
  comment: explainRedaction,
  evidence: explainRedaction,
  edit: () => null,
  acknowledge: () => null,
}

function explainEnd(row: RecordState, now: number): string | null {
  return isInForce(row, now) ? null : `This ${row.action} is no longer in force.`
}

function explainRedaction({ redacted_at }: RecordState): string | null {
  return redacted_at === null ? null : 'The texts of this case were redacted.'
}

const LIFTED: Readonly<Record<string, SanctionKind>> = { unban: 'ban', unmute: 'mute' }

/**
 * Says why nothing is left to do for targets of a batch, as of now.
 * @param now epoch milliseconds
 * @returns sentences by target; none without `moderation.view`
 */
export async function findSettled(
  db: Queries,
  actor: Actor,
  now: number,
  { kind, action }: Pick<BatchTable, 'kind' | 'action'>,
  items: readonly Pick<BatchItemTable, 'target' | 'state'>[],
): Promise<ReadonlyMap<string, string>> {
  const settled = new Map<string, string>()
  const explain = action === null ? undefined : explanations[action]
  const leftAlone = items.filter(({ state }) => state === 'failed').map(({ target }) => target)
  if (kind !== 'actions' || !explain || leftAlone.length === 0 || !hasPermission(actor, 'moderation.view'))
    return settled
  // No record has the ID of a player.
  const rows = await db.all(recordStates, { workspaceId: actor.workspaceId, ids: leftAlone })
  const records = new Map(rows.map((row) => [row.id, row]))
  const players = leftAlone.filter((target) => !records.has(target))
  const lifted = LIFTED[action ?? '']
  const findActive = lifted && (await findActiveSanctions(db, actor, now, players))
  const explainMissing = (target: string): string | null => {
    if (!lifted) return 'This case no longer exists.'
    return findActive?.(lifted, target) ? null : `This player has no active ${lifted}.`
  }
  for (const target of leftAlone) {
    const record = records.get(target)
    const reason = record ? explain(record, now) : explainMissing(target)
    if (reason !== null) settled.set(target, reason)
  }
  return settled
}
