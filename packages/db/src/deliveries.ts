import type { Transaction } from './database.ts'
import { statement } from './statement.ts'

/** Finished deliveries lose their content; one that is still to be sent gets its body anew. */
const clearContent = statement<{ workspaceId: string; recordId: string }>()((sql, p) =>
  sql
    .updateTable('delivery')
    .set({ payload: null, response: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('resource_id', '=', p.recordId),
)

/** Removes the texts of a redacted record from what was sent to webhooks or will be. */
export const redactDeliveries = (tx: Transaction, workspaceId: string, recordId: string): Promise<number> =>
  tx.run(clearContent, { workspaceId, recordId })
