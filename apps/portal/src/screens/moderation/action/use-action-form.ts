import { type UseFormReturnType, useForm } from '@mantine/form'
import { isSanctionKind, type RecordAction, type SanctionKind } from '@reeve/core'
import { useRef, useState } from 'react'
import { ApiError, isVersionMismatch } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { queryClient } from '../../../api/query-client.ts'
import type { TypedText } from '../../../components/dialog-texts.ts'
import { getNow } from '../../../format/clock.ts'
import { type FormSubmission, useSubmit } from '../../../forms/use-submit.ts'
import { sendFilesFirst, startUploads } from '../evidence/uploads.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { type ModerationRequest, submitModeration } from '../mutations.ts'
import { type PlayerSummary, playerFactsQuery } from '../queries.ts'
import { editableFieldLabels, editableFields, emptyEditableFields, recordFields } from '../record-fields.tsx'
import { previewQuery } from '../templates/queries.ts'
import type { ActionFields } from './action-fields.ts'
import { parseDuration, UNTIL_DATE } from './duration.ts'
import { notifyRecorded } from './notify-recorded.ts'
import { mayNeedEvidence } from './own-limits.ts'
import { type ChosenTemplate, useTemplate } from './use-template.ts'

const labels = {
  ...editableFieldLabels,
  templateId: 'Template',
  action: 'Action',
  durationSeconds: recordFields.durationSeconds.label,
  until: 'Until',
}

/** What the dialog opens with. */
export interface ActionRequest {
  readonly action: RecordAction
  /** The template to choose; without one, that of the kept input stays. */
  readonly templateId?: string
}

export interface ActionFormState {
  readonly form: UseFormReturnType<ActionFields>
  readonly submit: FormSubmission
  readonly template: ChosenTemplate
  /** Prepares the form for an action. */
  readonly start: (request: ActionRequest) => void
  /** Whether the user has entered anything that leaving the page would lose. */
  readonly hasInput: () => boolean
  /** The texts among it, if they are not being sent. */
  readonly readTexts: () => readonly TypedText[]
  /** Whether the player's sanctions have changed since the user last saw them. */
  readonly hasChanged: boolean
  /** Files that are sent to the case once it is recorded, or before if the user needs evidence. */
  readonly files: readonly File[]
  readonly setFiles: (files: readonly File[]) => void
}

/** Identifies the player's active sanctions and their expiry. */
const sanctionsKey = (player: PlayerSummary | null): string =>
  [player?.ban, player?.mute]
    .map((sanction) => (sanction ? `${sanction.id} ${sanction.expiresAt}` : ''))
    .join()

/** A request that got no response. A retry sends the same, so that the server recognizes it, unless its end is a time. */
interface PendingSubmission {
  readonly fieldsKey: string
  readonly files: readonly File[]
  readonly prepared: PreparedRequest
}

interface PreparedRequest {
  readonly request: ModerationRequest
  /** That of the sanction that it replaces. */
  readonly version: string | undefined
  /** The number of records of the player before it. */
  readonly records: string
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
  const template = useTemplate(userId, form)
  const [seenPlayer, setSeenPlayer] = useState<PlayerSummary | null>(null)
  const [files, setFiles] = useState<readonly File[]>([])
  const pendingSubmission = useRef<PendingSubmission | null>(null)

  const submit = useSubmit(form, labels, async (fields) => {
    const { action } = fields
    const fieldsKey = JSON.stringify(fields)
    const pending = pendingSubmission.current
    const retried = pending?.fieldsKey === fieldsKey && pending.files === files ? pending : null
    const isSentFirst = files.length > 0 && mayNeedEvidence(workspaceId, action)
    const prepared = await (retried
      ? prepareRetry(fields, retried.prepared)
      : prepareRequest(fields, isSentFirst))
    const { request, version } = prepared
    pendingSubmission.current = null
    try {
      const { record, approval } = await withExplainedErrors(workspaceId, () =>
        submitModeration(workspaceId, request, version),
      )
      form.setInitialValues(createFields(action, record.userUsername ?? ''))
      form.reset()
      if (files.length > 0 && !isSentFirst) startUploads(workspaceId, record.id, files)
      setFiles([])
      onDone()
      notifyRecorded(workspaceId, record, { hasSuperseded: Boolean(request.replaces), approval, permissions })
    } catch (error) {
      if (error instanceof ApiError && error.isRetryable)
        pendingSubmission.current = { fieldsKey, files, prepared }
      const isMoved = isVersionMismatch(error)
      // The message names the sanction in force, which the next attempt replaces.
      if (isMoved || (error instanceof ApiError && error.code === 'conflict'))
        setSeenPlayer(await fetchPlayer().catch(() => seenPlayer))
      throw isMoved ? createChangedError() : error
    }
  })

  /** Prepares a new request. @throws ApiError if what the user has seen has changed, or a field is invalid */
  const prepareRequest = async (fields: ActionFields, isSentFirst: boolean): Promise<PreparedRequest> => {
    // Invalid fields are refused before files are sent.
    toRequest(userId, fields)
    const evidenceFiles = isSentFirst ? (await sendFilesFirst(workspaceId, files)).join() : null
    const latest = await fetchPlayer()
    assertUnchanged(latest)
    await assertSameDecision(workspaceId, userId, template)
    const replaced = isSanctionKind(fields.action) ? (latest?.[fields.action] ?? null) : undefined
    return {
      request: {
        ...toRequest(userId, fields),
        ...(replaced !== undefined && { replaces: replaced?.id ?? '' }),
        ...(evidenceFiles !== null && { evidenceFiles }),
      },
      version: replaced?.version,
      records: countRecords(latest),
    }
  }

