import {
  type Actor,
  assertNoProblems,
  type ExpectedVersions,
  type FieldProblem,
  findUnusedFields,
  IF_MATCH_NOT_APPLICABLE,
  invalidRequest,
  isRecordAction,
  type RecordAction,
  wire,
} from '@reeve/core'
import {
  type Action,
  type ActionField,
  type ActionName,
  actionFields,
  actionNames,
  type actions,
  getActionFields,
  getActionRule,
  resolveAction,
  templateFields,
} from './actions.ts'
import type { ModerationInput, ModerationQueryInput } from './requests.ts'

/** What every change has: who an API key acts for, its batch, and what the change is conditional on. */
export interface ChangeContext {
  readonly batchId?: string
  /** In a batch: the sequence of the audit log up to which the user who started it knows the sanctions of its targets. */
  readonly seenSequence?: number
  readonly actorPlatformUserId?: string
  readonly actorUsername?: string
  readonly ifMatch: ExpectedVersions
}

type Rules = typeof actions
type Value<A extends Action> = Rules[A] extends { value: { read(raw: string): infer T } } ? T : never
type FieldValue<A extends Action, F extends ActionField> = F extends 'userId'
  ? string
  : F extends 'value'
    ? Value<A>
    : Exclude<ModerationInput[F], undefined>
type AnyOf<A extends Action> = Rules[A] extends { anyOf: readonly [infer F, infer G] }
  ? With<A, F & ActionField, G & ActionField> | With<A, G & ActionField, F & ActionField>
  : unknown
type With<A extends Action, F extends ActionField, Optional extends ActionField> = {
  readonly [P in F]: FieldValue<A, P>
} & { readonly [P in Optional]?: FieldValue<A, P> }

/**
 * A change as the services receive it: a union discriminated by `action`, whose fields come from the table of actions.
 * `ModerationChange<'ban'>` is the change of one action.
 */
export type ModerationChange<A extends Action = Action> = A extends Action
  ? ChangeContext & { readonly action: A } & {
      readonly [F in Rules[A]['required'][number]]: FieldValue<A, F>
    } & { readonly [F in Rules[A]['optional'][number]]?: FieldValue<A, F> } & AnyOf<A>
  : never

/** A change by template: the ladder decides the action, unless the request says it. */
export type TemplateChange = ChangeContext & { readonly templateId: string; readonly userId: string } & {
  readonly action?: RecordAction
  readonly durationSeconds?: number | null
} & Readonly<
    Pick<ModerationInput, 'userUsername' | 'reason' | 'severity' | 'evidence' | 'evidenceFiles' | 'replaces'>
  >

/** The fields of an action before they are checked against it. `userId` is a list, because a read may name several. */
type ActionInput = Omit<ModerationInput, 'action' | 'workspaceId'>

/**
 * The change that a request describes.
 * @param query may contain `userId` and `severity` too
 * @throws AppError `invalid_request` naming every field that is missing, unused or contradictory
 */
export function parseChange(
  actor: Pick<Actor, 'kind'>,
  query: ModerationQueryInput,
  body: ModerationInput,
  ifMatch: ExpectedVersions,
): ModerationChange | TemplateChange {
  const { workspaceId: _, action: actionName, ...fields } = body
  const { templateId } = fields
  if (actionName === undefined && templateId === undefined) {
    throw invalidRequest({
      field: 'action',
      message: `is required without templateId: one of ${actionNames.join(', ')}`,
    })
  }
  const action = actionName && resolveAction(actionName)
  const userId = fields.userId ?? query.userId
  const severity = fields.severity ?? query.severity
  const input: ActionInput = { ...fields, ...(userId && { userId }), ...(severity && { severity }) }
  const used: ReadonlySet<ActionField> = action ? getActionFields(action) : TEMPLATE_FIELDS
  assertNoProblems([
    ...validateQuery(query),
    ...(action ? validateRequiredFields(action, input) : requirePresent(['userId'], input)),
    ...actionFields
      .filter((field) => input[field] !== undefined && !used.has(field))
      .map((field) => ({
        field,
        message: `is not used ${actionName ? `by ${actionName}` : 'without an action'}`,
      })),
    ...validateCombinations(actionName, input),
    ...validateActor(actor, input),
    ...(ifMatch && !used.has('id') && input.replaces == null ? [IF_MATCH_NOT_APPLICABLE] : []),
  ])
  const { userId: [player] = [], value, ...others } = input
  // The checks above are those of the table that the type comes from.
  return {
    ...others,
    ...(player !== undefined && { userId: player }),
    ...(action && value !== undefined && { value: parseValue(action, value) }),
    ...(action && { action }),
    ifMatch,
  } as ModerationChange | TemplateChange
}

const TEMPLATE_FIELDS: ReadonlySet<ActionField> = new Set<ActionField>([...templateFields, 'templateId'])

/** Reads `value` as its action defines it. @throws AppError `invalid_request` naming `value` */
function parseValue(action: Action, value: string): unknown {
  try {
    return getActionRule(action).value?.read(value)
  } catch (error) {
    if (error instanceof wire.WireError) throw invalidRequest({ field: 'value', message: error.message })
    throw error
  }
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
    .map((field) => ({ field, message: 'requests a read, but action requests a write' })),
  ...findUnusedFields(query, WRITE_QUERY_FIELDS, 'is only used by reads'),
]

const isSet = (value: unknown): boolean => value !== undefined && value !== ''

const requirePresent = (fields: readonly ActionField[], input: ActionInput): FieldProblem[] =>
  fields.filter((field) => !isSet(input[field])).map((field) => ({ field, message: 'is required' }))

function validateRequiredFields(action: Action, input: ActionInput): FieldProblem[] {
  const { required, anyOf } = getActionRule(action)
  // A template has a reason.
  const hasReason = input.templateId !== undefined && isRecordAction(action)
  const problems = requirePresent(
    required.filter((field) => field !== 'reason' || !hasReason),
    input,
  )
  if (anyOf && !anyOf.some((field) => isSet(input[field]))) {
    const [first, second] = anyOf
    problems.push({ field: first, message: `is required unless ${second} is given` })
  }
  const changeable = [...getActionFields(action)].filter((field) => field !== 'id')
  if (action === 'edit' && changeable.every((field) => input[field] === undefined)) {
    problems.push({ field: 'action', message: `edit needs one of ${changeable.join(', ')}` })
  }
  return problems
}

function validateCombinations(actionName: ActionName | undefined, input: ActionInput): FieldProblem[] {
  const problems: FieldProblem[] = []
  const isTemporary = typeof input.durationSeconds === 'number'
  if ((input.userId?.length ?? 1) !== 1) {
    problems.push({ field: 'userId', message: 'must name one player in a write' })
  }
  if (actionName === 'temp_ban' && !isTemporary) {
    problems.push({ field: 'durationSeconds', message: 'is required for temp_ban and cannot be permanent' })
  }
  if (actionName === 'perm_ban' && isTemporary) {
    problems.push({ field: 'durationSeconds', message: 'cannot be set for perm_ban, which is permanent' })
  }
  if (actionName === 'edit' && input.reason === '') {
    problems.push({ field: 'reason', message: 'must not be empty' })
  }
  return problems
}

const validateActor = (actor: Pick<Actor, 'kind'>, input: ActionInput): FieldProblem[] =>
  actor.kind === 'api_key'
    ? []
    : (['actorPlatformUserId', 'actorUsername'] as const)
        .filter((field) => input[field] !== undefined)
        .map((field) => ({ field, message: 'can only be set by API keys' }))
