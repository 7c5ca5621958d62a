import { content } from '../archive/content.ts'
import type { JobContext } from './job-context.ts'
import { type FilteredMemberships, filterMemberships } from './memberships.ts'
import { readStagedRows } from './staged-rows.ts'

/** The archived members and roles that a roll-back restores. */
export const readStagedMemberships = async (context: JobContext): Promise<FilteredMemberships> =>
  filterMemberships(context.db.read, {
    roles: await readStagedRows(context, content.role.kind),
    members: await readStagedRows(context, content.member.kind),
    memberRoles: await readStagedRows(context, content.member_role.kind),
    departmentMembers: await readStagedRows(context, content.department_member.kind),
    memberPlayers: await readStagedRows(context, content.member_player.kind),
  })
