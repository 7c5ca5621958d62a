import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertNoProblems,
  assertSetsField,
  assertVersion,
  type ExpectedVersions,
  invalidRequest,
  MAX_LIMIT,
  normalizeName,
  type Ports,
  paginate,
  parsePage,
  requireFields,
} from '@reeve/core'
import { isSameRow, type Queries, type TemplateTable, type Transaction } from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { findLadder, listLadderNames } from '../ladders/service.ts'
import { findUnusedFields } from '../records/parse-request.ts'
import { assertUnderRuleLimit, findArchivedAt, recordRuleChange } from '../rules/change.ts'
import { listRuleVersions, storeRuleVersion } from '../rules/versions.ts'
import { presentTemplate, type TemplateInput, type TemplateQueryInput } from './model.ts'
import {
  highestPosition,
  insertTemplate,
  requireTemplate,
  templatesByPosition,
  updatePosition,
  updateTemplate,
} from './store.ts'

const LIST = 'templates'

/** Returns one template with its earlier versions. @throws AppError `not_found` */
export async function getTemplate(db: Queries, actor: Actor, input: TemplateQueryInput) {
  const { id } = requireFields(input, 'id')
  const row = await requireTemplate(db, actor.workspaceId, id)
  return { template: presentTemplate(row), ...(await listRuleVersions(db, row, input, presentTemplate)) }
}

/** Returns a page of templates, in their order. */
export async function listTemplates(db: Queries, { workspaceId }: Actor, input: TemplateQueryInput) {
  const page = parsePage(LIST, input, ['number', 'string'])
  const [position, id] = page.after ?? [0, '']
  const fetched = await db.all(templatesByPosition({ archived: input.archived ?? false }), {
    workspaceId,
    limit: page.limit + 1,
    position: Number(position),
    id: String(id),
  })
  const { rows: templates, nextCursor } = paginate(
    fetched,
    page,
    (row) => [row.position, row.id],
    presentTemplate,
  )
  return { ...(await withLadders(db, workspaceId, templates)), nextCursor }
}

type PresentedTemplate = ReturnType<typeof presentTemplate>

/** Templates with the names of their ladders. */
async function withLadders(db: Queries, workspaceId: string, templates: readonly PresentedTemplate[]) {
  const ids = templates.flatMap(({ ladderId }) => ladderId ?? [])
  return {
    templates: [...templates],
    ladders: ids.length === 0 ? [] : await listLadderNames(db, workspaceId, ids),
  }
}

export type TemplateChange = TemplateInput & { readonly ifMatch: ExpectedVersions }

const CHANGEABLE_FIELDS = [
  'name',
  'publicReason',
  'defaultSeverity',
  'appealable',
  'appealAfterDays',
  'ladderId',
] as const satisfies (keyof TemplateInput)[]

const ORDER_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'action', 'ids', 'ifMatch'])

/**
 * Creates, updates, archives or restores a template. An update that changes nothing keeps the version.
 * @throws AppError `invalid_request`, `not_found`, `version_mismatch`, `conflict`
 */
export async function applyTemplateAction(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: TemplateChange,
) {
  const action = input.action ?? 'create'
  if (action === 'order') {
    assertNoProblems(findUnusedFields({ ...input, ifMatch: undefined }, ORDER_FIELDS, 'is not used by order'))
    return orderTemplates(tx, ports, actor, requireFields(input, 'ids').ids)
  }
  if (input.ids !== undefined) throw invalidRequest({ field: 'ids', message: 'is only used by order' })
  if (action === 'create') return createTemplate(tx, ports, actor, input)
  if (action === 'update') assertSetsField(input, CHANGEABLE_FIELDS)
  const { workspaceId } = actor
  const before = await requireTemplate(tx, workspaceId, requireFields(input, 'id').id)
  assertVersion(before, input.ifMatch)
  const now = ports.now()
  const archived_at = findArchivedAt('template', before, action, now)
  const changed = action === 'update' ? { ...before, ...toColumns(input) } : before
  if (action !== 'archive') await assertLadder(tx, changed, before)
  if (isSameRow(before, { ...changed, archived_at })) return { template: presentTemplate(before) }
  if (action === 'restore') assertUnderRuleLimit('template', await listLiveTemplates(tx, workspaceId))
  const after: TemplateTable = {
    ...changed,
    archived_at,
    // A restored template goes to the end, like a new one.
    ...(action === 'restore' && { position: await nextPosition(tx, workspaceId) }),
    updated_at: now,
    version: before.version + 1,
  }
  await uniqueViolationToConflict(tx.run(updateTemplate, after), nameTakenMessage(after.name))
  await storeRuleVersion(tx, ports, actor, before, action)
  await recordRuleChange(tx, ports, actor, 'template', action, before, after, presentTemplate)
  return { template: presentTemplate(after) }
}

