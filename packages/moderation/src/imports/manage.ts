import { type Actor, AppError, type Ports, paginate, parsePage, requireFields } from '@reeve/core'
import {
  type ImportOutcome,
  type Queries,
  type Sql,
  statement,
  statementFamily,
  type Transaction,
} from '@reeve/db'
import { endImport } from './end.ts'
import {
  type ImportIdInput,
  type ImportIssuesQueryInput,
  type ImportsQueryInput,
  presentImport,
} from './model.ts'
import { requireImport } from './store.ts'

const newestFirst = statementFamily<
  { workspaceId: string; before: string; limit: number },
  { isFirstPage: boolean }
>()((sql, p, { isFirstPage }) => {
  const imports = sql.selectFrom('import').selectAll().where('workspace_id', '=', p.workspaceId)
  return (isFirstPage ? imports : imports.where('id', '<', p.before)).orderBy('id', 'desc').limit(p.limit)
})
interface IssuePage {
  readonly workspaceId: string
  readonly id: string
  readonly after: number
  readonly limit: number
}

const selectIssues = (sql: Sql, p: IssuePage) =>
  sql
    .selectFrom('import_issue')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('import_id', '=', p.id)
    .where('number', '>', p.after)
    .orderBy('number')
    .limit(p.limit)

const issuesAfter = statement<IssuePage>()((sql, p) => selectIssues(sql, p))
const issuesOfOutcomeAfter = statement<IssuePage & { outcome: ImportOutcome }>()((sql, p) =>
  selectIssues(sql, p).where('outcome', '=', p.outcome),
)

/** A page of the imports of a workspace, newest first. */
export async function listImports(
  db: Queries,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  input: ImportsQueryInput,
) {
  const page = parsePage('imports', input, ['string'])
  const [before] = page.after ?? []
  const results = await db.all(newestFirst({ isFirstPage: before === undefined }), {
    workspaceId,
    before: String(before ?? ''),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  return { imports: rows.map(presentImport), nextCursor }
}

/** @throws AppError `not_found` */
export async function getImport(
  db: Queries,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  input: ImportIdInput,
) {
  const { id } = requireFields(input, 'id')
  return { import: presentImport(await requireImport(db, workspaceId, id)) }
}

/** A page of the listed entries of an import, in the order of the file. @throws AppError `not_found` */
export async function listImportIssues(
  db: Queries,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  input: ImportIssuesQueryInput,
) {
  const { id } = requireFields(input, 'id')
  await requireImport(db, workspaceId, id)
  const page = parsePage('import-issues', input, ['number'])
  const [after] = page.after ?? []
  const { outcome } = input
  const place = { workspaceId, id, after: Number(after ?? 0), limit: page.limit + 1 }
  const results = await (outcome === undefined
    ? db.all(issuesAfter, place)
    : db.all(issuesOfOutcomeAfter, { ...place, outcome }))
  const { rows, nextCursor } = paginate(results, page, (row) => [row.number])
  return {
    issues: rows.map(({ line, outcome, message }) => ({ line: String(line), outcome, message })),
    nextCursor,
  }
}

/**
 * Cancels an import. It stops before its next transaction; the records that it has created stay.
 * @throws AppError `not_found`, `conflict` if it has ended
 */
export async function cancelImport(tx: Transaction, ports: Ports, actor: Actor, input: ImportIdInput) {
  const { id } = requireFields(input, 'id')
  const row = await requireImport(tx, actor.workspaceId, id)
  if (row.finished_at !== null) throw new AppError('conflict', { message: 'The import has already ended.' })
  return { import: presentImport(await endImport(tx, ports, row, 'cancelled', null, actor)) }
}
