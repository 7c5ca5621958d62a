import { type UseFormReturnType, useForm } from '@mantine/form'
import { isSanctionKind, type RecordAction } from '@reeve/core'
import { useRef, useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { queryClient } from '../../../api/query-client.ts'
import { type FormSubmission, useSubmit } from '../../../forms/use-submit.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { type ModerationRequest, submitModeration } from '../mutations.ts'
import { type PlayerSummary, playerQuery } from '../queries.ts'
import { parseDuration, type SanctionDuration } from './duration.ts'
import { notifyRecorded } from './notify-recorded.ts'

/** The fields, named as on the wire where they are of it. */
export interface ActionFields extends Record<string, string> {
  action: RecordAction
  reason: string
  /** Empty: what the action has by default. */
  severity: string
  durationSeconds: string
  until: string
  evidence: string
  userUsername: string
}

const labels = {
  action: 'Action',
  reason: 'Reason',
  severity: 'Severity',
  durationSeconds: 'How long',
  until: 'Until',
  evidence: 'Evidence',
  userUsername: 'Name',
}

export interface ActionFormState {
  readonly form: UseFormReturnType<ActionFields>
  readonly submit: FormSubmission
  /** Opens it for an action. */
  readonly start: (action: RecordAction) => void
  /** Whether somebody else changed how the player stands since the reader looked. */
  readonly hasChanged: boolean
}

/** What is in force, as far as acting goes by it. */
const sanctionsKey = (player: PlayerSummary | null): string =>
  [player?.ban, player?.mute]
    .map((sanction) => (sanction ? `${sanction.id} ${sanction.expiresAt}` : ''))
    .join()

/** A length that was sent and never answered: the same is sent again, so that the server knows the repeat. */
interface PendingSubmission {
  readonly fieldsKey: string
  readonly duration: SanctionDuration
}

/** The state of acting on one player. */
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
    const duration = retried?.duration ?? parseDuration(fields.durationSeconds, fields.until, Date.now())
    const request = toRequest(userId, fields, duration)
    // A write that may have gone through already is asked about first of all.
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

  /** @throws ApiError where the player does not stand as the reader was shown */
  const assertUnchanged = async () => {
    const latestPlayer = await queryClient.fetchQuery({ ...playerQuery(workspaceId, userId), staleTime: 0 })
    const currentSanctions = sanctionsKey(latestPlayer)
    if (currentSanctions === seenSanctions) return
    setSeenSanctions(currentSanctions)
    const message =
      'How this player stands has changed meanwhile. Nothing was done yet: read what is in force now, and press again if you still want to.'
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
  action,
  reason: '',
  severity: '',
  durationSeconds: '',
  until: '',
  evidence: '',
  userUsername,
})

/** What is sent. @throws ApiError naming the fields that say no length */
function toRequest(userId: string, fields: ActionFields, duration: SanctionDuration): ModerationRequest {
  const { action, reason, severity, evidence, userUsername } = fields
  if (isSanctionKind(action) && duration.problem) {
    const missing = reason.trim() === '' ? [{ field: 'reason', message: 'is required' }] : []
    throw new ApiError(400, 'invalid_request', '', { details: [duration.problem, ...missing] })
  }
  const hasDuration = isSanctionKind(action) && !duration.problem
  return {
    action,
    userId,
    reason,
    ...(severity !== '' && { severity }),
    ...(hasDuration && {
      durationSeconds: duration.seconds === null ? 'permanent' : String(duration.seconds),
    }),
    ...(evidence.trim() !== '' && { evidence }),
    ...(userUsername.trim() !== '' && { userUsername }),
  }
}
