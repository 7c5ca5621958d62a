import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMediaQuery } from '@mantine/hooks'
import { severities } from '@reeve/core'
import { useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { plainTextProps } from '../../../forms/plain-text.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { bidiIsolate, toLabel } from '../action-labels.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { type ModerationRequest, submitModeration } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'
import { RadioButtons } from '../radio-buttons.tsx'
import { getLatestRecord, isVersionMismatch } from './versioned-submit.ts'

interface Props {
  readonly record: ModerationRecord
  /** The player, by id and newest name. */
  readonly playerLabel: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Corrects what a record says. The version before stays readable. */
export const EditDialog = ({ record, playerLabel, isOpen, onClose }: Props) => {
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={`Edit case ${record.caseNumber}, about ${playerLabel}`}
      size="lg"
      fullScreen={isSmall}
      closeOnClickOutside={false}
    >
      <EditForm record={record} onClose={onClose} />
    </Dialog>
  )
}

const labels = {
  reason: 'Reason',
  severity: 'Severity',
  evidence: 'Evidence',
  userUsername: 'Name',
}

type Fields = Record<keyof typeof labels, string>

const fieldNames = Object.keys(labels) as (keyof Fields)[]

const toFields = ({ reason, severity, evidence, userUsername }: ModerationRecord): Fields => ({
  reason: reason ?? '',
  severity,
  evidence: evidence.join('\n'),
  userUsername: userUsername ?? '',
})

function EditForm({ record, onClose }: Omit<Props, 'isOpen' | 'playerLabel'>) {
  const { id: workspaceId } = useWorkspace()
  /** What the changes are made to: what the reader was shown. */
  const [base, setBase] = useState(record)
  const isRedacted = record.redactedAt !== null
  const form = useForm<Fields>({ mode: 'controlled', initialValues: toFields(record) })
  const submit = useSubmit(form, labels, async (fields) => {
    const original = toFields(base)
    const editedFields = fieldNames.filter((name) => fields[name] !== original[name])
    if (editedFields.length > 0) {
      const changes: Partial<Fields> = Object.fromEntries(editedFields.map((name) => [name, fields[name]]))
      const request: ModerationRequest = { action: 'edit', id: record.id, ...changes }
      try {
        await withExplainedErrors(workspaceId, () => submitModeration(workspaceId, request, base.version))
      } catch (error) {
        throw isVersionMismatch(error) && error instanceof ApiError
          ? mergeLatest(error, editedFields, original)
          : error
      }
      notifySuccess(`Case ${record.caseNumber} is corrected.`)
    }
    onClose()
  })
  /** Takes over what somebody else changed, but for what was typed here, and says where the two meet. */
  const mergeLatest = (
    error: ApiError,
    editedFields: readonly (keyof Fields)[],
    original: Fields,
  ): ApiError => {
    const latest = getLatestRecord(workspaceId, record)
    const latestFields = toFields(latest)
    setBase(latest)
    for (const name of fieldNames)
      if (!editedFields.includes(name)) form.setFieldValue(name, latestFields[name])
    const details = editedFields
      .filter((name) => latestFields[name] !== original[name])
      .map((field) => ({ field, message: `was meanwhile changed to “${bidiIsolate(latestFields[field])}”` }))
    return new ApiError(error.status, error.code, error.message, { details })
  }
  return (
    <DialogForm submit={submit} cancel={onClose} submitLabel="Save">
      {isRedacted ? null : (
        <Textarea
          label={labels.reason}
          autosize
          minRows={2}
          maxRows={8}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      )}
      <RadioButtons
        label={labels.severity}
        name="severity"
        options={severities.map((severity) => ({ value: severity, label: toLabel(severity) }))}
        value={form.values.severity as (typeof severities)[number]}
        onChange={(value) => form.setFieldValue('severity', value)}
        error={form.errors.severity}
      />
      {isRedacted ? null : (
        <Textarea
          label={labels.evidence}
          description="Links or observations, one a line"
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('evidence')}
        />
      )}
      <TextInput
        {...plainTextProps}
        label={labels.userUsername}
        description={`What ${record.userId} was called at the time`}
        autoComplete="off"
        {...form.getInputProps('userUsername')}
      />
    </DialogForm>
  )
}
