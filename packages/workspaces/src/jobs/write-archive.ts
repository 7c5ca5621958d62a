import { parseSecondFactorPolicy } from '@reeve/auth'
import type { Actor, Ports } from '@reeve/core'
import {
  type ArchiveEvidenceTable,
  type ArchiveImageTable,
  type ArchivePartTable,
  type ArchiveTable,
  createTimeSlicer,
  freeBytes,
  insertAll,
  type Queries,
  statement,
  type Transaction,
  upsertAll,
  type WorkspaceTable,
  yieldToEventLoop,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { contentTables, countedKinds } from '../archive/content.ts'
import {
  ARCHIVE_FORMAT,
  type ArchiveHeader,
  createFrameBuffer,
  FRAME_CHARACTERS,
  splitFrame,
} from '../archive/format.ts'
import { requireArchive, requireWorkspace } from '../workspace-store.ts'
import { type LinePosition, type PendingLine, readLines } from './archive-lines.ts'
import { deleteArchiveSlices } from './cleanup.ts'
import type { JobContext, RunStep } from './job-context.ts'

const headByWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .select(['case_number', 'audit_sequence'])
    .where('workspace_id', '=', p.workspaceId),
)
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
const upsertSlice = statement<ArchivePartTable>()((sql, p) =>
  upsertAll(sql, 'archive_part', p, ['workspace_id', 'archive_id', 'part']),
)
const insertArchiveImage = statement<ArchiveImageTable>()((sql, p) =>
  insertAll(sql, 'archive_image', p).onConflict((conflict) => conflict.doNothing()),
)
const insertArchiveEvidence = statement<ArchiveEvidenceTable>()((sql, p) =>
  insertAll(sql, 'archive_evidence', p).onConflict((conflict) => conflict.doNothing()),
)
const addSize = statement<{ workspaceId: string; id: string; bytes: number; counts: string }>()((sql, p) =>
  sql
    .updateTable('archive')
    .set((eb) => ({ size_bytes: eb('size_bytes', '+', p.bytes), counts: p.counts }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

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

/** Counts by kind. */
type KindCounts = Readonly<Record<string, number>>

/** Where the job continues: which slice is next, and what it has written. Running jobs have stored positions, so these names stay. */
interface WritePosition extends LinePosition {
  /** The change counter of the workspace when the job began to read. */
  readonly sequence: number
  /** The number of the next slice, as in the column `part`. */
  readonly part: number
  readonly counts: KindCounts
  /** Whether everything is written. */
  readonly isComplete: boolean
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

async function writeContent(context: JobContext): Promise<WritePosition> {
  const { db, job } = context
  const workspaceId = job.workspace_id
  const archiveId = requireNewArchive(context)
  const head = await db.read.first(headByWorkspace, { workspaceId })
  let position = context.readPosition<WritePosition>() ?? {
    sequence: head?.audit_sequence ?? 0,
    part: 0,
    counts: {},
    table: FIRST_TABLE,
    after: null,
    isComplete: false,
  }
  if (position.isComplete) return position
  let { done } = job
  const buffer = createFrameBuffer()
  /** Images and files whose bytes are elsewhere, and must stay there as long as the archive. */
  let externalImages: string[] = []
  let externalFiles: string[] = []
  const counts = new Map(Object.entries(position.counts))
  const addLine = async ({ kind, row }: Pick<PendingLine, 'kind' | 'row'>) => {
    const { bytes, ...rest } = row
    if (!(bytes instanceof Uint8Array)) return buffer.addLine([kind, row])
    await buffer.addBinaryLine(kind, rest, bytes)
    freeBytes(bytes)
  }
  const flush = async (next: Pick<WritePosition, 'table' | 'after' | 'isComplete'>) => {
    // Writing lines and compressing them are turns of their own.
    await yieldToEventLoop()
    const frame = await buffer.compress()
    const slices = splitFrame(frame)
    const first = position.part
    const sequence = position.sequence
    const insertSlice = (tx: Transaction, index: number) =>
      tx.run(upsertSlice, {
        workspace_id: workspaceId,
        archive_id: archiveId,
        part: first + index,
        bytes: slices[index] ?? new Uint8Array(),
      })
    const bytes = slices.reduce((sum, { length }) => sum + length, 0)
    const last = slices.length - 1
    // An interruption writes the same slices again, because the position only changes with the last one.
    for (let index = 0; index < last; index++) await context.save({}, (tx) => insertSlice(tx, index))
    position = { sequence, part: first + slices.length, counts: Object.fromEntries(counts), ...next }
    // The number of changes is at least that of records and their versions.
    const total = Math.max(head?.case_number ?? 0, sequence, done)
    await context.save({ position, done, total }, async (tx) => {
      await insertSlice(tx, last)
      await tx.run(addSize, {
        workspaceId,
        id: archiveId,
        bytes,
        counts: formatCounts(position.counts),
      })
      await changeStorage(tx, workspaceId, 'archives', bytes)
      for (const file_id of externalFiles)
        await tx.run(insertArchiveEvidence, { workspace_id: workspaceId, archive_id: archiveId, file_id })
      for (const hash of externalImages)
        await tx.run(insertArchiveImage, { workspace_id: workspaceId, archive_id: archiveId, hash })
    })
    freeBytes(frame)
    externalImages = []
    externalFiles = []
  }
  if (position.part === 0) {
    const header = await createHeader(db.read, workspaceId, head)
    await addLine({ kind: 'archive', row: { ...header } })
  }
  const yieldIfDue = createTimeSlicer()
  for await (const { kind, row, ...next } of readLines(db.read, workspaceId, position)) {
    // Reading the rows of a batch was a step of its own.
    await yieldIfDue()
    await addLine({ kind, row })
    if (kind === 'media' && row.bytes === null) externalImages.push(String(row.hash))
    if (kind === 'evidenceFiles' && row.is_external === 1) externalFiles.push(String(row.id))
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    if (kind === 'records' || kind === 'recordVersions') done += 1
    if (buffer.size() >= FRAME_CHARACTERS) await flush({ ...next, isComplete: false })
  }
  if (buffer.size() > 0) await flush({ table: null, after: null, isComplete: true })
  else await context.save({ position: { ...position, isComplete: true } })
  return position
}

async function createHeader(
  db: Queries,
  workspaceId: string,
  head: { case_number: number; audit_sequence: number } | undefined,
): Promise<ArchiveHeader> {
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

/** The counts of an archive, as they are stored. */
const formatCounts = (counts: KindCounts): string =>
  JSON.stringify(Object.fromEntries(countedKinds.map((kind) => [kind, String(counts[kind] ?? 0)])))
