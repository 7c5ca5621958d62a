import {
  type Actor,
  AppError,
  assertNoVersion,
  assertSetsField,
  assertUsedFields,
  assertVersion,
  type ExpectedVersions,
  invalidRequest,
  normalizeName,
  type Ports,
  paginate,
  parsePage,
  requireFields,
} from '@reeve/core'
import {
  insertAll,
  isSameRow,
  type LadderTable,
  type Queries,
  statement,
  statementFamily,
  type Transaction,
  updateAll,
} from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { assertUnderRuleLimit, findArchivedAt, recordRuleChange } from '../rules/change.ts'
import { MAX_LIVE_RULES } from '../rules/model.ts'
import { listRuleVersions, storeRuleVersion } from '../rules/versions.ts'
import { type LadderInput, type LadderQueryInput, presentLadder } from './model.ts'

type LadderKey = { workspaceId: string; id: string }

const ladderById = statement<LadderKey>()((sql, p) =>
  sql.selectFrom('ladder').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const laddersByName = statementFamily<
  { workspaceId: string; limit: number; name: string; id: string },
  { archived: boolean }
>()((sql, p, { archived }) =>
  sql
    .selectFrom('ladder')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('archived_at', archived ? 'is not' : 'is', null)
    .where((eb) => eb(eb.refTuple('name_key', 'id'), '>', eb.tuple(p.name, p.id)))
    .orderBy('name_key')
    .orderBy('id')
    .limit(p.limit),
)
const templatesOfLadder = statement<LadderKey>()((sql, p) =>
  sql
    .selectFrom('template')
    .select('name')
    .where('workspace_id', '=', p.workspaceId)
    .where('ladder_id', '=', p.id)
    .where('archived_at', 'is', null)
    .limit(1),
)
const insertLadder = statement<LadderTable>()((sql, p) => insertAll(sql, 'ladder', p))
const updateLadder = statement<LadderTable>()((sql, p) =>
  updateAll(sql, 'ladder', p, { key: ['workspace_id', 'id'], except: ['created_at'] }),
)

const laddersByIds = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('ladder')
    .select(['id', 'name'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)

const LIST = 'ladders'

/** One ladder of a workspace, also an archived one; undefined if it does not exist. */
export const findLadder = (db: Queries, workspaceId: string, id: string): Promise<LadderTable | undefined> =>
  db.first(ladderById, { workspaceId, id })

/** The names of ladders, also of archived ones. */
export const listLadderNames = (db: Queries, workspaceId: string, ids: readonly string[]) =>
  db.all(laddersByIds, { workspaceId, ids: [...new Set(ids)] })

async function requireLadder(db: Queries, actor: Actor, input: { readonly id?: string }) {
  const { id } = requireFields(input, 'id')
  const row = await findLadder(db, actor.workspaceId, id)
  if (!row) throw new AppError('not_found')
  return row
}

/** Returns one ladder with its earlier versions. @throws AppError `not_found` */
export async function getLadder(db: Queries, actor: Actor, input: LadderQueryInput) {
  const row = await requireLadder(db, actor, input)
  return { ladder: presentLadder(row), ...(await listRuleVersions(db, row, input, presentLadder)) }
}

/** Returns a page of ladders, by name. */
export async function listLadders(db: Queries, { workspaceId }: Actor, input: LadderQueryInput) {
  const page = parsePage(LIST, input, ['string', 'string'])
  const [name, id] = page.after ?? ['', '']
  const fetched = await db.all(laddersByName({ archived: input.archived ?? false }), {
    workspaceId,
    limit: page.limit + 1,
    name: String(name),
    id: String(id),
  })
  const { rows: ladders, nextCursor } = paginate(
    fetched,
    page,
    (row) => [row.name_key, row.id],
    presentLadder,
  )
  return { ladders, nextCursor }
}

export type LadderChange = LadderInput & { readonly ifMatch: ExpectedVersions }

/**
 * Creates, updates, archives or restores a ladder. An update that changes nothing keeps the version.
 * @throws AppError `invalid_request`, `not_found`, `version_mismatch`, `conflict`
 */
export async function applyLadderAction(tx: Transaction, ports: Ports, actor: Actor, input: LadderChange) {
  const action = input.action ?? 'create'
  if (action === 'create') return createLadder(tx, ports, actor, input)
  if (action === 'update') assertSetsField(input, ['name', 'windowDays', 'steps'])
  else assertUsedFields(action, input, ['id'])
  const before = await requireLadder(tx, actor, input)
  assertVersion(before, input.ifMatch)
  const now = ports.now()
  const archived_at = findArchivedAt('ladder', before, action, now)
  if (action === 'archive') await assertUnused(tx, before)
  if (action === 'restore') await assertUnderLimit(tx, actor)
  const changed = action === 'update' ? applyFields(before, input) : before
  if (isSameRow(before, { ...changed, archived_at })) return { ladder: presentLadder(before) }
  const after = { ...changed, archived_at, updated_at: now, version: before.version + 1 }
  await uniqueViolationToConflict(tx.run(updateLadder, after), nameTakenMessage(after.name))
  await storeRuleVersion(tx, ports, actor, before, action)
  await recordRuleChange(tx, ports, actor, 'ladder', action, before, after, presentLadder)
  return { ladder: presentLadder(after) }
}

async function createLadder(tx: Transaction, ports: Ports, actor: Actor, input: LadderChange) {
  assertNoVersion(input.ifMatch)
  if (input.id !== undefined)
    throw invalidRequest({ field: 'id', message: 'is generated by the server; omit it, or set action' })
  const { name, steps } = requireFields(input, 'name', 'steps')
  await assertUnderLimit(tx, actor)
  const now = ports.now()
  const row: LadderTable = {
    workspace_id: actor.workspaceId,
    id: ports.newId(),
    name,
    name_key: normalizeName(name),
    window_days: input.windowDays ?? null,
    steps: JSON.stringify(steps),
    created_at: now,
    updated_at: now,
    archived_at: null,
    version: 1,
  }
  await uniqueViolationToConflict(tx.run(insertLadder, row), nameTakenMessage(name))
  await recordRuleChange(tx, ports, actor, 'ladder', 'create', null, row, presentLadder)
  return { ladder: presentLadder(row) }
}

function applyFields(before: LadderTable, { name, windowDays, steps }: LadderInput): LadderTable {
  return {
    ...before,
    ...(name !== undefined && { name, name_key: normalizeName(name) }),
    ...(windowDays !== undefined && { window_days: windowDays }),
    ...(steps !== undefined && { steps: JSON.stringify(steps) }),
  }
}

async function assertUnderLimit(tx: Transaction, { workspaceId }: Actor): Promise<void> {
  const live = await tx.all(laddersByName({ archived: false }), {
    workspaceId,
    limit: MAX_LIVE_RULES,
    name: '',
    id: '',
  })
  assertUnderRuleLimit('ladder', live)
}

/** @throws AppError `conflict` if a template that is not archived uses the ladder */
async function assertUnused(tx: Transaction, row: LadderTable): Promise<void> {
  const [template] = await tx.all(templatesOfLadder, { workspaceId: row.workspace_id, id: row.id })
  if (!template) return
  throw new AppError('conflict', {
    message: `The template ${template.name} uses this ladder. Choose another ladder for it, or archive it, first.`,
  })
}

const nameTakenMessage = (name: string): string => `A ladder named ${name} already exists.`
