import type { RecordAction } from '@reeve/core'
import type { EditableFields } from '../record-fields.tsx'

/** The form's fields. An empty severity is the action's default. */
export interface ActionFields extends Record<string, string>, EditableFields {
  /** Empty for none. */
  templateId: string
  action: RecordAction
  durationSeconds: string
  until: string
}
