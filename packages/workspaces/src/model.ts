import { DEFAULT_APPROVAL_HOURS, MAX_APPROVAL_HOURS, MAX_GRACE_DAYS, parsePlatforms, wire } from '@reeve/core'
import type { ArchiveTable, WorkspaceTable } from '@reeve/db'
import {
  inputField,
  nextCursor,
  nullableInput,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { countedKinds } from './archive/content.ts'
import { Job, NullableJob } from './jobs/model.ts'
import { profileUrlCodec } from './profile-url.ts'

export const actionCodec = wire.oneOf(['create', 'rename', 'archive', 'restore'])

export const WorkspaceRequest = requestObject({
  id: inputField(wire.id, 'The workspace to rename, archive or restore'),
  archive: inputField(wire.boolean, '`true` means the action `archive`, `false` means `restore`'),
  fromArchive: inputField(
    wire.id,
    'The archive to restore, into a new workspace or, with `id`, into the archived workspace that it belongs to',
  ),
  action: inputField(actionCodec, 'Optional if the other fields imply it'),
  groupName: inputField(
    wire.name({ min: 1, max: 100, example: 'Night shift' }),
    'The name of a new, renamed or restored workspace',
  ),
})

export type WorkspaceInput = Static<typeof WorkspaceRequest>

export const WorkspaceQuery = requestObject({
  id: inputField(wire.id, 'One workspace instead of the list'),
  archives: inputField(
    wire.boolean,
    '`true` lists the archives of the workspace `id`, or of the API key’s workspace, instead',
  ),
  ...pageFields,
})

export type WorkspaceQueryInput = Static<typeof WorkspaceQuery>

export const WorkspaceDetailsRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  groupName: inputField(wire.name({ min: 1, max: 100, example: 'Night shift' }), 'Its name'),
  profileUrl: nullableInput(
    profileUrlCodec,
    'The link to a player’s profile on the game platform, with `{id}` for the player’s ID; null for none',
  ),
  approvalHours: nullableInput(
    wire.integer({ min: 1, max: MAX_APPROVAL_HOURS, example: '24' }),
    `How many hours a ban that waits for approval is in effect; null for ${DEFAULT_APPROVAL_HOURS}`,
  ),
  defaultPlatform: inputField(
    wire.platformName,
    'The platform that ids of players without a platform mean. Sanctions of earlier ids stay in force',
  ),
})

export type WorkspaceDetailsInput = Static<typeof WorkspaceDetailsRequest>

export const SecondFactorPolicyRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  permissions: inputField(
    wire.permissionSet,
    'Members who have a role with one of these permissions need a second factor; empty for nobody',
  ),
  graceDays: inputField(
    wire.integer({ min: 0, max: MAX_GRACE_DAYS, example: '14' }),
    'How many days members have to add one, from when they need it; 0 for none',
  ),
})
export type SecondFactorPolicyInput = Static<typeof SecondFactorPolicyRequest>

const SecondFactorPolicy = responseObject(
  {
    permissions: stringField(
      'JSON array of permissions; members who have a role with one of them need a second factor',
      wire.permissionSet.example,
    ),
    graceDays: stringField('How many days members have to add one', '14'),
  },
  'Of whom the workspace requires a second factor',
)
export const SecondFactorPolicyResponse = responseObject({ policy: SecondFactorPolicy }, 'The policy')
export const ReadSecondFactorPolicyResponse = responseObject(
  {
    policy: SecondFactorPolicy,
    membersWithoutSecondFactor: stringField('How many members need a second factor and have none', '3'),
  },
  'The policy',
)

const Workspace = responseObject(
  {
    id: stringField('ID of the workspace'),
    groupName: stringField('Its name', 'Night shift'),
    ownerId: stringField('The account that owns it'),
    status: Type.String({
      enum: ['active', 'archived'],
      description: 'An archived workspace is read-only',
    }),
    archivedAt: nullableString('When it was archived'),
    deleteAt: nullableString('When it will be deleted; null unless its owner has requested that'),
    createdAt: stringField('When it was created', wire.time.example),
    createdBy: stringField('The account or API key that created it'),
    updatedAt: stringField('When it was last changed', wire.time.example),
    monthlyQuota: nullableString('Requests per calendar month (UTC); null means no limit'),
    profileUrl: nullableString(
      'The link to a player’s profile on the game platform, with `{id}` for the player’s ID; null for none',
      profileUrlCodec.example,
    ),
    approvalHours: stringField('How many hours a ban that waits for approval is in effect', '24'),
    defaultPlatform: stringField('The platform that ids of players without a platform mean', 'roblox'),
    version: stringField('Increases with every change; used with If-Match', '1'),
  },
  'A workspace',
)

