import { sql } from 'kysely'
import type { Transaction } from './database.ts'
import { statement } from './statement.ts'

/** The conditions are those of the index `idempotency_by_record`: the text of a response that contains a record, and the ID in it. */
export const updateStoredResponses = statement<{ workspaceId: string; recordId: string; answer: string }>()(
  (db, p) =>
    db
      .updateTable('idempotency')
      .set({ answer: p.answer })
      .where('workspace_id', '=', p.workspaceId)
      .where(sql<boolean>`answer like '{"record":{"id":"%'`)
      .where(sql<string>`substr(answer, 18, 36)`, '=', p.recordId),
)

/**
 * Replaces the responses stored for idempotency keys that contain a record, because a repeated request must not return its redacted
 * texts. A repeated request still has no second effect.
 * @param response what they contain from now on
 * @returns how many were replaced
 */
export const replaceRecordResponses = (
  tx: Transaction,
  workspaceId: string,
  response: { readonly record: { readonly id: string } },
): Promise<number> =>
  tx.run(updateStoredResponses, {
    workspaceId,
    recordId: response.record.id,
    answer: JSON.stringify(response),
  })
