import {
  type Actor,
  assertNoProblems,
  type FieldProblem,
  invalidRequest,
  type Permission,
  type StorageUse,
} from '@reeve/core'
import type { actionCodec, WorkspaceInput, WorkspaceQueryInput } from './model.ts'

export type WorkspaceAction = ReturnType<typeof actionCodec.read>

/** The permission of each action in its workspace. A copy created by an API key also requires `workspace.create`. */
export const actionPermissions: Readonly<Record<WorkspaceAction, Permission>> = {
  create: 'workspace.create',
  rename: 'workspace.rename',
  archive: 'workspace.archive',
  restore: 'workspace.restore',
}

/**
 * The action that is named, or else the one that the fields imply; null for an `id` alone. A field that is present with
 * the value `undefined` could not be read: it counts as present.
 */
export function inferAction(input: WorkspaceInput): WorkspaceAction | null {
  if (input.action !== undefined) return input.action
  if (input.archive !== undefined) return input.archive ? 'archive' : 'restore'
  if ('fromArchive' in input) return 'restore'
  if (!('id' in input)) return 'create'
  return 'groupName' in input ? 'rename' : null
}

/**
 * The permission of a write. A session that names no workspace has none in it: it may create, and the service decides on
 * a restore by the workspace of the archive.
 */
export function findWritePermission(
  { body }: { readonly body: WorkspaceInput },
  caller: Pick<Actor, 'workspaceId'>,
): Permission | null {
  const action = inferAction(body)
  return action === null || caller.workspaceId === '' ? null : actionPermissions[action]
}

/** Whether a request archives or restores, which includes roll-backs and copies. */
export function isArchiveAction({ body }: { readonly body: WorkspaceInput }): boolean {
  const action = inferAction(body)
  return action === 'restore' || action === 'archive'
}

/** An archived workspace accepts `restore`, and `archive`, which the service answers with a conflict. */
export const isAllowedWhileArchived = isArchiveAction

/** How a write is treated once the storage of the workspace is used up: archives and copies need a lot of it. */
export const selectStorageUse = ({ body }: { readonly body: WorkspaceInput }): StorageUse =>
  inferAction(body) === 'archive' || 'fromArchive' in body ? 'optional' : 'essential'

/**
 * The permission of a read. Membership is enough for an account to read the workspace, but not its archives; an API key
 * always needs the permission.
 */
export const findReadPermission = (
  { query }: { readonly query: WorkspaceQueryInput },
  { kind, workspaceId }: Pick<Actor, 'kind' | 'workspaceId'>,
): Permission | null =>
  workspaceId !== '' && (kind === 'api_key' || query.archives === true) ? 'workspace.view' : null

/** The fields that each action requires and rejects. */
const fieldRules: Readonly<
  Record<
    WorkspaceAction,
    { required: readonly (keyof WorkspaceInput)[]; rejected: readonly (keyof WorkspaceInput)[] }
  >
> = {
  create: { required: ['groupName'], rejected: ['id', 'fromArchive', 'archive'] },
  rename: { required: ['id', 'groupName'], rejected: ['fromArchive', 'archive'] },
  archive: { required: ['id'], rejected: ['fromArchive', 'groupName'] },
  restore: { required: [], rejected: [] },
}

/**
 * The action of a request, its fields checked against each other.
 * @throws AppError `invalid_request` naming every field that is missing or contradicts the action
 */
export function parseAction(input: WorkspaceInput): WorkspaceAction {
  const action = inferAction(input)
  if (action === null) {
    throw invalidRequest({ field: 'action', message: 'is required with id: rename, archive or restore' })
  }
  const { required, rejected } = fieldRules[action]
  const problems: FieldProblem[] = []
  const addProblem = (field: keyof WorkspaceInput, message: string) => problems.push({ field, message })
  for (const field of required)
    if (input[field] === undefined) addProblem(field, `is required to ${action} a workspace`)
  for (const field of rejected) {
    if (input[field] !== undefined)
      addProblem(field, `contradicts the action ${action}: leave one of them out`)
  }
  if (input.archive === (action === 'restore') && !rejected.includes('archive')) {
    addProblem('archive', `contradicts the action ${action}: leave one of them out`)
  }
  if (action === 'restore' && input.fromArchive === undefined) {
    if (input.id === undefined)
      addProblem('id', 'is required to restore a workspace, or name an archive in fromArchive')
    if (input.groupName !== undefined)
      addProblem('groupName', 'goes with fromArchive; use rename for the name alone')
  }
  assertNoProblems(problems)
  return action
}
