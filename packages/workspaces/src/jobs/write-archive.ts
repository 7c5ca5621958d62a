import { parseSecondFactorPolicy } from '@reeve/auth'
import type { Actor, Ports } from '@reeve/core'
import {
  type ArchiveTable,
  createTimeSlicer,
  insertAll,
  type Queries,
  statement,
  type Transaction,
  type WorkspaceTable,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { contentTables } from '../archive/content.ts'
import { ARCHIVE_FORMAT, type ArchiveHeader } from '../archive/format.ts'
import { requireArchive, requireWorkspace } from '../workspace-store.ts'
import { readLines } from './archive-lines.ts'
import { createArchiveWriter, type WritePosition } from './archive-writer.ts'
import { deleteArchiveSlices } from './cleanup.ts'
import type { JobContext, RunStep } from './job-context.ts'

const headByWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .select(['case_number', 'audit_sequence'])
    .where('workspace_id', '=', p.workspaceId),
)

/** The last case number and the change counter, if there are any. */
type WorkspaceHead = { readonly case_number: number; readonly audit_sequence: number } | undefined

const contentChangeAfter = statement<{
  workspaceId: string
  after: number
  kinds: readonly string[]
  actions: readonly string[]
}>()((sql, p, dialect) =>
  sql
    .selectFrom('audit')
    .select('sequence')
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.after)
    .where((eb) => eb.or([dialect.inList('target_kind', p.kinds), dialect.inList('action', p.actions)]))
    .limit(1),
)
const insertArchive = statement<ArchiveTable>()((sql, p) => insertAll(sql, 'archive', p))
const setSize = statement<{ workspaceId: string; id: string; bytes: number }>()((sql, p) =>
  sql
    .updateTable('archive')
    .set({ size_bytes: p.bytes })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** The kinds of audit entries about what an archive contains. */
const CONTENT_TARGETS = [
  'record',
  'assignment',
  'pinned_note',
  'player_link',
  'department',
  'event',
  'role',
  'endpoint_control',
  'appeal',
  'appeal_settings',
  'retention',
  'template',
  'ladder',
]

/**
 * The actions on what an archive contains whose entries are about something else: the workspace, or a member. Members can leave an archived
 * workspace, which does not write its archive again.
 */
const CONTENT_ACTIONS = ['departments.order', 'templates.order', 'members.set_roles', 'members.set_players']

/** Inserts the row of an archive whose content a job will write. */
export async function insertPreparingArchive(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  workspace: WorkspaceTable,
): Promise<ArchiveTable> {
  const archive: ArchiveTable = {
    workspace_id: workspace.id,
    id: ports.newId(),
    group_name: workspace.group_name,
    created_at: ports.now(),
    created_by: actor.id,
    size_bytes: 0,
    sha256: '',
    counts: '{}',
    ready_at: null,
    deleted_at: null,
  }
  await tx.run(insertArchive, archive)
  return archive
}

const FIRST_TABLE = contentTables[0] ?? null

/**
 * Writes the content of an archived workspace to the new archive of the job: roles, members, departments, records with their
 * versions and files, endpoint controls, events and their images. Not included: API keys, the audit log, usage, invitations, archives.
 * For an image or file in a bucket, the archive contains only its name.
 *
 * An archived workspace does not change, so the tables themselves are the snapshot. Only members can leave, whose remaining
 * rows a restore skips, and a request that was accepted just before can still commit: then everything is written again.
 */
export const writeArchive: RunStep = async (context) => {
  const { db, job } = context
  const workspaceId = job.workspace_id
  for (;;) {
    const { sequence } = await writeContent(context)
    const change = await db.read.first(contentChangeAfter, {
      workspaceId,
      after: sequence,
      kinds: CONTENT_TARGETS,
      actions: CONTENT_ACTIONS,
    })
    if (!change) return null
    const id = requireNewArchive(context)
    await deleteArchiveSlices(db, { workspace_id: workspaceId, id }, context.signal)
    const { size_bytes: written } = await requireArchive(db.read, workspaceId, id)
    await context.save({ position: null, done: 0 }, async (tx) => {
      await tx.run(setSize, { workspaceId, id, bytes: 0 })
      await changeStorage(tx, workspaceId, 'archives', -written)
    })
  }
}

export function requireNewArchive({ job }: Pick<JobContext, 'job'>): string {
  if (job.new_archive_id === null) throw new Error('the job creates no archive')
  return job.new_archive_id
}

/** Writes what is missing of the content. @returns where it ended */
async function writeContent(context: JobContext): Promise<WritePosition> {
  const { db, job } = context
  const workspaceId = job.workspace_id
  const head = await db.read.first(headByWorkspace, { workspaceId })
  const start = context.readPosition<WritePosition>() ?? createStart(head)
  if (start.isComplete) return start
  const writer = createArchiveWriter(context, requireNewArchive(context), start, head?.case_number ?? 0)
  if (start.part === 0) await writer.addHeader(await createHeader(db.read, workspaceId, head))
  const yieldIfDue = createTimeSlicer()
  for await (const { kind, row, ...next } of readLines(db.read, workspaceId, start)) {
    // Reading the rows of a batch was a step of its own.
    await yieldIfDue()
    await writer.addRow(kind, row)
    if (writer.isFrameFull()) await writer.storeFrame({ ...next, isComplete: false })
  }
  return writer.complete()
}

/** Where a new archive begins. */
const createStart = (head: WorkspaceHead): WritePosition => ({
  sequence: head?.audit_sequence ?? 0,
  part: 0,
  counts: {},
  table: FIRST_TABLE,
  after: null,
  isComplete: false,
})

async function createHeader(db: Queries, workspaceId: string, head: WorkspaceHead): Promise<ArchiveHeader> {
  const workspace = await requireWorkspace(db, workspaceId)
  return {
    ...ARCHIVE_FORMAT,
    workspaceId,
    groupName: workspace.group_name,
    ownerId: workspace.owner_id,
    profileUrl: workspace.profile_url,
    approvalHours: workspace.approval_hours,
    platforms: workspace.platforms,
    secondFactorPolicy: parseSecondFactorPolicy(workspace),
    createdAt: workspace.created_at,
    caseNumber: head?.case_number ?? 0,
    sequence: head?.audit_sequence ?? 0,
  }
}
