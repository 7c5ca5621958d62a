import { AppError } from '@reeve/core'
import type { Caller } from './authenticate.ts'
import type { RawRequest } from './field-conflicts.ts'
import type { Rule } from './rule.ts'

/** The workspace named in query or body. @throws AppError `missing_workspace_id` */
export function requireWorkspaceId({ query, body }: RawRequest): string {
  const value = query.workspaceId || body.workspaceId
  const id = value === undefined || value === null ? '' : normalizeId(value)
  if (id === '') throw new AppError('missing_workspace_id')
  return id
}

/** An id in the form that is compared; a value that is not a string becomes one that matches no id. */
const normalizeId = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '?')

/** The id of the workspace that the request concerns, or an empty string. */
export function resolveWorkspaceId(
  rule: Rule,
  raw: RawRequest,
  caller: Caller,
  requestedId: string | null,
): string {
  const ownId = caller.kind === 'api_key' ? caller.key.workspaceId : ''
  if (requestedId !== null) return requestedId
  if (rule.workspace === 'id') {
    const id = raw.query.id ?? raw.body.id
    return id === undefined || id === null || id === '' ? ownId : normalizeId(id)
  }
  return rule.workspace === 'own' ? ownId : ''
}
