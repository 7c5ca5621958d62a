import { beginEpoch } from '@reeve/audit'
import { loadActor, parseSecondFactorPolicy, restrictKeys } from '@reeve/auth'
import { createTimeSlicer } from '@reeve/db'
import { requestRecount } from '@reeve/metering'
import { content, contentTables } from '../archive/content.ts'
import type { ContentTable } from '../archive/content-definition.ts'
import { deleteAllRows, insertRow, type Row } from '../archive/content-statements.ts'
import { readHeader } from '../archive/reader.ts'
import { assertCanRollBack } from '../can-roll-back.ts'
import { restartSecondFactorPolicy } from '../second-factor-policy.ts'
import { changeWorkspace, requireArchive, requireWorkspace } from '../workspace-store.ts'
import { requireJobArchive } from './checksum.ts'
import { blankNamesAgain, findMemberIds, insertFormerMembers } from './former-members.ts'
import type { RunStep } from './job-context.ts'
import { insertMembers } from './memberships.ts'
import { tablesWithManyRows } from './replace-rows.ts'
import { readStagedMemberships } from './staged-memberships.ts'
import { readStagedRows } from './staged-rows.ts'
import { requireNewArchive } from './write-archive.ts'

/** The tables that the last transaction replaces as a whole, in the order in which rows can be inserted. They have few rows. */
const tablesWithFewRows = contentTables.filter(
  (table) =>
    ![
      'record',
      'record_version',
      'evidence_file',
      'evidence_part',
      'event',
      'appeal',
      'appeal_message',
      ...tablesWithManyRows,
    ].includes(table),
)

/** Inserted together by `insertMembers`. */
const MEMBER_TABLES: readonly ContentTable[] = ['member', 'member_role']

/** Everything may have changed, so subscribers of every kind are notified. */
const ANNOUNCED_KINDS = [
  'record',
  'department',
  'event',
  'role',
  'member',
  'endpoint_control',
  'assignment',
  'mention',
  'pinned_note',
  'player_link',
  'appeal',
] as const

/**
 * Replaces the rows of `tablesWithFewRows`, such as roles, members, departments, templates and endpoint controls, and makes the
 * workspace active again. No one gains more than the actor can grant.
 */
export const finishRollBack: RunStep = async (context) => {
  const { db, ports, job } = context
  const workspaceId = job.workspace_id
  const archive = await requireJobArchive(db.read, context)
  const newArchive = await requireArchive(db.read, workspaceId, requireNewArchive(context))
  const { profileUrl, approvalHours } = await readHeader(db.read, archive)
  const memberships = await readStagedMemberships(context)
  const rowsByTable: Partial<Record<ContentTable, readonly Row[]>> = {}
  for (const table of tablesWithFewRows)
    rowsByTable[table] = await readStagedRows(context, content[table].kind)
  rowsByTable.role = memberships.roles
  rowsByTable.department_member = memberships.departmentMembers
  rowsByTable.member_player = memberships.memberPlayers
  return async (tx) => {
    const now = ports.now()
    const actor = await loadActor(tx, ports, job)
    assertCanRollBack(actor)
    const before = await requireWorkspace(tx, workspaceId)
    const membersBefore = await findMemberIds(tx, workspaceId)
    const yieldIfDue = createTimeSlicer()
    for (const table of tablesWithFewRows.toReversed()) {
      await tx.run(deleteAllRows({ table }), { workspaceId })
      await yieldIfDue()
    }
    for (const table of tablesWithFewRows) {
      if (table === 'member') {
        const restored = { workspaceId, ownerId: before.owner_id, now }
        await insertMembers(tx, memberships, restored)
        await insertFormerMembers(tx, membersBefore, { ...memberships, ...restored })
      }
      if (MEMBER_TABLES.includes(table)) continue
      for (const row of rowsByTable[table] ?? []) {
        await tx.run(insertRow({ table }), { ...row, workspace_id: workspaceId })
        await yieldIfDue()
      }
    }
    await restartSecondFactorPolicy(tx, workspaceId, parseSecondFactorPolicy(before), now)
    await blankNamesAgain(tx, workspaceId)
    await restrictKeys(tx, ports, actor)
    await requestRecount(tx, workspaceId)
    await beginEpoch(tx, workspaceId)
    for (const kind of ANNOUNCED_KINDS) tx.announce({ kind, workspaceId, id: workspaceId })
    await changeWorkspace(tx, ports, actor, before, {
      action: 'roll_back',
      archived_at: null,
      group_name: job.group_name ?? archive.group_name,
      profile_url: profileUrl,
      approval_hours: approvalHours,
      auditDetails: { fromArchive: archive.id, archiveId: newArchive.id, sha256: newArchive.sha256 },
    })
  }
}
