import type { RawRequest } from '@reeve/auth'
import { type Actor, type FieldProblem, invalidRequest, type Permission, wire } from '@reeve/core'
import { actionWord, type WorkspaceInput } from './model.ts'

export type WorkspaceAction = ReturnType<typeof actionWord.read>

/** The permission each action needs in the workspace it is about; a copy made by a key needs `workspace.create` besides. */
export const permissionFor: Readonly<Record<WorkspaceAction, Permission>> = {
  create: 'workspace.create',
  rename: 'workspace.rename',
  archive: 'workspace.archive',
  restore: 'workspace.restore',
}

/** What says which action is meant: the two fields that may name it, and which of the others are there. */
interface Signs {
  readonly action: WorkspaceAction | undefined
  readonly archive: boolean | undefined
  readonly id: boolean
  readonly fromArchive: boolean
  readonly groupName: boolean
}

const signsOf = (given: Readonly<Record<string, unknown>>) => ({
  id: given.id !== undefined,
  fromArchive: given.fromArchive !== undefined,
  groupName: given.groupName !== undefined,
})

/** The action that is named, or else the one that the fields say; null for an `id` alone. */
function meant({ action, archive, id, fromArchive, groupName }: Signs): WorkspaceAction | null {
  if (action !== undefined) return action
  if (archive !== undefined) return archive ? 'archive' : 'restore'
  if (fromArchive) return 'restore'
  if (!id) return 'create'
  return groupName ? 'rename' : null
}

/** What a codec reads; undefined for what it refuses, which the check of the fields answers. */
function readOrNothing<T>(codec: wire.Codec<T>, value: unknown): T | undefined {
  try {
    return typeof value === 'string' ? codec.read(value) : undefined
  } catch {
    return undefined
  }
}

/** The action of a request whose fields are not checked yet; null where it is not clear. */
const actionOfRaw = ({ body }: RawRequest): WorkspaceAction | null =>
  meant({
    ...signsOf(body),
    action: readOrNothing(actionWord, body.action),
    archive: readOrNothing(wire.boolean, body.archive),
  })

/**
 * The permission that the gate asks for. A session that names no workspace holds none anywhere: it may create, and what
 * it may restore is decided by the workspace of the archive.
 */
export function permissionOfRaw(request: RawRequest, caller: Pick<Actor, 'workspaceId'>): Permission | null {
  const action = actionOfRaw(request)
  return action === null || caller.workspaceId === '' ? null : permissionFor[action]
}

/** Restoring is for archived workspaces; that one cannot be archived again is a conflict, which the service answers. */
export const goesOnWhileArchived = (request: RawRequest): boolean => {
  const action = actionOfRaw(request)
  return action === 'restore' || action === 'archive'
}

/**
 * The permission of a read: membership shows an account the workspace itself, but not its archives; a key sees what it was made
 * to see.
 */
export function permissionToRead(
  { query }: RawRequest,
  { kind, workspaceId }: Pick<Actor, 'kind' | 'workspaceId'>,
): Permission | null {
  const asksForArchives = readOrNothing(wire.boolean, query.archives) ?? false
  return workspaceId !== '' && (kind === 'api_key' || asksForArchives) ? 'workspace.view' : null
}

/** Which fields an action cannot do without, and which do not go with it. */
const shapes: Readonly<
  Record<
    WorkspaceAction,
    { needs: readonly (keyof WorkspaceInput)[]; refuses: readonly (keyof WorkspaceInput)[] }
  >
> = {
  create: { needs: ['groupName'], refuses: ['id', 'fromArchive', 'archive'] },
  rename: { needs: ['id', 'groupName'], refuses: ['fromArchive', 'archive'] },
  archive: { needs: ['id'], refuses: ['fromArchive', 'groupName'] },
  restore: { needs: [], refuses: [] },
}

/**
 * The action of a request, its fields checked against each other.
 * @throws AppError `invalid_request` naming every field that is missing or contradicts the action
 */
export function actionOf(input: WorkspaceInput): WorkspaceAction {
  const action = meant({ ...signsOf(input), action: input.action, archive: input.archive })
  if (action === null) {
    throw invalidRequest({ field: 'action', message: 'is required beside id: rename, archive or restore' })
  }
  const { needs, refuses } = shapes[action]
  const problems: FieldProblem[] = []
  const refuse = (field: keyof WorkspaceInput, message: string) => problems.push({ field, message })
  for (const field of needs)
    if (input[field] === undefined) refuse(field, `is required to ${action} a workspace`)
  for (const field of refuses) {
    if (input[field] !== undefined) refuse(field, `contradicts the action ${action}: leave one of them out`)
  }
  if (input.archive === (action === 'restore') && !refuses.includes('archive')) {
    refuse('archive', `contradicts the action ${action}: leave one of them out`)
  }
  if (action === 'restore' && input.fromArchive === undefined) {
    if (input.id === undefined)
      refuse('id', 'is required to restore a workspace, or name an archive in fromArchive')
    if (input.groupName !== undefined)
      refuse('groupName', 'goes with fromArchive; use rename for the name alone')
  }
  if (problems.length > 0) throw invalidRequest(...problems)
  return action
}
