import {
  assertNoProblems,
  type FieldProblem,
  findUnusedFields,
  type Permission,
  type RecordAction,
  type StorageUse,
} from '@reeve/core'
import { actions, getActionRule, resolveAction } from './actions.ts'
import type { ModerationInput, ModerationQueryInput, ModerationReadQueryInput } from './requests.ts'

interface ModerationFields {
  readonly query: ModerationQueryInput
  readonly body: ModerationInput
}

/**
 * Whether a POST only reads: its body is empty, or its query names a list and its body no action. A field that is present
 * with the value `undefined` could not be read: it counts as present.
 */
export const isReadRequest = ({ query, body }: ModerationFields): boolean =>
  !('action' in body) &&
  (Object.keys(body).length === 0 || namesList(query, 'banList') || namesList(query, 'banHistory'))

const namesList = (query: ModerationQueryInput, list: 'banList' | 'banHistory'): boolean =>
  list in query && query[list] !== false

/** The permission that a POST requires at least; null where its action is missing or invalid. */
export function findRequiredPermission(fields: ModerationFields): Permission | null {
  if (isReadRequest(fields)) return 'moderation.view'
  const { action } = fields.body
  // The ladder decides the action, and what the caller learns from it is what a preview shows.
  if (action === undefined && 'templateId' in fields.body) return 'moderation.view'
  return action === undefined ? null : actions[resolveAction(action)].permission
}

/** How a POST is treated once the storage of the workspace is used up. An invalid action fails for another reason. */
export const selectStorageUse = ({ body }: ModerationFields): StorageUse =>
  (body.action === undefined ? undefined : getActionRule(resolveAction(body.action)).storage) ?? 'essential'

/** A list and its filters. */
export interface ListQuery {
  readonly list: 'bans' | 'history' | 'records'
  readonly userIds: readonly string[] | undefined
  readonly actorUserId: string | undefined
  readonly severity: ModerationInput['severity']
  readonly status: ModerationQueryInput['status']
  readonly actions: readonly RecordAction[] | undefined
  /** Epoch milliseconds: `from` is inclusive, `to` exclusive. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly imported: boolean | undefined
  readonly text: string | undefined
  /** Epoch milliseconds; only with players, and with no other filter. */
  readonly asOf: number | undefined
  readonly caseNumbers: readonly number[] | undefined
  /** Whether a ban check returns linked players too. */
  readonly links: boolean
  readonly limit?: number
  readonly cursor?: string
}

const READ_BODY_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'userId', 'severity'])

/**
 * The list that a request describes.
 * @param body may filter too, by `userId` and `severity`
 * @throws AppError `invalid_request` if it names two lists, or has fields that a read does not use
 */
export function parseListQuery(query: ModerationReadQueryInput, body: ModerationInput = {}): ListQuery {
  const { banList, banHistory, actorUserId, status, limit, cursor } = query
  assertNoProblems([
    ...(banList && banHistory ? [{ field: 'banHistory', message: 'cannot be combined with banList' }] : []),
    ...(query.links && !(banList && query.userId)
      ? [{ field: 'links', message: 'is only used by a ban check: give banList and userId too' }]
      : []),
    ...findUnusedFields(body, READ_BODY_FIELDS, 'is not used by a read; a write needs an action'),
    ...(query.asOf === undefined ? [] : validateAsOf(query, body)),
  ])
  return {
    list: banList ? 'bans' : banHistory ? 'history' : 'records',
    userIds: query.userId ?? body.userId,
    actorUserId,
    severity: query.severity ?? body.severity,
    status,
    actions: query.action,
    from: query.from,
    to: query.to,
    imported: query.imported,
    text: query.text,
    asOf: query.asOf,
    caseNumbers: query.caseNumber,
    links: query.links === true,
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
}

const AS_OF_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'banList', 'banHistory', 'userId', 'asOf'])

const AS_OF_BODY_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'userId'])

const validateAsOf = (query: ModerationReadQueryInput, body: ModerationInput): FieldProblem[] => [
  ...(query.banList ? [] : [{ field: 'asOf', message: 'needs banList=true' }]),
  ...(query.userId || body.userId ? [] : [{ field: 'asOf', message: 'needs userId: the players to check' }]),
  ...findUnusedFields(query, AS_OF_FIELDS, 'cannot be combined with asOf'),
  ...findUnusedFields(body, AS_OF_BODY_FIELDS, 'cannot be combined with asOf'),
]

const SINGLE_READ_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'id', 'limit', 'cursor'])

/** Whether a GET reads one record. @throws AppError `invalid_request` if it has a list or a filter too */
export function isSingleRead(
  query: ModerationReadQueryInput,
): query is ModerationReadQueryInput & { id: string } {
  if (query.id === undefined) return false
  assertNoProblems(findUnusedFields(query, SINGLE_READ_FIELDS, 'cannot be given together with id'))
  return true
}
