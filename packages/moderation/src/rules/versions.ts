import { type Actor, AppError, MAX_LIMIT, type Ports, paginate, parsePage, wire } from '@reeve/core'
import {
  insertAll,
  type LadderTable,
  type Queries,
  type RuleVersionTable,
  statement,
  type TemplateTable,
  type Transaction,
} from '@reeve/db'

/** Earlier versions of templates and ladders, which records refer to. */

interface VersionKey {
  readonly workspaceId: string
  readonly ruleId: string
}

const versionByNumber = statement<VersionKey & { version: number }>()((sql, p) =>
  sql
    .selectFrom('rule_version')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('rule_id', '=', p.ruleId)
    .where('version', '=', p.version),
)
const versionsAfter = statement<VersionKey & { after: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('rule_version')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('rule_id', '=', p.ruleId)
    .where('version', '>', p.after)
    .orderBy('version')
    .limit(p.limit),
)
const insertVersion = statement<RuleVersionTable>()((sql, p) => insertAll(sql, 'rule_version', p))

/** How many versions a template or ladder can have: a roll-back replaces all of them in one transaction. */
const MAX_VERSIONS = 500

/**
 * Stores the version of a template or ladder that a change replaces.
 * @throws AppError `conflict` if it has too many
 */
export async function storeRuleVersion(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: TemplateTable | LadderTable,
  action: string,
): Promise<void> {
  if (action === 'update' && before.version >= MAX_VERSIONS)
    throw new AppError('conflict', {
      message: `${before.name} was changed ${MAX_VERSIONS} times. Archive it, and create another one.`,
    })
  await tx.run(insertVersion, {
    workspace_id: before.workspace_id,
    rule_id: before.id,
    version: before.version,
    snapshot: JSON.stringify(before),
    replaced_at: ports.now(),
    replaced_by: actor.id,
  })
}

const VERSIONS = 'rule-versions'

/** A page of the earlier versions of a template or ladder, oldest first. */
export async function listRuleVersions<Row extends TemplateTable | LadderTable, Item>(
  db: Queries,
  current: Row,
  input: { readonly id?: string; readonly limit?: number; readonly cursor?: string },
  present: (row: Row) => Item,
) {
  const page = parsePage(VERSIONS, { limit: MAX_LIMIT, ...input }, ['number'])
  const rows = await db.all(versionsAfter, {
    workspaceId: current.workspace_id,
    ruleId: current.id,
    after: Number(page.after?.[0] ?? 0),
    limit: page.limit + 1,
  })
  const { rows: versions, nextCursor } = paginate(
    rows,
    page,
    (row) => [row.version],
    (row) => ({
      ...present(JSON.parse(row.snapshot) as Row),
      replacedAt: wire.time.write(row.replaced_at),
      replacedBy: row.replaced_by,
    }),
  )
  return { versions, nextCursor }
}

/** One version of a template or ladder, which may be the current one; undefined if there is none. */
export async function findRuleVersion<Row extends TemplateTable | LadderTable>(
  db: Queries,
  current: Row,
  version: number,
): Promise<Row | undefined> {
  if (current.version === version) return current
  const row = await db.first(versionByNumber, {
    workspaceId: current.workspace_id,
    ruleId: current.id,
    version,
  })
  return row && (JSON.parse(row.snapshot) as Row)
}
