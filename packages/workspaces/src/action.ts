import type { RawRequest } from '@reeve/auth'
import { type Actor, type FieldProblem, invalidRequest, type Permission, wire } from '@reeve/core'
import { actionCodec, type WorkspaceInput } from './model.ts'

export type WorkspaceAction = ReturnType<typeof actionCodec.read>

/** The permission each action needs in the workspace it is about; a copy made by a key needs `workspace.create` besides. */
export const actionPermissions: Readonly<Record<WorkspaceAction, Permission>> = {
  create: 'workspace.create',
  rename: 'workspace.rename',
  archive: 'workspace.archive',
  restore: 'workspace.restore',
}

/** What says which action is meant: the two fields that may name it, and which of the others are there. */
interface ActionHints {
  readonly action: WorkspaceAction | undefined
  readonly archive: boolean | undefined
  readonly id: boolean
  readonly fromArchive: boolean
  readonly groupName: boolean
}

const toActionHints = (fields: Readonly<Record<string, unknown>>) => ({
  id: fields.id !== undefined,
  fromArchive: fields.fromArchive !== undefined,
  groupName: fields.groupName !== undefined,
})

/** The action that is named, or else the one that the fields say; null for an `id` alone. */
function inferAction({ action, archive, id, fromArchive, groupName }: ActionHints): WorkspaceAction | null {
  if (action !== undefined) return action
  if (archive !== undefined) return archive ? 'archive' : 'restore'
  if (fromArchive) return 'restore'
  if (!id) return 'create'
  return groupName ? 'rename' : null
}

/** What a codec reads; undefined for what it refuses, which the check of the fields answers. */
function tryRead<T>(codec: wire.Codec<T>, value: unknown): T | undefined {
  try {
    return typeof value === 'string' ? codec.read(value) : undefined
  } catch {
    return undefined
  }
}

/** The action of a request whose fields are not checked yet; null where it is not clear. */
const inferRawAction = ({ body }: RawRequest): WorkspaceAction | null =>
  inferAction({
    ...toActionHints(body),
    action: tryRead(actionCodec, body.action),
    archive: tryRead(wire.boolean, body.archive),
  })

/**
 * The permission that the gate asks for. A session that names no workspace holds none anywhere: it may create, and what
 * it may restore is decided by the workspace of the archive.
 */
export function findWritePermission(
  request: RawRequest,
  caller: Pick<Actor, 'workspaceId'>,
): Permission | null {
  const action = inferRawAction(request)
  return action === null || caller.workspaceId === '' ? null : actionPermissions[action]
}

/** Restoring is for archived workspaces; that one cannot be archived again is a conflict, which the service answers. */
export const isAllowedWhileArchived = (request: RawRequest): boolean => {
  const action = inferRawAction(request)
  return action === 'restore' || action === 'archive'
}

/**
 * The permission of a read: membership shows an account the workspace itself, but not its archives; a key sees what it was made
 * to see.
 */
export function findReadPermission(
  { query }: RawRequest,
  { kind, workspaceId }: Pick<Actor, 'kind' | 'workspaceId'>,
): Permission | null {
  const listsArchives = tryRead(wire.boolean, query.archives) ?? false
  return workspaceId !== '' && (kind === 'api_key' || listsArchives) ? 'workspace.view' : null
}

/** Which fields an action cannot do without, and which do not go with it. */
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
  const action = inferAction({ ...toActionHints(input), action: input.action, archive: input.archive })
  if (action === null) {
    throw invalidRequest({ field: 'action', message: 'is required beside id: rename, archive or restore' })
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
  if (problems.length > 0) throw invalidRequest(...problems)
  return action
}
