import { requestRecount } from '@reeve/metering'
import {
  type ContentTable,
  content,
  contentTables,
  deleteAllRows,
  insertRow,
  type Row,
} from '../archive/content.ts'
import { readHeader } from '../archive/reader.ts'
import { assertCanGrantGains, loadMemberGrants } from '../grants.ts'
import { changeWorkspace, requireArchive, requireWorkspace } from '../workspace-store.ts'
import { requireJobArchive } from './checksum.ts'
import { loadActor } from './job-actor.ts'
import type { JobContext, RunStep } from './job-context.ts'
import { type FilteredMemberships, filterMemberships, insertMembers } from './memberships.ts'
import { stagedRowsAfter } from './staged-rows.ts'
import { requireNewArchive } from './write-archive.ts'

/** The tables that the last transaction replaces as a whole, in the order in which rows can be inserted. They have few rows. */
const replacedTables = contentTables.filter((table) => !['record', 'record_version', 'event'].includes(table))

/** Inserted together by `insertMembers`. */
const MEMBER_TABLES: readonly ContentTable[] = ['member', 'member_role']

/** Everything may have changed, so subscribers of every kind are notified. */
const ANNOUNCED_KINDS = ['record', 'department', 'event', 'role', 'member', 'endpoint_control'] as const

const PAGE_ROWS = 500

async function readStaged({ db, job }: JobContext, kind: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = -1; ; ) {
    const key = { workspaceId: job.workspace_id, jobId: job.id, kind }
    const page = await db.read.all(stagedRowsAfter, { ...key, after, limit: PAGE_ROWS })
    rows.push(...page.map(({ data }) => JSON.parse(String(data)) as Row))
    const last = page.at(-1)
    if (page.length < PAGE_ROWS || !last) return rows
    after = last.number
  }
}

/** The archived members and roles that a roll-back restores. */
export const readStagedMemberships = async (context: JobContext): Promise<FilteredMemberships> =>
  filterMemberships(context.db.read, {
    roles: await readStaged(context, content.role.kind),
    members: await readStaged(context, content.member.kind),
    memberRoles: await readStaged(context, content.member_role.kind),
    departmentMembers: await readStaged(context, content.department_member.kind),
  })

/**
 * Replaces roles, members, departments and endpoint controls, and makes the workspace active again. No one gains more than the
 * actor can grant.
 */
export const finishRollBack: RunStep = async (context) => {
  const { db, ports, job } = context
  const workspaceId = job.workspace_id
  const archive = await requireJobArchive(db.read, context)
  const newArchive = await requireArchive(db.read, workspaceId, requireNewArchive(context))
  const { profileUrl } = await readHeader(db.read, archive)
  const memberships = await readStagedMemberships(context)
  const rowsByTable: Partial<Record<ContentTable, readonly Row[]>> = {
    role: memberships.roles,
    department: await readStaged(context, content.department.kind),
    department_member: memberships.departmentMembers,
    endpoint_control: await readStaged(context, content.endpoint_control.kind),
  }
  return async (tx) => {
    const now = ports.now()
    const actor = await loadActor(tx, job, now)
    const before = await requireWorkspace(tx, workspaceId)
    const grantsBefore = await loadMemberGrants(tx, workspaceId)
    for (const table of replacedTables.toReversed()) await tx.run(deleteAllRows({ table }), { workspaceId })
    for (const table of replacedTables) {
      if (table === 'member')
        await insertMembers(tx, memberships, { workspaceId, ownerId: before.owner_id, now })
      if (MEMBER_TABLES.includes(table)) continue
      for (const row of rowsByTable[table] ?? [])
        await tx.run(insertRow({ table }), { ...row, workspace_id: workspaceId })
    }
    assertCanGrantGains(actor, grantsBefore, await loadMemberGrants(tx, workspaceId))
    await requestRecount(tx, workspaceId)
    for (const kind of ANNOUNCED_KINDS) tx.announce({ kind, workspaceId, id: workspaceId })
    await changeWorkspace(tx, ports, actor, before, {
      action: 'roll_back',
      archived_at: null,
      group_name: job.group_name ?? archive.group_name,
      profile_url: profileUrl,
      auditDetails: { fromArchive: archive.id, archiveId: newArchive.id, sha256: newArchive.sha256 },
    })
  }
}
