import type { RawRequest } from '@reeve/auth'
import { type FieldProblem, invalidRequest, type Permission } from '@reeve/core'
import { findActionPermission } from './actions.ts'
import type { ModerationInput, ModerationQueryInput, ModerationReadQueryInput } from './model.ts'

/** What a request asks for. Pure; the gate decides on the request as it came, the handler on its fields. */

const isTruthyFlag = (flag: string | undefined): boolean =>
  flag !== undefined && flag !== 'false' && flag !== '0'

/** Whether a POST only reads: its body is absent or empty, or its query names a list and its body no action. */
export const isRawReadRequest = ({ query, body }: RawRequest): boolean =>
  !Object.hasOwn(body, 'action') &&
  (Object.keys(body).length === 0 || isTruthyFlag(query.banList) || isTruthyFlag(query.banHistory))

/** The permission that a POST needs at least; null where its fields will be refused. */
export const findRequiredPermission = (raw: RawRequest): Permission | null =>
  isRawReadRequest(raw) ? 'moderation.view' : findActionPermission(raw.body.action)

/** The same of a request whose fields are read. */
export const isReadRequest = (query: ModerationQueryInput, body: ModerationInput): boolean =>
  body.action === undefined &&
  (Object.keys(body).length === 0 || query.banList === true || query.banHistory === true)

/** A problem for each field that is set but has no use. */
export const findUnusedFields = (
  fields: Readonly<Record<string, unknown>>,
  allowed: ReadonlySet<string>,
  message: string,
): FieldProblem[] =>
  Object.keys(fields)
    .filter((field) => fields[field] !== undefined && !allowed.has(field))
    .map((field) => ({ field, message }))

/** @throws AppError `invalid_request` with the problems, where there are any */
export function assertNoProblems(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalidRequest(...problems)
}

/** Which list, and which part of it. */
export interface ListQuery {
  readonly list: 'bans' | 'history' | 'records'
  readonly userIds: readonly string[] | undefined
  readonly actorUserId: string | undefined
  readonly severity: ModerationInput['severity']
  readonly status: ModerationQueryInput['status']
  readonly limit?: number
  readonly cursor?: string
}

const READ_BODY_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'userId', 'severity'])

/**
 * The list that a request asks for.
 * @param body may select too, by `userId` and `severity`
 * @throws AppError `invalid_request` where it asks for two lists, or holds what a read has no use for
 */
export function parseListQuery(query: ModerationQueryInput, body: ModerationInput = {}): ListQuery {
  const { banList, banHistory, actorUserId, status, limit, cursor } = query
  assertNoProblems([
    ...(banList && banHistory
      ? [{ field: 'banHistory', message: 'cannot be asked for together with banList' }]
      : []),
    ...findUnusedFields(body, READ_BODY_FIELDS, 'is not used by a read; a write needs an action'),
  ])
  return {
    list: banList ? 'bans' : banHistory ? 'history' : 'records',
    userIds: query.userId ?? body.userId,
    actorUserId,
    severity: query.severity ?? body.severity,
    status,
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
}

const SINGLE_READ_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'id', 'limit', 'cursor'])

/** Whether a GET asks for one record. @throws AppError `invalid_request` where it names a list or a filter too */
export function isSingleRead(
  query: ModerationReadQueryInput,
): query is ModerationReadQueryInput & { id: string } {
  if (query.id === undefined) return false
  assertNoProblems(findUnusedFields(query, SINGLE_READ_FIELDS, 'cannot be given together with id'))
  return true
}
