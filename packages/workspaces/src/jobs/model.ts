import { wire } from '@reeve/core'
import { type Queries, type WorkspaceJobTable, workspaceJobKinds, workspaceJobStates } from '@reeve/db'
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
import { canBeCancelled, computeProgress } from './job-rules.ts'
import { countJobsAhead } from './job-store.ts'

export const Job = responseObject(
  {
    id: stringField('ID of the job'),
    workspaceId: stringField('The workspace; for a copy, that of the archive'),
    kind: Type.String({ enum: [...workspaceJobKinds], description: 'What the job does' }),
    state: Type.String({
      enum: [...workspaceJobStates],
      description: '`queued` and `running` are unfinished',
    }),
    step: stringField('What it is doing, or did last', 'write'),
    progress: stringField('From `0` to `1`', '0.42'),
    jobsAhead: stringField('While it is queued, how many jobs of the instance run before it', '0'),
    canBeCancelled: stringField('`true` or `false`', 'true'),
    archiveId: nullableString('The archive that it reads'),
    newArchiveId: nullableString('The archive that it creates'),
    newWorkspaceId: nullableString('The workspace that it creates; it exists once the job has succeeded'),
    error: nullableString('Why it failed'),
    createdAt: stringField('When it was requested', wire.time.example),
    startedAt: nullableString('When it began', wire.time.example),
    finishedAt: nullableString('When it ended', wire.time.example),
  },
  'Work on a whole workspace, done in small steps',
  'Job',
)

export type Job = (typeof Job)['static']

export const NullableJob = Type.Union([Job, Type.Null()], {
  nullable: true,
  description: 'The unfinished job of the workspace, or else its last one; null if there is none',
})

export const JobsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  ...pageFields,
})
export type JobsQueryInput = Static<typeof JobsQuery>

export const JobRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'The job'),
})

export const JobResponse = responseObject({ job: Job }, 'The job')
export const JobsResponse = responseObject({ jobs: Type.Array(Job), nextCursor }, 'Jobs, newest first')

const PROGRESS_DIGITS = 3

/** Converts a row to its API representation. */
export async function presentJob(db: Queries, row: WorkspaceJobTable): Promise<Job> {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    kind: row.kind,
    state: row.state,
    step: row.step,
    progress: String(Number(computeProgress(row).toFixed(PROGRESS_DIGITS))),
    jobsAhead: String(await countJobsAhead(db, row)),
    canBeCancelled: wire.boolean.write(canBeCancelled(row)),
    archiveId: row.archive_id,
    newArchiveId: row.new_archive_id,
    newWorkspaceId: row.new_workspace_id,
    error: row.error,
    createdAt: wire.time.write(row.created_at),
    startedAt: wire.writeNullableTime(row.started_at),
    finishedAt: wire.writeNullableTime(row.finished_at),
  }
}
