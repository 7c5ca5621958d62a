import { Stack, Textarea } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMediaQuery } from '@mantine/hooks'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createNetworkError, isVersionMismatch } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { useDirtyCheck } from '../../../components/dialog-context.ts'
import type { TypedText } from '../../../components/dialog-texts.ts'
import { notifySuccess } from '../../../components/toast.tsx'
import { UnsentText } from '../../../components/unsent-text.tsx'
import { useRescuedTexts } from '../../../components/use-rescued-texts.ts'
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
  /** Whether the user still has the permission. */
  readonly canEdit: boolean
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Edits a record. Its earlier versions stay readable. */
export const EditDialog = ({ record, playerLabel, canEdit, isOpen, onClose }: Props) => {
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const readTexts = useRef<ReadTexts>(() => [])
  useRescuedTexts(() => (isOpen ? readTexts.current() : []))
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={`Edit case ${record.caseNumber} of ${playerLabel}`}
      size="lg"
      fullScreen={isSmall}
      closeOnClickOutside={false}
    >
      <EditForm record={record} canEdit={canEdit} readTexts={readTexts} onSaved={onClose} />
    </Dialog>
  )
}

type ReadTexts = () => readonly TypedText[]

interface FormProps extends Pick<Props, 'record' | 'canEdit'> {
  /** Gets what reads the texts that are not saved. */
  readonly readTexts: RefObject<ReadTexts>
  readonly onSaved: () => void
}

function EditForm({ record, canEdit, readTexts, onSaved }: FormProps) {
  const { id: workspaceId } = useWorkspace()
  /** The version that the user has seen and is editing. */
  const base = useRef(record)
  const isRedacted = record.redactedAt !== null
  const form = useForm<EditableFields>({ mode: 'controlled', initialValues: toEditableFields(record) })
  const unsent = useRedactedTexts(form, base, record)
  useDirtyCheck(() => form.isDirty() || unsent.texts.length > 0)
  const limits = previewEditLimits(record, form.values, useOwnLimits(workspaceId))
  const conflict = useEditConflict(form, editableFieldLabels, formatEditableField)
  const submit = useSubmit(form, editableFieldLabels, async (fields) => {
    await save(fields)
    onSaved()
  })
  readTexts.current = () => {
    const [typed, before] = [form.getValues(), toEditableFields(base.current)]
    const names = submit.isBusy ? [] : editableFields.filter((name) => typed[name] !== before[name])
    const changed = names.map((name) => ({ name, text: typed[name] }))
    return [...changed, ...unsent.texts].map(({ name, text }) => ({ label: editableFieldLabels[name], text }))
  }
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
    if (latest.redactedAt !== null) unsent.takeFrom(latest)
    base.current = latest
    const latestFields = toEditableFields(latest)
    return conflict.report('case', toEditableFields(before), latestFields, listOtherChanges(before, latest))
  }
  return (
    <DialogForm
      submit={canEdit ? submit : { ...submit, alert: FORBIDDEN }}
      submitLabel="Save"
      isDisabled={!canEdit || limits.refusal !== null}
      writesTo="moderation"
    >
      {editableFields
        .filter((name) => !(isRedacted && recordFields[name].isRedactable))
        .map((name) => (
          <RecordFieldInput key={name} name={name} {...form.getInputProps(name)} />
        ))}
      {unsent.texts.map(({ name, text }) => (
        <Stack key={name} gap="xs">
          <Textarea label={editableFieldLabels[name]} value={text} readOnly autosize maxRows={8} />
          <UnsentText
            noun={editableFieldLabels[name].toLowerCase()}
            text={text}
            cause="Somebody has permanently redacted this case meanwhile."
            discard={() => unsent.discard(name)}
          />
        </Stack>
      ))}
      <LimitNote note={limits.note} warning={limits.refusal} />
      <EditConflict {...conflict} />
    </DialogForm>
  )
}

const FORBIDDEN =
  'You no longer have the permission to edit cases. What you typed was not saved: copy it if you need it.'

/** What was typed into fields that somebody has redacted meanwhile: it cannot be saved, but stays until it is discarded. */
function useRedactedTexts(
  form: UseFormReturnType<EditableFields>,
  base: { readonly current: ModerationRecord },
  record: ModerationRecord,
) {
  const [texts, setTexts] = useState<readonly { readonly name: EditableField; readonly text: string }[]>([])
  const takeFrom = (latest: ModerationRecord) => {
    const before = toEditableFields(base.current)
    const after = toEditableFields(latest)
    const typed = form.getValues()
    const names = editableFields.filter((name) => recordFields[name].isRedactable)
    const taken = names.flatMap((name) =>
      [before[name], after[name]].includes(typed[name]) ? [] : [{ name, text: typed[name] }],
    )
    if (taken.length > 0) setTexts(taken)
    const redacted = Object.fromEntries(names.map((name) => [name, after[name]]))
    form.setInitialValues({ ...form.getInitialValues(), ...redacted })
    for (const name of names) form.setFieldValue(name, after[name])
  }
  const isRedacted = record.redactedAt !== null
  const takeRedacted = useEffectEvent(() => takeFrom(record))
  useEffect(() => {
    if (isRedacted) takeRedacted()
  }, [isRedacted])
  return {
    texts,
    takeFrom,
    discard: (name: EditableField) => setTexts((all) => all.filter((one) => one.name !== name)),
  }
}

const formatEditableField = (name: EditableField, value: string): string =>
  name === 'severity' ? toLabel(value) : value

/** The changed fields that the form does not contain, such as the status. */
const listOtherChanges = (before: ModerationRecord, after: ModerationRecord) =>
  diffRecords(before, after)
    .filter(({ label, isChanged }) => isChanged && !Object.values(editableFieldLabels).includes(label))
    .map(({ label, left, right }) => ({ label, before: left, after: right }))
