import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertNoVersion,
  assertSetsField,
  assertUsedFields,
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
  isSameRow,
  type Queries,
  statement,
  statementFamily,
  type Transaction,
  updateAll,
} from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { type DepartmentInput, type DepartmentQueryInput, presentDepartment } from './model.ts'

export type DepartmentKey = { workspaceId: string; id: string }

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
    .where((eb) => eb(eb.refTuple('name_key', 'id'), '>', eb.tuple(p.name, p.id)))
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

/** Returns one department. @throws AppError `not_found` */
export async function getDepartment(db: Queries, actor: Actor, input: DepartmentQueryInput & { id: string }) {
  const row = await db.first(departmentById, { workspaceId: actor.workspaceId, id: input.id })
  if (!row || (row.deleted_at !== null) !== (input.deleted ?? false)) throw new AppError('not_found')
  return { department: presentDepartment(row) }
}

/** A department as the API returns it, also a deleted one; null if it does not exist. */
export async function findDepartment(db: Queries, workspaceId: string, id: string) {
  const row = await db.first(departmentById, { workspaceId, id })
  return row ? presentDepartment(row) : null
}

/** Returns a page of departments, by name. */
export async function listDepartments(db: Queries, actor: Actor, input: DepartmentQueryInput) {
  const page = parsePage(LIST, input, ['string', 'string'])
  const [name, id] = page.after ?? ['', '']
  const fetched = await db.all(departmentsByName({ deleted: input.deleted ?? false }), {
    workspaceId: actor.workspaceId,
    limit: page.limit + 1,
    name: String(name),
    id: String(id),
  })
  const { rows: departments, nextCursor } = paginate(
    fetched,
    page,
    (row) => [row.name_key, row.id],
    presentDepartment,
  )
  return { departments, nextCursor }
}

const CHANGEABLE_FIELDS = ['name', 'color', 'description'] as const satisfies (keyof DepartmentInput)[]

export type DepartmentChange = DepartmentInput & { ifMatch: ExpectedVersions }

/**
 * Applies the action of a request: `create`, `update` (default), `delete` or `restore`. An update that changes nothing keeps
 * the version.
 * @throws AppError `invalid_request`, `not_found`, `version_mismatch`, `conflict`
 */
export async function applyDepartmentAction(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: DepartmentChange,
) {
  if (input.action === 'create') return createDepartment(tx, ports, actor, input)
  const action = input.action ?? 'update'
  if (input.id === undefined) throw missingFields('id')
  if (action === 'update') assertSetsField(input, CHANGEABLE_FIELDS)
  else assertUsedFields(action, input, ['id'])
  const before = await tx.first(departmentById, { workspaceId: actor.workspaceId, id: input.id })
  if (!before) throw new AppError('not_found')
  assertVersion(before, input.ifMatch)
  const changed = applyChange(before, input, ports.now())
  if (isSameRow(before, changed)) return { department: presentDepartment(before) }
  const after = {
    ...changed,
    // A restored department goes to the end, like a new one: its old position may be taken.
    ...(input.action === 'restore' && { position: await nextPosition(tx, actor.workspaceId) }),
    updated_at: ports.now(),
    version: before.version + 1,
  }
  await uniqueViolationToConflict(tx.run(updateDepartment, after), nameTakenMessage(after.name))
  return recordChange(tx, ports, actor, action, before, after)
}

async function createDepartment(tx: Transaction, ports: Ports, actor: Actor, input: DepartmentChange) {
  assertNoVersion(input.ifMatch)
  if (input.id !== undefined) {
    throw invalidRequest({
      field: 'id',
      message: 'is generated by the server; omit it, or set action',
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

/** The row after the action. @throws AppError `not_found`, `conflict` */
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

const nameTakenMessage = (name: string): string => `A department named ${name} already exists.`

/** The position after every other department. */
const nextPosition = async (tx: Transaction, workspaceId: string): Promise<number> =>
  ((await tx.first(highestPosition, { workspaceId }))?.position ?? 0) + 1

/** Appends the change to the audit log and announces it. @returns the department */
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
