import {
  type Actor,
  type ExpectedVersions,
  type FieldProblem,
  invalidRequest,
  missingFields,
} from '@reeve/core'
import {
  type Action,
  type ActionWord,
  actionFields,
  actionMeant,
  actions,
  actionWords,
  fieldsOf,
} from './actions.ts'
import type { ModerationInput, ModerationQueryInput } from './model.ts'
import { refuse, unused } from './request.ts'

/** The fields of an action as sent; `userId` is a list, because reads may name several players. */
export type ActionInput = Omit<ModerationInput, 'action' | 'workspaceId'>

/** A change as the services take it: the fields that its action uses, and no others. */
export interface Change extends Omit<ActionInput, 'userId'> {
  readonly action: Action
  readonly userId?: string
  readonly ifMatch: ExpectedVersions
}

/** A field that the action needs: `changeAsked` has seen that it is there. */
export function given<F extends keyof Change>(change: Change, field: F): NonNullable<Change[F]> {
  const value = change[field]
  if (value === undefined || value === null) throw missingFields(field)
  return value
}

/**
 * The change that a request asks for. Pure.
 * @param query may give `userId` and `severity` too
 * @throws AppError `invalid_request` with every field that is missing, of no use to the action, or in contradiction
 */
export function changeAsked(
  actor: Actor,
  query: ModerationQueryInput,
  body: ModerationInput,
  ifMatch: ExpectedVersions,
): Change {
  const { workspaceId: _, action: word, ...sent } = body
  if (word === undefined) {
    throw invalidRequest({ field: 'action', message: `is required: one of ${actionWords.join(', ')}` })
  }
  const action = actionMeant(word)
  const userId = sent.userId ?? query.userId
  const severity = sent.severity ?? query.severity
  const input: ActionInput = { ...sent, ...(userId && { userId }), ...(severity && { severity }) }
  refuse([
    ...queryProblems(query),
    ...needProblems(action, input),
    ...actionFields
      .filter((field) => input[field] !== undefined && !fieldsOf(action).has(field))
      .map((field) => ({ field, message: `is not used by ${word}` })),
    ...contradictions(word, input),
    ...actorProblems(actor, input),
    ...(ifMatch && !fieldsOf(action).has('id') ? [NOTHING_TO_MATCH] : []),
  ])
  const { userId: [player] = [], ...others } = input
  return { ...others, ...(player !== undefined && { userId: player }), action, ifMatch }
}

const NOTHING_TO_MATCH = {
  field: 'If-Match',
  message: 'is for changes of a record; this action makes a new one',
}

const USED_BY_WRITES: ReadonlySet<string> = new Set([
  'workspaceId',
  'userId',
  'severity',
  'banList',
  'banHistory',
])

const queryProblems = (query: ModerationQueryInput): FieldProblem[] => [
  ...(['banList', 'banHistory'] as const)
    .filter((list) => query[list] === true)
    .map((field) => ({ field, message: 'asks for a read, and action for a write' })),
  ...unused(query, USED_BY_WRITES, 'is for reads; a write has no use for it'),
]

const isSet = (value: unknown): boolean => value !== undefined && value !== ''

function needProblems(action: Action, input: ActionInput): FieldProblem[] {
  const absent = actions[action].needs.filter((field) => !isSet(input[field]))
  const problems: FieldProblem[] = absent.map((field) => ({ field, message: 'is required' }))
  if (isLift(action) && !input.userId && !input.id) {
    problems.push({ field: 'userId', message: 'is required, or id' })
  }
  const changeable = [...fieldsOf(action)].filter((field) => field !== 'id')
  if (action === 'edit' && changeable.every((field) => input[field] === undefined)) {
    problems.push({ field: 'action', message: `edit needs one of ${changeable.join(', ')}` })
  }
  return problems
}

const isLift = (action: Action): boolean => action === 'unban' || action === 'unmute'

function contradictions(word: ActionWord, input: ActionInput): FieldProblem[] {
  const problems: FieldProblem[] = []
  const hasEnd = typeof input.durationSeconds === 'number'
  if ((input.userId?.length ?? 1) !== 1) {
    problems.push({ field: 'userId', message: 'must name one player in a write' })
  }
  if (isLift(actionMeant(word)) && input.userId && input.id) {
    problems.push({ field: 'id', message: 'cannot be given together with userId' })
  }
  if (word === 'temp_ban' && !hasEnd) {
    problems.push({ field: 'durationSeconds', message: 'is required, and not without end, for temp_ban' })
  }
  if (word === 'perm_ban' && hasEnd) {
    problems.push({ field: 'durationSeconds', message: 'must be absent for perm_ban, which is without end' })
  }
  if (word === 'edit' && input.reason === '') {
    problems.push({ field: 'reason', message: 'must not be empty' })
  }
  return problems
}

const actorProblems = (actor: Actor, input: ActionInput): FieldProblem[] =>
  actor.kind === 'api_key'
    ? []
    : (['actorPlatformUserId', 'actorUsername'] as const)
        .filter((field) => input[field] !== undefined)
        .map((field) => ({ field, message: 'is for API keys: whoever is signed in acts as themselves' }))
