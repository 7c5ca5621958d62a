import { appendAuditEntry, startChain, WORKSPACE_RESTORATION } from '@reeve/audit'
import { assertCanCreateWorkspace, loadActor, loadPseudonymKey } from '@reeve/auth'
import { generateAppealCode, type Ports } from '@reeve/core'
import { sealPlayerKey } from '@reeve/core/player-hashes'
import {
  addPlayerName,
  type CountedRecord,
  countAppealedBan,
  countRecordChange,
  createTimeSlicer,
  insertAll,
  type RedactionTable,
  statement,
  type Transaction,
  type WorkspaceTable,
} from '@reeve/db'
import { requestRecount } from '@reeve/metering'
import type { ContentTable } from '../archive/content-definition.ts'
import { insertRow, type Row } from '../archive/content-statements.ts'
import { storeImages, tableByKind } from '../archive/convert-rows.ts'
import { createErasedPlayerLookup, type FindErased } from '../archive/erased-players.ts'
import { isEvidenceKind, prepareEvidence } from '../archive/evidence.ts'
import { selectWithAppeal } from '../archive/existing-appeals.ts'
import {
  type ArchiveKey,
  type ArchivePosition,
  archiveDamagedError,
  CONTENT_START,
  countSlices,
  type LineBatch,
  readHeader,
  readLines,
} from '../archive/reader.ts'
import { leaveOutErased, redactRecords, redactVersions } from '../archive/redactions.ts'
import { assertCanCopy } from '../copy-from-archive.ts'
import { presentWorkspace } from '../model.ts'
import { restartSecondFactorPolicy, toSecondFactorColumns } from '../second-factor-policy.ts'
import { requireJobArchive } from './checksum.ts'
import { copyFormerMembers } from './former-members.ts'
import type { JobContext, RunStep } from './job-context.ts'
import { filterMemberships, insertMembers, type Memberships } from './memberships.ts'

const insertRedaction = statement<RedactionTable>()((sql, p) => insertAll(sql, 'redaction', p))
const hiddenById = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').selectAll().where('id', '=', p.workspaceId).where('hidden', 'is not', null),
)
/** The settings of the workspace that a copy has from the archive. */
type RestoredColumn =
  | 'profile_url'
  | 'approval_hours'
  | 'platforms'
  | 'pseudonym_key'
  | 'second_factor_permissions'
  | 'second_factor_grace_days'

const publishWorkspace = statement<Pick<WorkspaceTable, RestoredColumn> & { workspaceId: string }>()(
  (sql, p) =>
    sql
      .updateTable('workspace')
      .set({
        hidden: null,
        profile_url: p.profile_url,
        approval_hours: p.approval_hours,
        platforms: p.platforms,
        pseudonym_key: p.pseudonym_key,
        second_factor_permissions: p.second_factor_permissions,
        second_factor_grace_days: p.second_factor_grace_days,
      })
      .where('id', '=', p.workspaceId),
)
const updateCaseNumber = statement<{ workspaceId: string; caseNumber: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set({ case_number: p.caseNumber })
    .where('workspace_id', '=', p.workspaceId),
)

/** What gives access is inserted last, so that nobody can see the copy before it is complete. */
const MEMBERSHIP_KINDS: ReadonlySet<string> = new Set([
  'members',
  'memberRoles',
  'memberPlayers',
  'departmentMembers',
])

function requireNewWorkspace({ job }: JobContext): string {
  if (job.new_workspace_id === null) throw new Error('the job creates no workspace')
  return job.new_workspace_id
}

/** Inserts the content of the archive into the new workspace, except for its members. */
export const copyContent: RunStep = async (context) => {
  const { db } = context
  const workspaceId = requireNewWorkspace(context)
  const archive = await requireJobArchive(db.read, context)
  const total = await countSlices(db.read, archive)
  const start = context.readPosition<ArchivePosition>() ?? CONTENT_START
  const findErased = await createErasedPlayerLookup(db.read, context.ports, archive)
  for await (const batch of readLines(db.read, archive, start)) {
    if (MEMBERSHIP_KINDS.has(batch.kind)) continue
    const insert = await prepareInsert(context, { archive, batch, workspaceId, findErased })
    await context.save({ position: batch.next, done: batch.next.part, total }, insert)
  }
  return null
}

interface Insertion {
  readonly archive: ArchiveKey
  readonly batch: LineBatch
  readonly workspaceId: string
  readonly findErased: FindErased
}

