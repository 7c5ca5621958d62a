import { type Queries, statement } from '@reeve/db'
import type { Row } from './content-statements.ts'

const appealsById = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('appeal')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)

/** Which of these appeals a workspace has. */
export async function findExistingAppeals(
  db: Queries,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlySet<unknown>> {
  const found = ids.length === 0 ? [] : await db.all(appealsById, { workspaceId, ids })
  return new Set(found.map(({ id }) => id))
}

/** The archived messages whose appeal a workspace has: an appeal that was left out takes its messages with it. */
export async function selectWithAppeal(
  db: Queries,
  workspaceId: string,
  messages: readonly Row[],
): Promise<readonly Row[]> {
  const ids = [...new Set(messages.map((row) => String(row.appeal_id)))]
  const existing = await findExistingAppeals(db, workspaceId, ids)
  return messages.filter((row) => existing.has(row.appeal_id))
}
