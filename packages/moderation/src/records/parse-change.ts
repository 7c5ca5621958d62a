import {
  type Actor,
  type ExpectedVersions,
  type FieldProblem,
  invalidRequest,
  missingFields,
} from '@reeve/core'
import {
  type Action,
  type ActionName,
  actionFields,
  actionNames,
  actions,
  getActionFields,
  resolveAction,
} from './actions.ts'
import type { ModerationInput, ModerationQueryInput } from './model.ts'
import { assertNoProblems, findUnusedFields } from './parse-request.ts'

/** The fields of an action as sent; `userId` is a list, because reads may name several players. */
export type ActionInput = Omit<ModerationInput, 'action' | 'workspaceId'>

/** A change as the services take it: the fields that its action uses, and no others. */
export interface ModerationChange extends Omit<ActionInput, 'userId'> {
  readonly action: Action
  readonly userId?: string
  readonly ifMatch: ExpectedVersions
}

/** A field that the action needs: `changeAsked` has seen that it is there. */
export function requireField<F extends keyof ModerationChange>(
  change: ModerationChange,
  field: F,
): NonNullable<ModerationChange[F]> {
  const value = change[field]
  if (value === undefined || value === null) throw missingFields(field)
  return value
}

/**
 * The change that a request asks for. Pure.
 * @param query may give `userId` and `severity` too
 * @throws AppError `invalid_request` with every field that is missing, of no use to the action, or in contradiction
 */
export function parseChange(
  actor: Actor,
  query: ModerationQueryInput,
  body: ModerationInput,
  ifMatch: ExpectedVersions,
): ModerationChange {
  const { workspaceId: _, action: actionName, ...fields } = body
  if (actionName === undefined) {
    throw invalidRequest({ field: 'action', message: `is required: one of ${actionNames.join(', ')}` })
  }
  const action = resolveAction(actionName)
  const userId = fields.userId ?? query.userId
  const severity = fields.severity ?? query.severity
  const input: ActionInput = { ...fields, ...(userId && { userId }), ...(severity && { severity }) }
  assertNoProblems([
    ...validateQuery(query),
    ...validateRequiredFields(action, input),
    ...actionFields
      .filter((field) => input[field] !== undefined && !getActionFields(action).has(field))
      .map((field) => ({ field, message: `is not used by ${actionName}` })),
    ...validateCombinations(actionName, input),
    ...validateActor(actor, input),
    ...(ifMatch && !getActionFields(action).has('id') ? [IF_MATCH_NOT_APPLICABLE] : []),
  ])
  const { userId: [player] = [], ...others } = input
  return { ...others, ...(player !== undefined && { userId: player }), action, ifMatch }
}

const IF_MATCH_NOT_APPLICABLE = {
  field: 'If-Match',
  message: 'is for changes of a record; this action makes a new one',
}

const WRITE_QUERY_FIELDS: ReadonlySet<string> = new Set([
  'workspaceId',
  'userId',
  'severity',
  'banList',
  'banHistory',
])

const validateQuery = (query: ModerationQueryInput): FieldProblem[] => [
  ...(['banList', 'banHistory'] as const)
    .filter((list) => query[list] === true)
    .map((field) => ({ field, message: 'asks for a read, and action for a write' })),
  ...findUnusedFields(query, WRITE_QUERY_FIELDS, 'is for reads; a write has no use for it'),
]

const isSet = (value: unknown): boolean => value !== undefined && value !== ''

function validateRequiredFields(action: Action, input: ActionInput): FieldProblem[] {
  const absent = actions[action].required.filter((field) => !isSet(input[field]))
  const problems: FieldProblem[] = absent.map((field) => ({ field, message: 'is required' }))
  if (isLift(action) && !input.userId && !input.id) {
    problems.push({ field: 'userId', message: 'is required, or id' })
  }
  const changeable = [...getActionFields(action)].filter((field) => field !== 'id')
  if (action === 'edit' && changeable.every((field) => input[field] === undefined)) {
    problems.push({ field: 'action', message: `edit needs one of ${changeable.join(', ')}` })
  }
  return problems
}

const isLift = (action: Action): boolean => action === 'unban' || action === 'unmute'

function validateCombinations(actionName: ActionName, input: ActionInput): FieldProblem[] {
  const problems: FieldProblem[] = []
  const isTemporary = typeof input.durationSeconds === 'number'
  if ((input.userId?.length ?? 1) !== 1) {
    problems.push({ field: 'userId', message: 'must name one player in a write' })
  }
  if (isLift(resolveAction(actionName)) && input.userId && input.id) {
    problems.push({ field: 'id', message: 'cannot be given together with userId' })
  }
  if (actionName === 'temp_ban' && !isTemporary) {
    problems.push({ field: 'durationSeconds', message: 'is required, and not without end, for temp_ban' })
  }
  if (actionName === 'perm_ban' && isTemporary) {
    problems.push({ field: 'durationSeconds', message: 'must be absent for perm_ban, which is without end' })
  }
  if (actionName === 'edit' && input.reason === '') {
    problems.push({ field: 'reason', message: 'must not be empty' })
  }
  return problems
}

const validateActor = (actor: Actor, input: ActionInput): FieldProblem[] =>
  actor.kind === 'api_key'
    ? []
    : (['actorPlatformUserId', 'actorUsername'] as const)
        .filter((field) => input[field] !== undefined)
        .map((field) => ({ field, message: 'is for API keys: whoever is signed in acts as themselves' }))
