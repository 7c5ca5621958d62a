import type { KnownBackups } from '@reeve/auth'
import { wire } from '@reeve/core'
import { type ErasureTable, erasureModes } from '@reeve/db'
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
import { parseCounts } from './store.ts'

const reason = wire.text({ min: 1, max: 500, multiline: true, example: 'Request by e-mail of 3 May' })

const MODE =
  '`erase` deletes everything; `pseudonymise` keeps records without texts, and their bans match through a keyed hash'

export const ErasuresQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'One erasure, instead of a list'),
  ...pageFields,
})

export const ErasurePreviewQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  userId: inputField(wire.playerId, 'The player'),
})

export const ErasureRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  userId: inputField(wire.playerId, 'The player'),
  confirmUserId: inputField(wire.playerId, 'The same ID again: this cannot be undone'),
  mode: inputField(wire.oneOf(erasureModes), MODE),
  reason: inputField(reason, 'Why, without the ID of the player: the audit log keeps it'),
})

export type ErasuresQueryInput = Static<typeof ErasuresQuery>
export type ErasureInput = Static<typeof ErasureRequest>

const ErasedArchive = responseObject(
  {
    id: stringField('The archive'),
    createdAt: stringField('When it was created', wire.time.example),
    groupName: stringField('The name of the workspace at that time'),
  },
  'An archive that contains the player',
  'ErasedArchive',
)

const archives = Type.Array(ErasedArchive, {
  description:
    'The archives of the workspace that can still contain the player, newest first. Restoring one leaves the player out; its file contains everything: delete it',
})
const ErasedBackup = responseObject(
  {
    name: stringField('The name of the file or object', 'reeve-3f9a1c-20260503T120000000Z.db'),
    takenAt: stringField('When it was taken', wire.time.example),
    place: Type.String({
      enum: ['folder', 'bucket'],
      description: 'Whether it is in the backup folder of the server, or in the bucket',
    }),
  },
  'A backup that contains the player',
  'ErasedBackup',
)

const counted = (what: string) => stringField(what, '1')

const Erasure = responseObject(
  {
    id: stringField('Id of the erasure'),
    workspaceId: stringField('The workspace it belongs to'),
    mode: Type.String({ enum: [...erasureModes], description: MODE }),
    state: Type.String({
      enum: ['queued', 'running', 'succeeded'],
      description:
        '`succeeded` once everything is erased. Until then it continues by itself, also after a restart',
    }),
    reason: stringField('Why', reason.example),
    records: counted('How many records were deleted, or put under a pseudonym'),
    appeals: counted('How many appeals were deleted, with their messages'),
    pinnedNotes: counted('How many pinned notes were deleted'),
    links: counted('How many links to other players were deleted'),
    names: counted('How many names were removed from the search'),
    members: counted('How many members were linked to the player'),
    auditEntries: counted('How many other entries of the audit log lost what they said about the player'),
    storedTexts: counted('How many stored responses, results, views and sent events were removed'),
    actors: counted('How many records of others named the player as the person who acted'),
    mentionedInCases: Type.Array(Type.String(), {
      description: 'Cases of other players whose texts contain the ID: check them, and redact what should go',
    }),
    archives,
    backups: Type.Array(ErasedBackup, {
      description:
        'The backups of the instance that can still contain the player, newest first, once `state` is `succeeded`. Reeve does not change them: let them expire, or delete them',
    }),
    backupsProblem: nullableString(
      'Why there can be backups that `backups` does not list; null if it lists all that Reeve creates',
    ),
    backupsBefore: stringField(
      'Backups that were taken before this time can contain the player, also those that Reeve does not know',
      wire.time.example,
    ),
    createdBy: stringField('The account or API key that requested it'),
    createdAt: stringField('When it was requested', wire.time.example),
    finishedAt: nullableString('When it was complete; null while it is running'),
  },
  'The erasure of a player. Nothing in it tells which player it was',
  'Erasure',
)

export const ErasureResponse = responseObject({ erasure: Erasure }, 'The erasure')
export const ErasuresResponse = responseObject(
  { erasures: Type.Array(Erasure, { description: 'Newest first' }), nextCursor },
  'The erasures of the workspace',
)

export const ErasurePreviewResponse = responseObject(
  {
    preview: responseObject(
      {
        userId: stringField('The player', wire.playerId.example),
        records: counted('Records, with their versions, comments and evidence'),
        evidenceFiles: counted('Evidence files'),
        bansInForce: counted('Bans in force: `erase` ends them, `pseudonymise` does not'),
        mutesInForce: counted('Mutes in force: likewise'),
        appeals: counted('Appeals'),
        pinnedNotes: counted('Pinned notes'),
        links: counted('Links to other players'),
        names: Type.Array(Type.String(), { description: 'The names by which the search finds the player' }),
        members: counted('Members who are linked to the player'),
        archives,
      },
      'What an erasure of the player would remove',
      'ErasurePreview',
    ),
  },
  'The preview',
)

export interface ArchiveSummary {
  readonly id: string
  readonly created_at: number
  readonly group_name: string
}

export const presentArchives = (archives: readonly ArchiveSummary[]) =>
  archives.map(({ id, created_at, group_name }) => ({
    id,
    createdAt: wire.time.write(created_at),
    groupName: group_name,
  }))

const STORED_TEXTS = ['responses', 'importResults', 'batchResults', 'savedViews', 'deliveries'] as const

const getState = ({ finished_at, step, counts }: ErasureTable) =>
  finished_at !== null ? 'succeeded' : step === 0 && counts === '{}' ? 'queued' : 'running'

/** The most backups that are listed. */
const MAX_BACKUPS = 200

/** The backups that were taken while rows about the player were stored. */
const presentBackups = ({ first_at, finished_at }: ErasureTable, { backups }: KnownBackups) =>
  backups
    .filter(
      ({ takenAt }) =>
        first_at !== null && finished_at !== null && takenAt >= first_at && takenAt <= finished_at,
    )
    .slice(0, MAX_BACKUPS)
    .map(({ name, takenAt, place }) => ({ name, takenAt: wire.time.write(takenAt), place }))

/** Converts an erasure to its API form. @param now epoch milliseconds */
export function presentErasure(
  row: ErasureTable,
  archives: readonly ArchiveSummary[],
  backups: KnownBackups,
  now: number,
): Static<typeof Erasure> {
  const counts = parseCounts(row)
  const count = (name: string) => String(counts[name] ?? 0)
  const { id: createdBy }: { id: string } = JSON.parse(row.actor)
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    mode: row.mode,
    state: getState(row),
    reason: row.reason,
    records: count('records'),
    appeals: count('appeals'),
    pinnedNotes: count('pinnedNotes'),
    links: count('links'),
    names: count('names'),
    members: count('members'),
    auditEntries: count('auditEntries'),
    storedTexts: String(STORED_TEXTS.reduce((sum, name) => sum + (counts[name] ?? 0), 0)),
    actors: count('actors'),
    mentionedInCases: (JSON.parse(row.mentioned_in) as number[]).map(String),
    archives: presentArchives(archives),
    backups: presentBackups(row, backups),
    backupsProblem: row.finished_at === null ? null : backups.problem,
    backupsBefore: wire.time.write(row.finished_at ?? now),
    createdBy,
    createdAt: wire.time.write(row.created_at),
    finishedAt: wire.writeNullableTime(row.finished_at),
  }
}
