import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertVersion,
  type ExpectedVersions,
  invalidRequest,
  missingFields,
  normalizeName,
  type Ports,
  paginate,
  parsePage,
} from '@reeve/core'
import {
  type DepartmentTable,
  insertAll,
  type Queries,
  statement,
  statementFamily,
  type Transaction,
  updateAll,
} from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { type DepartmentInput, type DepartmentQueryInput, presentDepartment } from './model.ts'

type DepartmentKey = { workspaceId: string; id: string }

export const departmentById = statement<DepartmentKey>()((sql, p) =>
  sql.selectFrom('department').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const departmentsByName = statementFamily<
  { workspaceId: string; limit: number; name: string; id: string },
  { deleted: boolean }
>()((sql, p, { deleted }) =>
  sql
    .selectFrom('department')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('deleted_at', deleted ? 'is not' : 'is', null)
    .where((eb) =>
      eb.or([eb('name_key', '>', p.name), eb.and([eb('name_key', '=', p.name), eb('id', '>', p.id)])]),
    )
    .orderBy('name_key')
    .orderBy('id')
    .limit(p.limit),
)
const insertDepartment = statement<DepartmentTable>()((sql, p) => insertAll(sql, 'department', p))
export const updateDepartment = statement<DepartmentTable>()((sql, p) =>
  updateAll(sql, 'department', p, { key: ['workspace_id', 'id'], except: ['created_at'] }),
)

const highestPosition = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('department')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('workspace_id', '=', p.workspaceId),
)

const LIST = 'departments'

/** One department. @throws AppError `not_found` */
export async function getDepartment(db: Queries, actor: Actor, input: DepartmentQueryInput & { id: string }) {
  const row = await db.first(departmentById, { workspaceId: actor.workspaceId, id: input.id })
  if (!row || (row.deleted_at !== null) !== (input.deleted ?? false)) throw new AppError('not_found')
  return { department: presentDepartment(row) }
}

/** A page of departments, by name. */
export async function listDepartments(db: Queries, actor: Actor, input: DepartmentQueryInput) {
  const { limit, after } = parsePage(LIST, input, ['string', 'string'])
  const [name, id] = after ?? ['', '']
  const fetched = await db.all(departmentsByName({ deleted: input.deleted ?? false }), {
    workspaceId: actor.workspaceId,
    limit: limit + 1,
    name: String(name),
    id: String(id),
  })
  const { rows, nextCursor } = paginate(fetched, limit, LIST, (row) => [row.name_key, row.id])
  return { departments: rows.map(presentDepartment), nextCursor }
}

export type DepartmentChange = DepartmentInput & { ifMatch: ExpectedVersions }

/** Carries out the action of a request: `create`, `update`, `delete` or `restore`. */
export async function applyDepartmentAction(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: DepartmentChange,
) {
  if (input.action === 'create') return createDepartment(tx, ports, actor, input)
  if (input.id === undefined) throw missingFields('id')
  const before = await tx.first(departmentById, { workspaceId: actor.workspaceId, id: input.id })
  if (!before) throw new AppError('not_found')
  assertVersion(before, input.ifMatch)
  const after = {
    ...applyChange(before, input, ports.now()),
    // One that comes back takes a place at the end, as a new one does: its old one may be another's by now.
    ...(input.action === 'restore' && { position: await nextPosition(tx, actor.workspaceId) }),
    updated_at: ports.now(),
    version: before.version + 1,
  }
  await uniqueViolationToConflict(tx.run(updateDepartment, after), nameTakenMessage(after.name))
  return recordChange(tx, ports, actor, input.action ?? 'update', before, after)
}

async function createDepartment(tx: Transaction, ports: Ports, actor: Actor, input: DepartmentChange) {
  if (input.id !== undefined) {
    throw invalidRequest({
      field: 'id',
      message: 'is made by the server; leave it out, or name the action it is for',
    })
  }
  if (input.name === undefined) throw missingFields('name')
  const now = ports.now()
  const row: DepartmentTable = {
    workspace_id: actor.workspaceId,
    id: ports.newId(),
    name: input.name,
    name_key: normalizeName(input.name),
    color: input.color ?? null,
    description: input.description ?? null,
    created_at: now,
    updated_at: now,
    position: await nextPosition(tx, actor.workspaceId),
    deleted_at: null,
    version: 1,
  }
  await uniqueViolationToConflict(tx.run(insertDepartment, row), nameTakenMessage(row.name))
  return recordChange(tx, ports, actor, 'create', null, row)
}

/** The row as the action leaves it. @throws AppError `not_found`, `conflict` */
function applyChange(before: DepartmentTable, input: DepartmentChange, now: number): DepartmentTable {
  if (input.action === 'restore') {
    if (before.deleted_at === null)
      throw new AppError('conflict', { message: 'The department is not deleted.' })
    return { ...before, deleted_at: null }
  }
  if (before.deleted_at !== null) throw new AppError('not_found')
  if (input.action === 'delete') return { ...before, deleted_at: now }
  const name = input.name ?? before.name
  return {
    ...before,
    name,
    name_key: normalizeName(name),
    color: input.color === undefined ? before.color : input.color,
    description: input.description === undefined ? before.description : input.description,
  }
}

const nameTakenMessage = (name: string): string => `There is a department named ${name} already.`

/** The place behind every other department. */
const nextPosition = async (tx: Transaction, workspaceId: string): Promise<number> =>
  ((await tx.first(highestPosition, { workspaceId }))?.position ?? 0) + 1

/** Writes the change into the log, tells who listens, and answers. */
async function recordChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: string,
  before: DepartmentTable | null,
  after: DepartmentTable,
) {
  const department = presentDepartment(after)
  await appendAuditEntry(tx, ports, actor, {
    action: `departments.${action}`,
    target: { kind: 'department', id: after.id },
    before: before && presentDepartment(before),
    after: department,
  })
  tx.announce({ kind: 'department', workspaceId: after.workspace_id, id: after.id })
  return { department }
}
