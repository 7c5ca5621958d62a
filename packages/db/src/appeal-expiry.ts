import { statement } from './statement.ts'

/** Moves the end of an open appeal to that of its ban. */
export const updateAppealExpiry = statement<{ workspaceId: string; id: string; expiresAt: number | null }>()(
  (sql, p) =>
    sql
      .updateTable('appeal')
      .set({ ban_expires_at: p.expiresAt })
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '=', p.id),
)