  /**
   * Prepares a retry. Whether a sanction that the user has not seen is that of the first attempt, only the server knows: it gets the same
   * request. Otherwise a sanction until a time has become shorter since the first attempt.
   * @throws ApiError as `assertUnchanged`; if the time has passed, or the first attempt may have been recorded and is no longer in force
   */
  const prepareRetry = async (fields: ActionFields, prepared: PreparedRequest): Promise<PreparedRequest> => {
    const latest = await fetchPlayer()
    const request = toRequest(userId, fields)
    const isReplaced = (kind: SanctionKind) => latest?.[kind]?.id !== seenPlayer?.[kind]?.id
    if (!isReplaced('ban') && !isReplaced('mute')) assertUnchanged(latest)
    const { action, durationSeconds } = fields
    if (!isSanctionKind(action) || durationSeconds !== UNTIL_DATE || isReplaced(action)) return prepared
    if (countRecords(latest) !== prepared.records) {
      pendingSubmission.current = null
      throw createUnclearError()
    }
    return { ...prepared, request: { ...prepared.request, ...request } }
  }

  const fetchPlayer = async (): Promise<PlayerSummary | null> =>
    (await queryClient.fetchQuery({ ...playerFactsQuery(workspaceId, userId), staleTime: 0 })).player

  /** @throws ApiError if the player's sanctions differ from what the user has seen */
  const assertUnchanged = (latest: PlayerSummary | null) => {
    if (sanctionsKey(latest) === sanctionsKey(seenPlayer)) return
    setSeenPlayer(latest)
    throw createChangedError()
  }

  const start = ({ action, templateId }: ActionRequest) => {
    submit.restart()
    pendingSubmission.current = null
    setSeenPlayer(player)
    form.setFieldValue('action', action)
    if (templateId !== undefined) form.setFieldValue('templateId', templateId)
    if (form.getValues().userUsername === '' && name !== '') form.setFieldValue('userUsername', name)
  }

  const hasChanged = sanctionsKey(player) !== sanctionsKey(seenPlayer)
  const hasInput = () => files.length > 0 || enteredFields.some((field) => form.getValues()[field] !== '')
  const readTexts = () =>
    submit.isBusy
      ? []
      : enteredFields.map((field) => ({ label: labels[field], text: form.getValues()[field] }))
  return { form, submit, template, start, hasInput, readTexts, hasChanged, files, setFiles }
}

const createChangedError = (): ApiError =>
  new ApiError(
    409,
    'conflict',
    'This player’s sanctions have changed. Nothing has been done yet: check the current state above, then submit again if you still want to.',
  )

const createUnclearError = (): ApiError =>
  new ApiError(
    409,
    'conflict',
    'Something has been recorded about this player since your last attempt, perhaps by that attempt. Check the history, then submit again if you still want to.',
  )

const countRecords = (player: PlayerSummary | null): string => player?.records ?? '0'

/** What only the user types. */
const enteredFields = ['reason', 'evidence'] as const

const createFields = (action: RecordAction, userUsername: string): ActionFields => ({
  ...emptyEditableFields,
  templateId: '',
  action,
  durationSeconds: '',
  until: '',
  userUsername,
})

/** @throws ApiError if the template now leads to another step than the one that the user has seen */
async function assertSameDecision(
  workspaceId: string,
  userId: string,
  { chosen, preview }: ChosenTemplate,
): Promise<void> {
  if (chosen === null || preview === null) return
  const query = previewQuery(workspaceId, userId, chosen.id)
  const latest = await queryClient.fetchQuery({ ...query, staleTime: 0 })
  const toKey = (shown: typeof preview) => [shown.step, shown.action, shown.durationSeconds].join()
  if (toKey(latest) === toKey(preview)) return
  const message =
    'The template now leads to another step for this player. Nothing has been done yet: check it above, then submit again.'
  throw new ApiError(409, 'conflict', message)
}

/** The request body, if it is sent now. @throws ApiError naming the fields of an invalid duration */
function toRequest(userId: string, fields: ActionFields): ModerationRequest {
  const { action, reason, templateId } = fields
  const duration = parseDuration(fields.durationSeconds, fields.until, getNow())
  if (isSanctionKind(action) && duration.problem) {
    const missing =
      reason.trim() === '' && templateId === '' ? [{ field: 'reason', message: 'is required' }] : []
    throw new ApiError(400, 'invalid_request', '', { details: [duration.problem, ...missing] })
  }
  const hasDuration = isSanctionKind(action) && !duration.problem
  return {
    action,
    userId,
    ...Object.fromEntries(
      editableFields
        .filter((name) => (name === 'reason' && templateId === '') || fields[name].trim() !== '')
        .map((name) => [name, fields[name]]),
    ),
    ...(templateId !== '' && { templateId }),
    ...(hasDuration && {
      durationSeconds: duration.seconds === null ? 'permanent' : String(duration.seconds),
    }),
  }
}
