import { NO_LIMITS, type Severity } from '@reeve/core'
import type { OwnLimits } from '../action/own-limits.ts'
import { describeLimits, refuseSeverity } from '../action/preview-limits.ts'
import type { ModerationRecord } from '../queries.ts'
import { type EditableFields, toEditableFields } from '../record-fields.tsx'

const countLines = (text: string): number => text.split('\n').filter((line) => line.trim() !== '').length

/** Compares an edit with the limits of the user. What others have set stays possible, as long as the edit does not change it. */
export function previewEditLimits(record: ModerationRecord, fields: EditableFields, ownLimits: OwnLimits) {
  const { highestSeverity, evidenceFromSeverity } = ownLimits.getForEdit(record.action)
  const limits = { ...NO_LIMITS, highestSeverity, evidenceFromSeverity }
  const before = toEditableFields(record)
  const hasOtherSeverity = fields.severity !== before.severity
  const hasLessEvidence = countLines(fields.evidence) < countLines(before.evidence)
  const checked = hasOtherSeverity ? limits : { ...limits, highestSeverity: null }
  const hasEvidence = countLines(fields.evidence) > 0 || record.evidenceFiles.length > 0
  return {
    note: describeLimits(limits),
    refusal:
      hasOtherSeverity || hasLessEvidence
        ? refuseSeverity(checked, fields.severity as Severity, hasEvidence)
        : null,
  }
}
