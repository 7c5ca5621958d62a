import { type UseFormReturnType, useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { queryClient } from '../../../api/query.ts'
import { type Submit, useSubmit } from '../../../forms/use-submit.ts'
import { type KnownPlayer, playerQuery } from '../data.ts'
import { act, type Deed } from '../deeds.ts'
import { inWords } from '../in-words.ts'
import { isRestraint, type Verb } from '../words.ts'
import { tellOfDeed } from './done.ts'
import { type Length, lengthOf } from './length.ts'

/** The fields, named as on the wire where they are of it. */
export interface ActFields extends Record<string, string> {
  action: Verb
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

export interface Acting {
  readonly form: UseFormReturnType<ActFields>
  readonly submit: Submit
  /** Opens it for an action. */
  readonly begin: (action: Verb) => void
  /** Whether somebody else changed how the player stands since the reader looked. */
  readonly hasChanged: boolean
}

/** What is in force, as far as acting goes by it. */
const standingOf = (player: KnownPlayer | null): string =>
  [player?.ban, player?.mute].map((held) => (held ? `${held.id} ${held.expiresAt}` : '')).join()

/** A length that was sent and never answered: the same is sent again, so that the server knows the repeat. */
interface Unanswered {
  readonly asked: string
  readonly length: Length
}

/** The state of acting on one player. */
export function useActing(userId: string, known: KnownPlayer | null, onDone: () => void): Acting {
  const { id: workspaceId, permissions } = useWorkspace()
  const name = known?.userUsername ?? ''
  const form = useForm<ActFields>({ mode: 'controlled', initialValues: fresh('note', name) })
  const [seen, setSeen] = useState('')
  const unanswered = useRef<Unanswered | null>(null)

  const submit = useSubmit(form, labels, async (fields) => {
    const asked = JSON.stringify(fields)
    const again = unanswered.current?.asked === asked ? unanswered.current : null
    unanswered.current = null
    const length = again?.length ?? lengthOf(fields.durationSeconds, fields.until, Date.now())
    const deed = deedOf(userId, fields, length)
    // A write that may have gone through already is asked about first of all.
    if (!again) await lookAgain()
    try {
      const record = await inWords(workspaceId, () => act(workspaceId, deed))
      form.setInitialValues(fresh(fields.action, record.userUsername ?? ''))
      form.reset()
      onDone()
      tellOfDeed(workspaceId, record, { gaveWay: known?.[fields.action as 'ban'] != null, permissions })
    } catch (error) {
      if (error instanceof ApiError && error.isPassing) unanswered.current = { asked, length }
      throw error
    }
  })

  /** @throws ApiError where the player does not stand as the reader was shown */
  const lookAgain = async () => {
    const player = await queryClient.fetchQuery({ ...playerQuery(workspaceId, userId), staleTime: 0 })
    const now = standingOf(player)
    if (now === seen) return
    setSeen(now)
    const sentence =
      'How this player stands has changed meanwhile. Nothing was done yet: read what is in force now, and press again if you still want to.'
    throw new ApiError(409, 'conflict', sentence)
  }

  const begin = (action: Verb) => {
    submit.clear()
    setSeen(standingOf(known))
    form.setFieldValue('action', action)
    if (form.getValues().userUsername === '' && name !== '') form.setFieldValue('userUsername', name)
  }

  return { form, submit, begin, hasChanged: standingOf(known) !== seen }
}

const fresh = (action: Verb, userUsername: string): ActFields => ({
  action,
  reason: '',
  severity: '',
  durationSeconds: '',
  until: '',
  evidence: '',
  userUsername,
})

/** What is sent. @throws ApiError naming the fields that say no length */
function deedOf(userId: string, fields: ActFields, length: Length): Deed {
  const { action, reason, severity, evidence, userUsername } = fields
  if (isRestraint(action) && length.problem) {
    const missing = reason.trim() === '' ? [{ field: 'reason', message: 'is required' }] : []
    throw new ApiError(400, 'invalid_request', '', { details: [length.problem, ...missing] })
  }
  const holds = isRestraint(action) && !length.problem
  return {
    action,
    userId,
    reason,
    ...(severity !== '' && { severity }),
    ...(holds && { durationSeconds: length.seconds === null ? 'permanent' : String(length.seconds) }),
    ...(evidence.trim() !== '' && { evidence }),
    ...(userUsername.trim() !== '' && { userUsername }),
  }
}
