import { useForm } from '@mantine/form'
import { isRecordAction } from '@reeve/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { getNow } from '../../../format/clock.ts'
import { useNow } from '../../../format/use-now.ts'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import classes from '../action/action-form.module.css'
import { UNTIL_DATE } from '../action/duration.ts'
import { DateTimeField } from '../action/duration-field.tsx'
import { LimitNote } from '../action/limit-note.tsx'
import { useOwnLimits } from '../action/own-limits.ts'
import { actionInfo } from '../action-labels.ts'
import { formatMoment, formatUntilWithRemaining } from '../format-time.ts'
import type { ModerationRecord } from '../queries.ts'
import { RadioButtons } from '../radio-buttons.tsx'
import { laddersQuery } from '../templates/queries.ts'
import {
  type ExpiryChange,
  expiryOptions,
  explainForbidden,
  parseExpiry,
  toExpiryRequest,
} from './expiry-change.ts'
import { previewExpiryLimits } from './expiry-limits.ts'
import { createVersionedSubmit } from './versioned-submit.ts'

interface Props {
  readonly record: ModerationRecord
  /** The player's id and newest name. */
  readonly playerLabel: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Changes when an active ban or mute expires. */
export const ExpiryDialog = ({ record, playerLabel, isOpen, onClose }: Props) => (
  <Dialog
    opened={isOpen}
    onClose={onClose}
    title={`Change the expiry of the ${record.action} of ${playerLabel}`}
    closeOnClickOutside={false}
  >
    <ExpiryForm record={record} playerLabel={playerLabel} onClose={onClose} />
  </Dialog>
)

const labels = { durationSeconds: 'New expiry', until: 'Until' }

function ExpiryForm({ record, playerLabel, onClose }: Omit<Props, 'isOpen'>) {
  const { id: workspaceId, permissions } = useWorkspace()
  const now = useNow()
  const form = useForm({ mode: 'controlled', initialValues: { durationSeconds: '', until: '' } })
  // A retry after a lost response expects the same version, although the page shows the new one: else it would extend twice.
  const [submitChange] = useState(() => createVersionedSubmit(workspaceId, record))
  const { action, caseNumber } = record
  const past = isRecordAction(action) ? actionInfo[action].past : action
  const change = parseExpiry(record, form.values.durationSeconds, form.values.until, now)
  const ownLimits = useOwnLimits(workspaceId)
  const ladders = useQuery({ ...laddersQuery(workspaceId), enabled: record.ladderId !== null }).data ?? []
  const limits = previewExpiryLimits(record, change, { ownLimits, ladders, permissions })
  const forbiddenReason = change.problem ? null : explainForbidden(record, change, permissions)
  const warning = forbiddenReason ?? limits.refusal

  const submit = useSubmit(form, labels, async ({ durationSeconds, until }) => {
    const submittedChange = parseExpiry(record, durationSeconds, until, getNow())
    if (submittedChange.problem)
      throw new ApiError(400, 'invalid_request', '', { details: [submittedChange.problem] })
    const updated = await submitChange(toExpiryRequest(record, submittedChange))
    onClose()
    notifySuccess(
      `The ${action} of ${playerLabel} ${updated.expiresAt === null ? 'is now permanent' : `now ends ${formatMoment(updated.expiresAt, getNow())}`}. Case ${caseNumber}.`,
    )
  })
  return (
    <DialogForm
      submit={submit}
      submitLabel="Change expiry"
      isDisabled={warning !== null}
      writesTo="moderation"
    >
      <div>
        {past} {formatUntilWithRemaining(record.expiresAt, now)}.
      </div>
      <RadioButtons
        label={labels.durationSeconds}
        name="expiry"
        options={expiryOptions(record)}
        value={form.values.durationSeconds}
        onChange={(value) => form.setFieldValue('durationSeconds', value)}
        error={form.errors.durationSeconds}
      >
        {form.values.durationSeconds === UNTIL_DATE ? (
          <DateTimeField
            label={labels.until}
            value={form.values.until}
            onChange={(value) => form.setFieldValue('until', value)}
            error={form.errors.until}
          />
        ) : null}
      </RadioButtons>
      <p className={classes.summary} aria-live="polite">
        {previewChange(record, playerLabel, change, now)}
      </p>
      <LimitNote note={limits.note} warning={warning} />
    </DialogForm>
  )
}

function previewChange(
  record: ModerationRecord,
  playerLabel: string,
  change: ExpiryChange,
  now: number,
): string {
  if (change.problem) return 'Choose a new expiry.'
  const subject = `The ${record.action} of ${playerLabel}`
  const before = record.expiresAt === null ? 'never' : formatMoment(record.expiresAt, now)
  return change.newExpiry === null
    ? `${subject} becomes permanent instead of ending ${before}.`
    : `${subject} will end ${formatMoment(change.newExpiry, now)} instead of ${before}.`
}
