import { type Actor, findCountEnd, MAX_STEP_COUNT, type Ports, requireFields, wire } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { parseSteps } from '../ladders/model.ts'
import { chooseSeverity } from '../limits/assert-limits.ts'
import { decideTemplate, type LadderRecord, toCountedRecord } from './decide.ts'
import type { PreviewQueryInput } from './preview-model.ts'

/**
 * What a template would do to a player now, with the records that count.
 * @throws AppError `invalid_request`, `not_found`, `conflict` if the template is archived
 */
export async function previewTemplate(db: Queries, ports: Ports, actor: Actor, input: PreviewQueryInput) {
  const { userId, templateId } = requireFields(input, 'userId', 'templateId')
  const { template, decision } = await decideTemplate(db, actor, { userId, templateId }, ports.now())
  const action = decision?.step.action ?? null
  const durationSeconds = decision?.step.durationSeconds ?? null
  const counted = decision?.counted ?? []
  return {
    preview: {
      userId,
      templateId: template.id,
      templateVersion: String(template.version),
      ladderId: template.ladder_id,
      ladderName: decision?.ladder.name ?? null,
      stepCount: decision && String(parseSteps(decision.ladder).length),
      step: decision && String(decision.number),
      action,
      durationSeconds: durationSeconds === null ? null : String(durationSeconds),
      severity: action
        ? chooseSeverity(actor, action, template.default_severity ?? undefined)
        : template.default_severity,
      publicReason: template.public_reason,
      count: String(counted.length),
      records: counted
        .slice(0, MAX_STEP_COUNT)
        .map((row) => presentCounted(row, decision?.ladder.window_days ?? null)),
    },
  }
}

const presentCounted = (row: LadderRecord, windowDays: number | null) => ({
  id: row.id,
  caseNumber: String(row.case_number),
  action: row.action,
  templateId: row.template_id,
  step: row.step === null ? null : String(row.step),
  createdAt: wire.time.write(row.created_at),
  stopsCountingAt: wire.writeNullableTime(findCountEnd(toCountedRecord(row), windowDays)),
})
