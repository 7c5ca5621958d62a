import type { RawRequest } from '@reeve/auth'
import { type FieldProblem, invalidRequest, type Permission } from '@reeve/core'
import { permissionFor } from './actions.ts'
import type { ModerationInput, ModerationQueryInput, ModerationReadQueryInput } from './model.ts'

/** What a request asks for. Pure; the gate decides on the request as it came, the handler on its fields. */

const says = (flag: string | undefined): boolean => flag !== undefined && flag !== 'false' && flag !== '0'

/** Whether a POST only reads: its body is absent or empty, or its query names a list and its body no action. */
export const onlyReads = ({ query, body }: RawRequest): boolean =>
  !Object.hasOwn(body, 'action') &&
  (Object.keys(body).length === 0 || says(query.banList) || says(query.banHistory))

/** The permission that a POST needs at least; null where its fields will be refused. */
export const permissionAsked = (raw: RawRequest): Permission | null =>
  onlyReads(raw) ? 'moderation.view' : permissionFor(raw.body.action)

/** The same of a request whose fields are read. */
export const asksToRead = (query: ModerationQueryInput, body: ModerationInput): boolean =>
  body.action === undefined &&
  (Object.keys(body).length === 0 || query.banList === true || query.banHistory === true)

/** A problem for each field that is set but has no use. */
export const unused = (
  fields: Readonly<Record<string, unknown>>,
  used: ReadonlySet<string>,
  message: string,
): FieldProblem[] =>
  Object.keys(fields)
    .filter((field) => fields[field] !== undefined && !used.has(field))
    .map((field) => ({ field, message }))

/** @throws AppError `invalid_request` with the problems, where there are any */
export function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalidRequest(...problems)
}

/** Which list, and which part of it. */
export interface ListAsked {
  readonly list: 'bans' | 'history' | 'records'
  readonly userIds: readonly string[] | undefined
  readonly actorUserId: string | undefined
  readonly severity: ModerationInput['severity']
  readonly status: ModerationQueryInput['status']
  readonly limit?: number
  readonly cursor?: string
}

const USED_BY_READS: ReadonlySet<string> = new Set(['workspaceId', 'userId', 'severity'])

/**
 * The list that a request asks for.
 * @param body may select too, by `userId` and `severity`
 * @throws AppError `invalid_request` where it asks for two lists, or holds what a read has no use for
 */
export function listAsked(query: ModerationQueryInput, body: ModerationInput = {}): ListAsked {
  const { banList, banHistory, actorUserId, status, limit, cursor } = query
  refuse([
    ...(banList && banHistory
      ? [{ field: 'banHistory', message: 'cannot be asked for together with banList' }]
      : []),
    ...unused(body, USED_BY_READS, 'is not used by a read; a write needs an action'),
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

const USED_WITH_ID: ReadonlySet<string> = new Set(['workspaceId', 'id', 'limit', 'cursor'])

/** Whether a GET asks for one record. @throws AppError `invalid_request` where it names a list or a filter too */
export function asksForOne(
  query: ModerationReadQueryInput,
): query is ModerationReadQueryInput & { id: string } {
  if (query.id === undefined) return false
  refuse(unused(query, USED_WITH_ID, 'cannot be given together with id'))
  return true
}
