import {
  type Actor,
  assertNoProblems,
  assertUsedFields,
  type FieldProblem,
  invalidRequest,
  requireFields,
  type StorageUse,
} from '@reeve/core'
import { type ActionName, getActionFields, getActionRule, resolveAction } from '../records/actions.ts'
import { type ModerationChange, parseChange, type TemplateChange } from '../records/parse-change.ts'
import type { ModerationInput } from '../records/requests.ts'
import { type BatchInput, batchVerbs, bulkActions } from './model.ts'

type BatchVerb = (typeof batchVerbs)[number]

const isVerb = (action: string): action is BatchVerb => (batchVerbs as readonly string[]).includes(action)

/** The fields of an action on many targets, as a batch stores them. */
export interface ActionInput {
  /** Undefined if the ladder of a template decides it for each player. */
  readonly action?: ActionName
  /** The field of the single action that names the target. */
  readonly targetField: 'userId' | 'id'
  readonly fields: Omit<ModerationInput, 'action' | 'userId' | 'id'>
}

/** What a request asks for. */
export type BatchCommand =
  | {
      readonly kind: 'actions'
      readonly targets: readonly string[]
      readonly input: ActionInput
      /** Up to which sequence of the audit log the user knows the sanctions of the targets. */
      readonly seenSequence?: number | undefined
    }
  | {
      readonly kind: 'undo'
      readonly actorUserId: string
      readonly since: number
      readonly input: ReversalInput
    }
  | { readonly kind: 'reversal'; readonly id: string; readonly input: ReversalInput }
  | { readonly kind: 'cancel'; readonly id: string }

/** The fields of an undo or a reversal, as a batch stores them. */
export interface ReversalInput {
  readonly reason: string
}

const VERB_FIELDS: Readonly<Record<BatchVerb, readonly (keyof BatchInput)[]>> = {
  undo: ['actorUserId', 'since', 'reason', 'dryRun'],
  reverse: ['id', 'reason', 'dryRun'],
  cancel: ['id'],
}

type BatchBody = Omit<BatchInput, 'sequence'> & { readonly sequence: number | undefined }

/** @throws AppError `invalid_request` naming every field that is missing, unused or contradictory */
export function parseBatchRequest(actor: Pick<Actor, 'kind'>, input: BatchInput): BatchCommand {
  // The preview of an action that replaces and lifts nothing has none, and is passed on like the others.
  const body = { ...input, sequence: input.sequence ?? undefined }
  const { action } = body
  if (action === undefined && body.templateId === undefined) {
    throw invalidRequest({
      field: 'action',
      message: `is required without templateId: one of ${[...bulkActions, ...batchVerbs].join(', ')}`,
    })
  }
  return action !== undefined && isVerb(action) ? parseVerb(action, body) : parseAction(actor, action, body)
}

function parseVerb(verb: BatchVerb, body: BatchBody): BatchCommand {
  assertUsedFields(verb, body, VERB_FIELDS[verb])
  if (verb === 'undo') {
    const { actorUserId, since, reason } = requireFields(body, 'actorUserId', 'since', 'reason')
    return { kind: 'undo', actorUserId, since, input: { reason: requireReason(reason) } }
  }
  if (verb === 'reverse') {
    const { id, reason } = requireFields(body, 'id', 'reason')
    return { kind: 'reversal', id, input: { reason: requireReason(reason) } }
  }
  const { id } = requireFields(body, 'id')
  return { kind: 'cancel', id }
}

function requireReason(reason: string): string {
  if (reason === '') throw invalidRequest({ field: 'reason', message: 'is required' })
  return reason
}

function parseAction(
  actor: Pick<Actor, 'kind'>,
  action: ActionName | undefined,
  body: BatchBody,
): BatchCommand {
  const {
    workspaceId,
    action: _,
    dryRun,
    userIds,
    recordIds,
    actorUserId,
    since,
    id,
    sequence,
    ...fields
  } = body
  const used: ReadonlySet<string> =
    action === undefined ? new Set(['userId']) : getActionFields(resolveAction(action))
  const by = action === undefined ? 'without an action' : `by ${action}`
  const problems: FieldProblem[] = Object.entries({ actorUserId, since, id })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({ field, message: `is not used ${by}` }))
  if (userIds !== undefined && !used.has('userId'))
    problems.push({ field: 'userIds', message: `is not used ${by}, which needs recordIds` })
  if (recordIds !== undefined && !used.has('id'))
    problems.push({ field: 'recordIds', message: `is not used ${by}, which needs userIds` })
  if (userIds !== undefined && recordIds !== undefined && problems.length === 0)
    problems.push({ field: 'recordIds', message: 'cannot be given together with userIds' })
  if (sequence !== undefined && !replacesSanctions(action))
    problems.push({ field: 'sequence', message: `is not used ${by}` })
  const targets = userIds ?? recordIds ?? []
  if (targets.length === 0 && problems.length === 0)
    problems.push({ field: used.has('userId') ? 'userIds' : 'recordIds', message: 'is required' })
  assertNoProblems(problems)
  const input: ActionInput = { ...(action && { action }), targetField: userIds ? 'userId' : 'id', fields }
  // Reports invalid fields now rather than once for each target.
  toChange(actor, input, String(targets[0]))
  return { kind: 'actions', targets, input, seenSequence: sequence }
}

/** Whether an action replaces or lifts what is in force. A ladder may decide so. */
export const replacesSanctions = (action: ActionName | undefined): boolean =>
  action === undefined || ['ban', 'mute', 'unban', 'unmute'].includes(resolveAction(action))

/** The change of one target. @throws AppError `invalid_request` */
export function toChange(
  actor: Pick<Actor, 'kind'>,
  { action, targetField, fields }: ActionInput,
  target: string,
): ModerationChange | TemplateChange {
  const body = {
    ...fields,
    ...(action && { action }),
    ...(targetField === 'userId' ? { userId: [target] } : { id: target }),
  }
  return parseChange(actor, {}, body, null)
}

/** How a request is treated once the storage of the workspace is used up: as its action; an undo makes room for nobody. */
export function selectBatchStorage({ body }: { readonly body: BatchInput }): StorageUse {
  const { action } = body
  if (action === undefined) return 'essential'
  return isVerb(action) ? 'exempt' : (getActionRule(resolveAction(action)).storage ?? 'essential')
}

/** Whether a request only shows what would happen. */
export const isPreview = ({ body }: { readonly body: BatchInput }): boolean => body.dryRun === true
