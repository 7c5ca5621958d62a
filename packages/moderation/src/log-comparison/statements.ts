import { statement } from '@reeve/db'

interface Page {
  readonly workspaceId: string
  readonly limit: number
}

// Records and their earlier versions in the order of their changes in a `WorkspaceLog`.

export const recordsBelow = statement<Page & { beforeId: string }>()((sql, p) =>
  sql
    .selectFrom('record')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '<', p.beforeId)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

export const versionsBelow = statement<Page & { beforeId: string; beforeVersion: number }>()((sql, p) =>
  sql
    .selectFrom('record_version')
    .select(['record_id', 'version', 'snapshot'])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb(eb.refTuple('record_id', 'version'), '<', eb.tuple(p.beforeId, p.beforeVersion)))
    .orderBy('record_id', 'desc')
    .orderBy('version', 'desc')
    .limit(p.limit),
)

export const redactionsByRecord = statement<{ workspaceId: string; ids: readonly string[] }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('redaction')
      .select(['record_id', 'redacted_at'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('record_id', p.ids)),
)
