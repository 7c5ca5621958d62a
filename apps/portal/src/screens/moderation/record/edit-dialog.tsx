import { useForm } from '@mantine/form'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { bidiIsolate } from '../action-labels.ts'
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
import { getLatestRecord, isVersionMismatch } from './versioned-submit.ts'

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
      <EditForm record={record} onClose={onClose} />
    </Dialog>
  )
}

function EditForm({ record, onClose }: Omit<Props, 'isOpen' | 'playerLabel'>) {
  const { id: workspaceId } = useWorkspace()
  /** The version that the user has seen and is editing. */
  const [base, setBase] = useState(record)
  const isRedacted = record.redactedAt !== null
  const form = useForm<EditableFields>({ mode: 'controlled', initialValues: toEditableFields(record) })
  const submit = useSubmit(form, editableFieldLabels, async (fields) => {
    const original = toEditableFields(base)
    const editedFields = editableFields.filter((name) => fields[name] !== original[name])
    if (editedFields.length > 0) {
      const changes: Partial<EditableFields> = Object.fromEntries(
        editedFields.map((name) => [name, fields[name]]),
      )
      const request: ModerationRequest = { action: 'edit', id: record.id, ...changes }
      try {
        await withExplainedErrors(workspaceId, () => submitModeration(workspaceId, request, base.version))
      } catch (error) {
        throw isVersionMismatch(error) && error instanceof ApiError
          ? mergeLatest(error, editedFields, original)
          : error
      }
      notifySuccess(`Saved case ${record.caseNumber}.`)
    }
    onClose()
  })
  /** Takes over fields that someone else changed, except those edited here, and reports conflicting edits on their fields. */
  const mergeLatest = (
    error: ApiError,
    editedFields: readonly EditableField[],
    original: EditableFields,
  ): ApiError => {
    const latest = getLatestRecord(workspaceId, record)
    const latestFields = toEditableFields(latest)
    setBase(latest)
    for (const name of editableFields)
      if (!editedFields.includes(name)) form.setFieldValue(name, latestFields[name])
    const details = editedFields
      .filter((name) => latestFields[name] !== original[name])
      .map((field) => ({
        field,
        message: `was changed to “${bidiIsolate(recordFields[field].format?.(latest) ?? '')}” by someone else`,
      }))
    return new ApiError(error.status, error.code, error.message, { details })
  }
  return (
    <DialogForm submit={submit} cancel={onClose} submitLabel="Save" writesTo="moderation">
      {editableFields
        .filter((name) => !(isRedacted && recordFields[name].isRedactable))
        .map((name) => (
          <RecordFieldInput key={name} name={name} {...form.getInputProps(name)} />
        ))}
    </DialogForm>
  )
}
