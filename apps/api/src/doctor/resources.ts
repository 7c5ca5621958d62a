import {
  type ComparedResource,
  compareResources,
  listChains,
  type ResourceDifference,
  type RowsKey,
} from '@reeve/audit'
import { type DepartmentTable, type EventTable, type Queries, type RoleTable, statement } from '@reeve/db'
import { presentDepartment } from '@reeve/departments'
import { presentEvent } from '@reeve/events'
import { presentRole } from '@reeve/permissions'
import type { Progress } from '../commands/command.ts'
import { pluralize } from '../format.ts'
import { type Finding, fault, MAX_NAMED, ok } from './finding.ts'

/** Rows of a table, highest id first. Kysely requires a known table name for its types, hence the cast. */
const rowsBelow = (table: 'role' | 'department' | 'event') =>
  statement<RowsKey>()((sql, p) =>
    sql
      .selectFrom(table as 'role')
      .selectAll()
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '<', p.beforeId)
      .orderBy('id', 'desc')
      .limit(p.limit),
  )

const rolesBelow = rowsBelow('role')
const departmentsBelow = rowsBelow('department')
const eventsBelow = rowsBelow('event')

/** Fields that the log leaves out, that depend on the time or on settings, or that follow from others. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'id',
  'workspaceId',
  'createdAt',
  'createdBy',
  'updatedAt',
  'version',
  'status',
  'imageUrl',
  'image_url',
])

const pickCompared = (presented: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(presented).filter(([field]) => !NOT_COMPARED.has(field)))

const imageUrlCodec = { read: String, write: String, description: '', example: '' }

const roles: ComparedResource<RoleTable> = {
  target: 'role',
  readRows: (read, key) => read.all(rolesBelow, key),
  present: (row) => pickCompared(presentRole(row)),
  // It is created with its workspace, and cannot be changed.
  isUnlogged: (row) => row.is_owner === 1,
}
const departments: ComparedResource<DepartmentTable> = {
  target: 'department',
  readRows: (read, key) => read.all(departmentsBelow, key) as unknown as Promise<DepartmentTable[]>,
  present: (row) => pickCompared(presentDepartment(row)),
}
const events: ComparedResource<EventTable> = {
  target: 'event',
  readRows: (read, key) => read.all(eventsBelow, key) as unknown as Promise<EventTable[]>,
  present: (row) => pickCompared(presentEvent(row, 0, imageUrlCodec)),
}

const ADVICE =
  'They were changed without Reeve: by hand, by another program, or because the storage is damaged. The audit log in the portal ' +
  'shows what they should be. Correct them there; a role decides what people may do, so check its members too. Find out who can ' +
  'write to the database.'

/** Compares roles, departments and events with the audit log. */
export async function checkResources(read: Queries, progress: Progress): Promise<Finding> {
  const named: string[] = []
  const counts = { role: 0, department: 0, event: 0 }
  let differing = 0
  const report =
    (name: string) =>
    ({ workspaceId, id, kind, fields }: ResourceDifference) => {
      differing += 1
      if (named.length >= MAX_NAMED) return
      const what =
        kind === 'changed' ? fields.join(', ') : kind === 'missing' ? 'missing' : 'not in the audit log'
      named.push(`${name} ${id} of workspace ${workspaceId}: ${what}`)
    }
  for (const { workspace_id: workspaceId } of await listChains(read)) {
    counts.role += await compareResources(read, workspaceId, roles, report('role'))
    counts.department += await compareResources(read, workspaceId, departments, report('department'))
    counts.event += await compareResources(read, workspaceId, events, report('event'))
    progress.update(
      `${counts.role + counts.department + counts.event} roles, departments and events compared`,
    )
  }
  if (differing === 0) {
    const summary = Object.entries(counts).map(([name, count]) => pluralize(count, name))
    return ok('resources', `All ${summary.join(', ')} match the audit log.`)
  }
  const others = differing > named.length ? `; and ${differing - named.length} more` : ''
  return fault('resources', `${named.join('; ')}${others}.`, ADVICE)
}