/** The number of objects of each kind. */
const Counts = responseObject(
  Object.fromEntries(countedKinds.map((kind) => [kind, stringField(`Number of ${kind}`, '1')])),
  'Number of objects by kind',
  'Counts',
)

const Archive = responseObject(
  {
    id: stringField('ID of the archive'),
    workspaceId: stringField('The workspace that was archived'),
    groupName: stringField('The name of the workspace at that time', 'Night shift'),
    createdAt: stringField('When it was created', wire.time.example),
    createdBy: stringField('The account or API key that created it'),
    state: Type.String({
      enum: ['preparing', 'ready'],
      description: 'Only a complete archive is `ready`: until then the fields below are null',
    }),
    sizeBytes: nullableString('Size in bytes', '48211'),
    sha256: nullableString('SHA-256 of the archive in hex'),
    counts: Type.Union([Counts, Type.Null()], {
      nullable: true,
      description: 'Number of objects by kind',
    }),
  },
  'An immutable snapshot of a workspace',
)

export const WorkspaceResponse = responseObject({ workspace: Workspace }, 'The workspace')
export const WorkspaceWithJobResponse = responseObject(
  { workspace: Workspace, job: NullableJob },
  'The workspace and its job',
)
export const WorkspacesResponse = responseObject(
  {
    workspaces: Type.Array(Workspace),
    jobs: Type.Array(Job, {
      description: 'Of each of these workspaces the unfinished job, or else the last one, if it has any',
    }),
    nextCursor,
  },
  'Workspaces, newest first',
)
export const ArchiveResponse = responseObject({ archive: Archive }, 'The archive')
export const ArchivesResponse = responseObject(
  { archives: Type.Array(Archive), nextCursor },
  'Archives, newest first',
)
export const ArchivedWorkspaceResponse = responseObject(
  { workspace: Workspace, archive: Archive, job: Job },
  'The workspace, its new archive and the job that completes it',
)
export const CopiedWorkspaceResponse = responseObject(
  { workspace: Workspace, job: Job },
  'The new workspace, which exists once the job has succeeded',
)

export const ContentResponse = responseObject({ counts: Counts }, 'The contents of the workspace')

/** Converts a row to its API representation. */
export const presentWorkspace = (row: WorkspaceTable): (typeof Workspace)['static'] => ({
  id: row.id,
  groupName: row.group_name,
  ownerId: row.owner_id,
  status: row.archived_at === null ? 'active' : 'archived',
  archivedAt: wire.writeNullableTime(row.archived_at),
  deleteAt: wire.writeNullableTime(row.delete_at),
  createdAt: wire.time.write(row.created_at),
  createdBy: row.created_by,
  updatedAt: wire.time.write(row.updated_at),
  monthlyQuota: row.monthly_quota === null ? null : String(row.monthly_quota),
  profileUrl: row.profile_url,
  approvalHours: String(row.approval_hours ?? DEFAULT_APPROVAL_HOURS),
  defaultPlatform: parsePlatforms(row.platforms)[0],
  version: String(row.version),
})

/** Converts a row to its API representation. `counts` is stored in that form. */
export const presentArchive = (row: ArchiveTable): (typeof Archive)['static'] => ({
  id: row.id,
  workspaceId: row.workspace_id,
  groupName: row.group_name,
  createdAt: wire.time.write(row.created_at),
  createdBy: row.created_by,
  ...(row.ready_at === null
    ? { state: 'preparing', sizeBytes: null, sha256: null, counts: null }
    : {
        state: 'ready',
        sizeBytes: String(row.size_bytes),
        sha256: row.sha256,
        counts: JSON.parse(row.counts),
      }),
})
