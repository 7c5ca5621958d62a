import { wire } from '@reeve/core'
import type { ArchiveTable, WorkspaceTable } from '@reeve/db'
import {
  inputField,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { countedKinds } from './archive/content.ts'

export const actionCodec = wire.oneOf(['create', 'rename', 'archive', 'restore'])

export const WorkspaceRequest = requestObject({
  id: inputField(wire.id, 'The workspace to rename, archive or restore'),
  archive: inputField(wire.boolean, '`true` is the action `archive`, `false` is `restore`'),
  fromArchive: inputField(
    wire.id,
    'The archive to restore: into a new workspace, or, with `id`, into the archived workspace it was made of',
  ),
  action: inputField(actionCodec, 'May be left out where the other fields say it'),
  groupName: inputField(
    wire.text({ min: 1, max: 100, example: 'Night shift' }),
    'The name of a new, renamed or restored workspace',
  ),
})

export type WorkspaceInput = Static<typeof WorkspaceRequest>

export const WorkspaceQuery = requestObject({
  id: inputField(wire.id, 'One workspace instead of the list'),
  archives: inputField(
    wire.boolean,
    '`true` lists the archives of the workspace `id`, or of the key’s own, instead',
  ),
  ...pageFields,
})

export type WorkspaceQueryInput = Static<typeof WorkspaceQuery>

const Workspace = responseObject(
  {
    id: stringField('Id of the workspace'),
    groupName: stringField('Its name', 'Night shift'),
    ownerId: stringField('The account that owns it'),
    status: Type.String({
      enum: ['active', 'archived'],
      description: 'An archived workspace can be read, not changed',
    }),
    archivedAt: nullableString('Since when it is archived'),
    createdAt: stringField('When it was made', wire.time.example),
    createdBy: stringField('The account or API key that made it'),
    updatedAt: stringField('When it was last changed', wire.time.example),
    monthlyQuota: nullableString('Calls a calendar month (UTC); null is without limit'),
    version: stringField('Grows with every change; for If-Match', '1'),
  },
  'A workspace',
)

/** How many of each kind. */
const Counts = responseObject(
  Object.fromEntries(countedKinds.map((kind) => [kind, stringField(`How many ${kind}`, '1')])),
  'What it holds',
)

const Archive = responseObject(
  {
    id: stringField('Id of the archive'),
    workspaceId: stringField('The workspace it was made of'),
    groupName: stringField('The name of the workspace at that time', 'Night shift'),
    createdAt: stringField('When it was made', wire.time.example),
    createdBy: stringField('The account or API key that made it'),
    sizeBytes: stringField('How large it is', '48211'),
    sha256: stringField('SHA-256 of its bytes in hex'),
    counts: Counts,
  },
  'A sealed snapshot of what a workspace held',
)

const nextCursor = nullableString('Give it as `cursor` for the next page')

export const WorkspaceResponse = responseObject({ workspace: Workspace }, 'The workspace')
export const WorkspacesResponse = responseObject(
  { workspaces: Type.Array(Workspace), nextCursor },
  'Workspaces, newest first',
)
export const ArchivesResponse = responseObject(
  { archives: Type.Array(Archive), nextCursor },
  'Archives, newest first',
)
export const ArchivedWorkspaceResponse = responseObject(
  { workspace: Workspace, archive: Archive },
  'The workspace, and the archive sealed of what it held',
)

export const ContentResponse = responseObject({ counts: Counts }, 'What the workspace holds')

/** A row as the interface shows it. */
export const presentWorkspace = (row: WorkspaceTable): (typeof Workspace)['static'] => ({
  id: row.id,
  groupName: row.group_name,
  ownerId: row.owner_id,
  status: row.archived_at === null ? 'active' : 'archived',
  archivedAt: row.archived_at === null ? null : wire.time.write(row.archived_at),
  createdAt: wire.time.write(row.created_at),
  createdBy: row.created_by,
  updatedAt: wire.time.write(row.updated_at),
  monthlyQuota: row.monthly_quota === null ? null : String(row.monthly_quota),
  version: String(row.version),
})

/** A row as the interface shows it; its `counts` are stored as they are shown. */
export const presentArchive = (row: ArchiveTable): (typeof Archive)['static'] => ({
  id: row.id,
  workspaceId: row.workspace_id,
  groupName: row.group_name,
  createdAt: wire.time.write(row.created_at),
  createdBy: row.created_by,
  sizeBytes: String(row.size_bytes),
  sha256: row.sha256,
  counts: JSON.parse(row.counts),
})