async function createTemplate(tx: Transaction, ports: Ports, actor: Actor, input: TemplateChange) {
  if (input.id !== undefined)
    throw invalidRequest({ field: 'id', message: 'is generated by the server; omit it, or set action' })
  const { name } = requireFields(input, 'name', 'publicReason')
  const { workspaceId } = actor
  assertUnderRuleLimit('template', await listLiveTemplates(tx, workspaceId))
  const now = ports.now()
  const row: TemplateTable = {
    workspace_id: workspaceId,
    id: ports.newId(),
    name,
    name_key: '',
    public_reason: '',
    default_severity: null,
    is_appealable: 1,
    appeal_after_days: 0,
    ladder_id: null,
    ...toColumns(input),
    position: await nextPosition(tx, workspaceId),
    created_at: now,
    updated_at: now,
    archived_at: null,
    version: 1,
  }
  await assertLadder(tx, row, null)
  await uniqueViolationToConflict(tx.run(insertTemplate, row), nameTakenMessage(name))
  await recordRuleChange(tx, ports, actor, 'template', 'create', null, row, presentTemplate)
  return { template: presentTemplate(row) }
}

/** The columns of the fields that a request sets. */
const toColumns = (input: TemplateInput): Partial<TemplateTable> => ({
  ...(input.name !== undefined && { name: input.name, name_key: normalizeName(input.name) }),
  ...(input.publicReason !== undefined && { public_reason: input.publicReason }),
  ...(input.defaultSeverity !== undefined && { default_severity: input.defaultSeverity }),
  ...(input.appealable !== undefined && { is_appealable: Number(input.appealable) }),
  ...(input.appealAfterDays !== undefined && { appeal_after_days: input.appealAfterDays }),
  ...(input.ladderId !== undefined && { ladder_id: input.ladderId }),
})

/** @throws AppError `invalid_request` if the ladder does not exist, or a template that is used next has an archived one */
async function assertLadder(
  tx: Transaction,
  after: TemplateTable,
  before: TemplateTable | null,
): Promise<void> {
  if (after.ladder_id === null) return
  if (after.ladder_id === before?.ladder_id && before.archived_at === null) return
  const ladder = await findLadder(tx, after.workspace_id, after.ladder_id)
  if (!ladder) throw invalidRequest({ field: 'ladderId', message: 'is not a ladder of this workspace' })
  if (ladder.archived_at !== null)
    throw new AppError('conflict', {
      message: `The ladder ${ladder.name} is archived. Restore it, or choose another one.`,
    })
}

const listLiveTemplates = (tx: Queries, workspaceId: string): Promise<TemplateTable[]> =>
  tx.all(templatesByPosition({ archived: false }), { workspaceId, limit: MAX_LIMIT, position: 0, id: '' })

/** The position after every other template. */
const nextPosition = async (tx: Transaction, workspaceId: string): Promise<number> =>
  ((await tx.first(highestPosition, { workspaceId }))?.position ?? 0) + 1

/** Reorders the templates. This does not change their versions. */
async function orderTemplates(tx: Transaction, ports: Ports, actor: Actor, ids: readonly string[]) {
  const { workspaceId } = actor
  const before = await listLiveTemplates(tx, workspaceId)
  if (before.length !== ids.length || before.some(({ id }) => !ids.includes(id)))
    throw new AppError('conflict', {
      message: 'The order must list every template once; the templates have changed, so reload them.',
    })
  const toResponse = async (rows: readonly TemplateTable[]) => ({
    ...(await withLadders(tx, workspaceId, rows.map(presentTemplate))),
    nextCursor: null,
  })
  if (before.every(({ id }, index) => id === ids[index])) return toResponse(before)
  for (const [index, id] of ids.entries())
    await tx.run(updatePosition, { workspaceId, id, position: index + 1 })
  const after = await listLiveTemplates(tx, workspaceId)
  const toNames = (rows: readonly TemplateTable[]) => ({
    templates: rows.map(({ id, name }) => ({ id, name })),
  })
  await appendAuditEntry(tx, ports, actor, {
    action: 'templates.order',
    target: { kind: 'workspace', id: workspaceId },
    before: toNames(before),
    after: toNames(after),
  })
  tx.announce({ kind: 'template', workspaceId, id: workspaceId })
  return toResponse(after)
}

const nameTakenMessage = (name: string): string => `A template named ${name} already exists.`
