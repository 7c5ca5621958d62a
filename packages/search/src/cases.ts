import { isUuid } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'

const caseByNumber = statement<{ workspaceId: string; caseNumber: number }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('record')
    .select(['id', 'case_number', 'action', 'user_id', 'user_username'])
    .where('workspace_id', '=', p.workspaceId)
    .where('case_number', '=', p.caseNumber),
)
const caseById = statement<{ workspaceId: string; id: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('record')
    .select(['id', 'case_number', 'action', 'user_id', 'user_username'])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** A case number as people write it: `288`, `#288`, `case 288`. */
const CASE_NUMBER = /^(?:case\s*)?#?\s*(\d{1,15})$/i

/** The case with a number or an id. */
export async function findCases(db: Queries, workspaceId: string, q: string) {
  const text = q.trim()
  const id = text.toLowerCase()
  const [, caseNumber] = CASE_NUMBER.exec(text) ?? []
  const rows =
    caseNumber !== undefined
      ? await db.all(caseByNumber, { workspaceId, caseNumber: Number(caseNumber) })
      : isUuid(id)
        ? await db.all(caseById, { workspaceId, id })
        : []
  return rows.map((row) => ({
    id: row.id,
    caseNumber: String(row.case_number),
    action: row.action,
    userId: row.user_id,
    userUsername: row.user_username,
  }))
}
