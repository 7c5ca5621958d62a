import {
  type Actor,
  CREATE_PERMISSIONS,
  compareMeasures,
  findDecay,
  invalidRequest,
  type Measure,
  type Ports,
  type RecordAction,
  requirePermission,
} from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { chooseSeverity } from '../limits/assert-limits.ts'
import type { ModerationChange, TemplateChange } from '../records/parse-change.ts'
import { assertSameStep } from './assert-same-step.ts'
import { decideTemplate, type LadderDecision } from './decide.ts'
import { assertMayOverride, describeStep } from './override.ts'

/** What a record stores of its template. */
export type TemplateColumns = Pick<
  RecordTable,
  | 'template_id'
  | 'template_version'
  | 'ladder_id'
  | 'ladder_version'
  | 'step'
  | 'counts_until'
  | 'public_reason'
>

export const noTemplate: TemplateColumns = {
  template_id: null,
  template_version: null,
  ladder_id: null,
  ladder_version: null,
  step: null,
  counts_until: null,
  public_reason: null,
}

/**
 * Turns a change by template into the change of an action, which the ladder decides unless the request says it.
 * @throws AppError as `decideTemplate`; as `assertSameStep` if the ladder decides; `invalid_request` if the template has no ladder and the request no action, or for less
 *   than the ladder decides without a reason; `forbidden` for more
 */
export async function resolveTemplate(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: TemplateChange,
): Promise<{ readonly change: ModerationChange<RecordAction>; readonly columns: TemplateColumns }> {
  const { template, decision } = await decideTemplate(tx, actor, change, ports.now())
  if (change.action === undefined && decision)
    await assertSameStep(tx, actor, change, { template, decision }, ports.now())
  const { action, durationSeconds } = chooseMeasure(actor, change, template.name, decision)
  const { templateId: _, reason, ...others } = change
  const severity = change.severity ?? chooseSeverity(actor, action, template.default_severity ?? undefined)
  return {
    change: {
      ...others,
      action,
      ...((action === 'ban' || action === 'mute') && { durationSeconds }),
      reason: reason || template.public_reason,
      severity,
    } as ModerationChange<RecordAction>,
    columns: {
      template_id: template.id,
      template_version: template.version,
      ladder_id: decision?.ladder.id ?? null,
      ladder_version: decision?.ladder.version ?? null,
      step: decision?.number ?? null,
      counts_until: decision && findDecay(decision.step, ports.now()),
      public_reason: template.public_reason,
    },
  }
}

function chooseMeasure(
  actor: Actor,
  { action, durationSeconds = null, reason }: TemplateChange,
  templateName: string,
  decision: LadderDecision | null,
): Measure {
  if (action === undefined) {
    if (decision === null)
      throw invalidRequest({
        field: 'action',
        message: `is required, because the template ${templateName} has no ladder`,
      })
    requirePermission(actor, CREATE_PERMISSIONS[decision.step.action])
    return decision.step
  }
  const measure = { action, durationSeconds }
  if (decision === null) return measure
  const difference = compareMeasures(measure, decision.step)
  if (difference > 0) assertMayOverride(actor, decision)
  if (difference < 0 && !reason)
    throw invalidRequest({
      field: 'reason',
      message: `is required to choose less. ${describeStep(decision)}`,
    })
  return measure
}
