import { type UseFormReturnType, useForm } from '@mantine/form'
import { isSanctionKind, type RecordAction } from '@reeve/core'
import { useRef, useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { queryClient } from '../../../api/query-client.ts'
import { getNow } from '../../../format/clock.ts'
import { type FormSubmission, useSubmit } from '../../../forms/use-submit.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { type ModerationRequest, submitModeration } from '../mutations.ts'
import { type PlayerSummary, playerQuery } from '../queries.ts'
import {
  type EditableFields,
  editableFieldLabels,
  editableFields,
  emptyEditableFields,
  recordFields,
} from '../record-fields.tsx'
import { parseDuration, type SanctionDuration } from './duration.ts'
import { notifyRecorded } from './notify-recorded.ts'

/** The form's fields. An empty severity is the action's default. */
export interface ActionFields extends Record<string, string>, EditableFields {
  action: RecordAction
  durationSeconds: string
  until: string
}

const labels = {
  ...editableFieldLabels,
  action: 'Action',
  durationSeconds: recordFields.durationSeconds.label,
  until: 'Until',
}

export interface ActionFormState {
  readonly form: UseFormReturnType<ActionFields>
  readonly submit: FormSubmission
  /** Prepares the form for an action. */
  readonly start: (action: RecordAction) => void
  /** Whether the player's sanctions have changed since the user last saw them. */
  readonly hasChanged: boolean
}

/** Identifies the player's active sanctions and their expiry. */
const sanctionsKey = (player: PlayerSummary | null): string =>
  [player?.ban, player?.mute]
    .map((sanction) => (sanction ? `${sanction.id} ${sanction.expiresAt}` : ''))
    .join()

/** The duration of a request that got no response. A retry reuses it, so that the server recognizes the request. */
interface PendingSubmission {
  readonly fieldsKey: string
  readonly duration: SanctionDuration
}

/** The state of the form for acting on one player. */
export function useActionForm(
  userId: string,
  player: PlayerSummary | null,
  onDone: () => void,
): ActionFormState {
  const { id: workspaceId, permissions } = useWorkspace()
  const name = player?.userUsername ?? ''
  const form = useForm<ActionFields>({ mode: 'controlled', initialValues: createFields('note', name) })
  const [seenSanctions, setSeenSanctions] = useState('')
  const pendingSubmission = useRef<PendingSubmission | null>(null)

  const submit = useSubmit(form, labels, async (fields) => {
    const fieldsKey = JSON.stringify(fields)
    const retried = pendingSubmission.current?.fieldsKey === fieldsKey ? pendingSubmission.current : null
    pendingSubmission.current = null
    const duration = retried?.duration ?? parseDuration(fields.durationSeconds, fields.until, getNow())
    const request = toRequest(userId, fields, duration)
    // A retry may already have succeeded, so it goes straight to the server.
    if (!retried) await assertUnchanged()
    try {
      const record = await withExplainedErrors(workspaceId, () => submitModeration(workspaceId, request))
      form.setInitialValues(createFields(fields.action, record.userUsername ?? ''))
      form.reset()
      onDone()
      notifyRecorded(workspaceId, record, {
        hasSuperseded: player?.[fields.action as 'ban'] != null,
        permissions,
      })
    } catch (error) {
      if (error instanceof ApiError && error.isRetryable) pendingSubmission.current = { fieldsKey, duration }
      throw error
    }
  })

  /** @throws ApiError if the player's sanctions differ from what the user has seen */
  const assertUnchanged = async () => {
    const latestPlayer = await queryClient.fetchQuery({ ...playerQuery(workspaceId, userId), staleTime: 0 })
    const currentSanctions = sanctionsKey(latestPlayer)
    if (currentSanctions === seenSanctions) return
    setSeenSanctions(currentSanctions)
    const message =
      'This player’s sanctions have changed. Nothing has been done yet: check the current state above, then submit again if you still want to.'
    throw new ApiError(409, 'conflict', message)
  }

  const start = (action: RecordAction) => {
    submit.clear()
    setSeenSanctions(sanctionsKey(player))
    form.setFieldValue('action', action)
    if (form.getValues().userUsername === '' && name !== '') form.setFieldValue('userUsername', name)
  }

  return { form, submit, start, hasChanged: sanctionsKey(player) !== seenSanctions }
}

const createFields = (action: RecordAction, userUsername: string): ActionFields => ({
  ...emptyEditableFields,
  action,
  durationSeconds: '',
  until: '',
  userUsername,
})

/** The request body. @throws ApiError naming the fields of an invalid duration */
function toRequest(userId: string, fields: ActionFields, duration: SanctionDuration): ModerationRequest {
  const { action, reason } = fields
  if (isSanctionKind(action) && duration.problem) {
    const missing = reason.trim() === '' ? [{ field: 'reason', message: 'is required' }] : []
    throw new ApiError(400, 'invalid_request', '', { details: [duration.problem, ...missing] })
  }
  const hasDuration = isSanctionKind(action) && !duration.problem
  return {
    action,
    userId,
    ...Object.fromEntries(
      editableFields
        .filter((name) => name === 'reason' || fields[name].trim() !== '')
        .map((name) => [name, fields[name]]),
    ),
    ...(hasDuration && {
      durationSeconds: duration.seconds === null ? 'permanent' : String(duration.seconds),
    }),
  }
}