/** Converts the rows of a batch. @returns inserts them */
async function prepareInsert(
  context: JobContext,
  { archive, batch: { kind, rows }, workspaceId, findErased }: Insertion,
): Promise<(tx: Transaction) => Promise<void>> {
  const { db, ports } = context
  if (kind === 'media') return (tx) => storeImages(tx, rows)
  if (isEvidenceKind(kind))
    return prepareEvidence(db.read, kind, rows, {
      source: archive.workspace_id,
      workspaceId,
      now: ports.now(),
    })
  const table = tableByKind.get(kind)
  if (table === undefined) throw archiveDamagedError()
  const source = archive.workspace_id
  const converted: Partial<Record<ContentTable, () => readonly Row[] | Promise<readonly Row[]>>> = {
    record: async () => renewAppealCodes(ports, await redactRecords(context, source, rows, findErased)),
    record_version: () => redactVersions(db.read, source, rows, findErased),
    appeal_message: () => selectWithAppeal(db.read, workspaceId, rows),
  }
  const converts = converted[table]
  const toInsert = converts
    ? await converts()
    : await leaveOutErased(db.read, source, table, rows, findErased)
  return async (tx) => {
    const yieldIfDue = createTimeSlicer()
    for (const row of toInsert) {
      await tx.run(insertRow({ table }), { ...row, workspace_id: workspaceId })
      if (table === 'record')
        await countRecordChange(tx, null, { ...(row as unknown as CountedRecord), workspace_id: workspaceId })
      if (table === 'appeal') await countAppealedBan(tx, workspaceId, String(row.record_id))
      if (table === 'record' && typeof row.redacted_at === 'number') {
        const redaction = {
          workspace_id: workspaceId,
          record_id: String(row.id),
          redacted_at: row.redacted_at,
          stored_as: null,
        }
        await tx.run(insertRedaction, redaction)
      }
      if (table === 'record' && typeof row.user_username === 'string')
        await addPlayerName(tx, { workspaceId, userId: String(row.user_id), name: row.user_username })
      await yieldIfDue()
    }
  }
}

/** A code belongs to one ban of the instance, so the bans of a copy get others. */
const renewAppealCodes = (ports: Ports, rows: readonly Row[]): readonly Row[] =>
  rows.map((row) => (row.appeal_code === null ? row : { ...row, appeal_code: generateAppealCode(ports) }))

/** Makes the copy visible: its members, its audit log, case numbers and change counter. Checks permissions and limits again. */
export const publishCopy: RunStep = async (context) => {
  const { db, ports, limits, job } = context
  const archive = await requireJobArchive(db.read, context)
  const { profileUrl, approvalHours, platforms, secondFactorPolicy, sequence, caseNumber } = await readHeader(
    db.read,
    archive,
  )
  const memberships = await filterMemberships(db.read, await readMemberships(context, archive))
  const workspace = await db.read.first(hiddenById, { workspaceId: requireNewWorkspace(context) })
  if (!workspace) throw new Error('the copy does not exist')
  const { id: workspaceId, owner_id: ownerId } = workspace
  // The copy itself is one of the owner's workspaces already.
  await assertCanCreateWorkspace(db.read, limits, ownerId, 1)
  return async (tx) => {
    const now = ports.now()
    const actor = await loadActor(tx, ports, job)
    await assertCanCopy(tx, actor, archive)
    await startChain(tx, ports, workspaceId, sequence)
    await tx.run(updateCaseNumber, { workspaceId, caseNumber })
    await insertMembers(tx, memberships, { workspaceId, ownerId, now })
    await copyFormerMembers(tx, archive, { ...memberships, workspaceId, ownerId })
    for (const row of memberships.memberPlayers)
      await tx.run(insertRow({ table: 'member_player' }), { ...row, workspace_id: workspaceId })
    for (const row of memberships.departmentMembers)
      await tx.run(insertRow({ table: 'department_member' }), { ...row, workspace_id: workspaceId })
    const settings = {
      pseudonym_key: await copyPseudonymKey(tx, ports, archive.workspace_id, workspaceId),
      profile_url: profileUrl,
      approval_hours: approvalHours,
      platforms,
      ...toSecondFactorColumns(secondFactorPolicy),
    }
    await tx.run(publishWorkspace, { workspaceId, ...settings })
    await restartSecondFactorPolicy(tx, workspaceId, secondFactorPolicy, now)
    await requestRecount(tx, workspaceId)
    const after: WorkspaceTable = { ...workspace, ...settings, hidden: null }
    const entry = {
      target: { kind: 'workspace', id: workspaceId },
      after: { ...presentWorkspace(after), fromArchive: archive.id },
    }
    await appendAuditEntry(tx, ports, actor, { ...entry, action: WORKSPACE_RESTORATION, chain: workspaceId })
    await appendAuditEntry(tx, ports, actor, { ...entry, action: 'workspaces.copy', chain: job.workspace_id })
    tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  }
}

/** The key of the pseudonyms in a copy: that of the workspace that was archived, encrypted for the copy. */
async function copyPseudonymKey(
  tx: Transaction,
  ports: Ports,
  from: string,
  to: string,
): Promise<string | null> {
  const key = await loadPseudonymKey(tx, ports, from)
  return key && sealPlayerKey(ports, 'pseudonyms', to, key)
}

/** Reads what gives access from the beginning of an archive. */
async function readMemberships({ db, ports }: JobContext, archive: ArchiveKey): Promise<Memberships> {
  const memberships: Record<keyof Memberships, Row[]> = {
    roles: [],
    members: [],
    memberRoles: [],
    departmentMembers: [],
    memberPlayers: [],
  }
  for await (const { kind, rows } of readLines(db.read, archive, CONTENT_START)) {
    if (kind in memberships) memberships[kind as keyof Memberships].push(...rows)
    else if (kind !== 'departments') break
  }
  const { memberPlayers } = memberships
  const findErased = await createErasedPlayerLookup(db.read, ports, archive)
  return {
    ...memberships,
    memberPlayers: await leaveOutErased(
      db.read,
      archive.workspace_id,
      'member_player',
      memberPlayers,
      findErased,
    ),
  }
}
