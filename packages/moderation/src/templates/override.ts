import {
  type Actor,
  AppError,
  compareMeasures,
  hasPermission,
  isSanctionKind,
  type LadderStep,
  type Permission,
} from '@reeve/core'
import type { LadderTable, Queries, RecordTable } from '@reeve/db'
import { parseSteps } from '../ladders/model.ts'
import { findLadder } from '../ladders/service.ts'
import { findRuleVersion } from '../rules/versions.ts'

/** More than a ladder decides: for a new record, and for one that a ladder has decided. */

const OVERRIDE_PERMISSION: Permission = 'moderation.override'

/** A step that applies, or has applied. */
export interface AppliedStep {
  readonly ladder: Pick<LadderTable, 'name'>
  readonly step: LadderStep
  /** The number of the step, from 1. */
  readonly number: number
}

/** @throws AppError `forbidden` (`missing_permission`) if the actor may not choose more than a ladder decides */
export function assertMayOverride(actor: Actor, decision: AppliedStep): void {
  if (hasPermission(actor, OVERRIDE_PERMISSION)) return
  throw new AppError('forbidden', {
    reason: 'missing_permission',
    permission: OVERRIDE_PERMISSION,
    message: `${describeStep(decision)} More requires the permission ${OVERRIDE_PERMISSION}.`,
  })
}

/** For error messages: what the ladder decides. */
export function describeStep({ ladder, step, number }: AppliedStep): string {
  const duration = step.durationSeconds === null ? 'permanent' : `${step.durationSeconds} seconds`
  return `Step ${number} of the ladder ${ladder.name} is: ${step.action}${isSanctionKind(step.action) ? ` (${duration})` : ''}.`
}

/**
 * Asserts that the actor may give a sanction this duration. The step of its ladder applies as it was when the sanction was imposed.
 * @param seconds from the creation of the sanction; null is permanent
 * @throws AppError `forbidden` (`missing_permission`) if a ladder has decided less
 */
export async function assertWithinStep(
  db: Queries,
  actor: Actor,
  row: RecordTable,
  seconds: number | null,
): Promise<void> {
  if (row.ladder_id === null || hasPermission(actor, OVERRIDE_PERMISSION)) return
  const decision = await findAppliedStep(db, row, row.ladder_id)
  if (compareMeasures({ action: row.action, durationSeconds: seconds }, decision.step) > 0)
    assertMayOverride(actor, decision)
}

async function findAppliedStep(db: Queries, row: RecordTable, ladderId: string): Promise<AppliedStep> {
  const current = await findLadder(db, row.workspace_id, ladderId)
  const ladder = current && (await findRuleVersion(db, current, row.ladder_version ?? 0))
  const number = row.step ?? 0
  const step = ladder && parseSteps(ladder)[number - 1]
  if (!step) throw new Error(`the step of record ${row.id} is missing`)
  return { ladder, step, number }
}
