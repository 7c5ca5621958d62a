import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { tellDone } from '../../../components/tell.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { plainText } from '../../../forms/plain-text.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { Choices } from '../choices.tsx'
import type { Entry } from '../data.ts'
import { act, type Deed } from '../deeds.ts'
import { inWords } from '../in-words.ts'
import { isolated, labelOf, severities } from '../words.ts'
import { isStale, newestOf } from './act-at.ts'

interface Props {
  readonly record: Entry
  /** The player, by id and newest name. */
  readonly who: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Corrects what a record says. The version before stays readable. */
export const EditDialog = ({ record, who, isOpen, onClose }: Props) => {
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={`Edit case ${record.caseNumber}, about ${who}`}
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

const names = Object.keys(labels) as (keyof Fields)[]

const fieldsOf = ({ reason, severity, evidence, userUsername }: Entry): Fields => ({
  reason: reason ?? '',
  severity,
  evidence: evidence.join('\n'),
  userUsername: userUsername ?? '',
})

function EditForm({ record, onClose }: Omit<Props, 'isOpen' | 'who'>) {
  const { id: workspaceId } = useWorkspace()
  /** What the changes are made to: what the reader was shown. */
  const [base, setBase] = useState(record)
  const isBlank = record.redactedAt !== null
  const form = useForm<Fields>({ mode: 'controlled', initialValues: fieldsOf(record) })
  const submit = useSubmit(form, labels, async (fields) => {
    const before = fieldsOf(base)
    const typed = names.filter((name) => fields[name] !== before[name])
    if (typed.length > 0) {
      const changes: Partial<Fields> = Object.fromEntries(typed.map((name) => [name, fields[name]]))
      const deed: Deed = { action: 'edit', id: record.id, ...changes }
      try {
        await inWords(workspaceId, () => act(workspaceId, deed, base.version))
      } catch (error) {
        throw isStale(error) && error instanceof ApiError ? rebased(error, typed, before) : error
      }
      tellDone(`Case ${record.caseNumber} is corrected.`)
    }
    onClose()
  })
  /** Takes over what somebody else changed, but for what was typed here, and says where the two meet. */
  const rebased = (error: ApiError, typed: readonly (keyof Fields)[], before: Fields): ApiError => {
    const newest = newestOf(workspaceId, record)
    const theirs = fieldsOf(newest)
    setBase(newest)
    for (const name of names) if (!typed.includes(name)) form.setFieldValue(name, theirs[name])
    const details = typed
      .filter((name) => theirs[name] !== before[name])
      .map((field) => ({ field, message: `was meanwhile changed to “${isolated(theirs[field])}”` }))
    return new ApiError(error.status, error.code, error.message, { details })
  }
  return (
    <DialogForm submit={submit} cancel={onClose} action="Save">
      {isBlank ? null : (
        <Textarea
          label={labels.reason}
          autosize
          minRows={2}
          maxRows={8}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      )}
      <Choices
        label={labels.severity}
        name="severity"
        options={severities.map((one) => ({ value: one, label: labelOf(one) }))}
        value={form.values.severity as (typeof severities)[number]}
        onChange={(value) => form.setFieldValue('severity', value)}
        error={form.errors.severity}
      />
      {isBlank ? null : (
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
        {...plainText}
        label={labels.userUsername}
        description={`What ${record.userId} was called at the time`}
        autoComplete="off"
        {...form.getInputProps('userUsername')}
      />
    </DialogForm>
  )
}
