import { wire } from '@reeve/core'
import type { DeletedWorkspaceTable } from '@reeve/db'
import {
  inputField,
  nextCursor,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

export const DeletionRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  groupName: inputField(
    wire.name({ min: 1, max: 100, example: 'Night shift' }),
    'The name of the workspace, as a confirmation',
  ),
})

export const UndoDeletionRequest = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })
export const OperatorUndoRequest = requestObject({ id: inputField(wire.id, 'The workspace') })

export const DeletedWorkspacesQuery = requestObject(pageFields)
export type DeletedWorkspacesQueryInput = Static<typeof DeletedWorkspacesQuery>

const DeletedWorkspace = responseObject(
  {
    id: stringField('ID that the workspace had'),
    groupName: stringField('The name that it had', 'Night shift'),
    ownerId: stringField('The account that owned it'),
    owner: stringField('Username of that account', 'robin'),
    deletedAt: stringField('When it disappeared and its content began to be deleted', wire.time.example),
    finishedAt: nullableString('When nothing of it was left; null while its content is being deleted'),
  },
  'A workspace that was deleted',
)

export const DeletedWorkspacesResponse = responseObject(
  {
    deletedWorkspaces: Type.Array(DeletedWorkspace),
    nextCursor,
  },
  'Deleted workspaces, newest first',
)

/** Converts a row to its API representation. */
export const presentDeletedWorkspace = (
  row: DeletedWorkspaceTable & { readonly owner: string },
): Static<typeof DeletedWorkspace> => ({
  id: row.deleted_workspace_id,
  groupName: row.group_name,
  ownerId: row.owner_id,
  owner: row.owner,
  deletedAt: wire.time.write(row.deleted_at),
  finishedAt: wire.writeNullableTime(row.finished_at),
})
