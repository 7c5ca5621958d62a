import { useForm } from '@mantine/form'
import { useMediaQuery } from '@mantine/hooks'
import { useRef } from 'react'
import { createNetworkError, isVersionMismatch } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { useDirtyCheck } from '../../../components/dialog-context.ts'
import { notifySuccess } from '../../../components/toast.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { EditConflict } from '../../../forms/edit-conflict.tsx'
import { useEditConflict } from '../../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { LimitNote } from '../action/limit-note.tsx'
import { useOwnLimits } from '../action/own-limits.ts'
import { toLabel } from '../action-labels.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { type ModerationRequest, submitModeration } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'
import {
  type EditableField,
  type EditableFields,
  editableFieldLabels,
  editableFields,
  RecordFieldInput,
  recordFields,
  toEditableFields,
} from '../record-fields.tsx'
import { previewEditLimits } from './edit-limits.ts'
import { diffRecords } from './version-diff.ts'
import { getLatestRecord } from './versioned-submit.ts'

interface Props {
  readonly record: ModerationRecord
  /** The player's id and newest name. */
  readonly playerLabel: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Edits a record. Its earlier versions stay readable. */
export const EditDialog = ({ record, playerLabel, isOpen, onClose }: Props) => {
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={`Edit case ${record.caseNumber} of ${playerLabel}`}
      size="lg"
      fullScreen={isSmall}
      closeOnClickOutside={false}
    >
      <EditForm record={record} onSaved={onClose} />
    </Dialog>
  )
}

interface FormProps extends Pick<Props, 'record'> {
  readonly onSaved: () => void
}

function EditForm({ record, onSaved }: FormProps) {
  const { id: workspaceId } = useWorkspace()
  /** The version that the user has seen and is editing. */
  const base = useRef(record)
  const isRedacted = record.redactedAt !== null
  const form = useForm<EditableFields>({ mode: 'controlled', initialValues: toEditableFields(record) })
  useDirtyCheck(() => form.isDirty())
  const limits = previewEditLimits(record, form.values, useOwnLimits(workspaceId))
  const conflict = useEditConflict(form, editableFieldLabels, formatEditableField)
  const submit = useSubmit(form, editableFieldLabels, async (fields) => {
    await save(fields)
    onSaved()
  })
  const save = async (fields: EditableFields): Promise<void> => {
    const original = toEditableFields(base.current)
    const changes: Partial<EditableFields> = Object.fromEntries(
      editableFields.filter((name) => fields[name] !== original[name]).map((name) => [name, fields[name]]),
    )
    if (Object.keys(changes).length === 0) return
    const request: ModerationRequest = { action: 'edit', id: record.id, ...changes }
    try {
      await withExplainedErrors(workspaceId, () =>
        submitModeration(workspaceId, request, base.current.version),
      )
    } catch (error) {
      if (!isVersionMismatch(error)) throw error
      const reported = reportConflict()
      if (reported) throw reported
      return save(form.getValues())
    }
    notifySuccess(`Saved case ${record.caseNumber}.`)
  }
  const reportConflict = () => {
    const before = base.current
    const latest = getLatestRecord(workspaceId, record)
    if (latest.version === before.version) throw createNetworkError()
    base.current = latest
    const latestFields = toEditableFields(latest)
    // Redacted texts cannot be edited, so nothing can be kept.
    if (latest.redactedAt !== null)
      for (const name of editableFields.filter((field) => recordFields[field].isRedactable))
        form.setFieldValue(name, latestFields[name])
    return conflict.report('case', toEditableFields(before), latestFields, listOtherChanges(before, latest))
  }
  return (
    <DialogForm submit={submit} submitLabel="Save" isDisabled={limits.refusal !== null} writesTo="moderation">
      {editableFields
        .filter((name) => !(isRedacted && recordFields[name].isRedactable))
        .map((name) => (
          <RecordFieldInput key={name} name={name} {...form.getInputProps(name)} />
        ))}
      <LimitNote note={limits.note} warning={limits.refusal} />
      <EditConflict {...conflict} />
    </DialogForm>
  )
}

const formatEditableField = (name: EditableField, value: string): string =>
  name === 'severity' ? toLabel(value) : value

/** The changed fields that the form does not contain, such as the status. */
const listOtherChanges = (before: ModerationRecord, after: ModerationRecord) =>
  diffRecords(before, after)
    .filter(({ label, isChanged }) => isChanged && !Object.values(editableFieldLabels).includes(label))
    .map(({ label, left, right }) => ({ label, before: left, after: right }))
