import { forbidden } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'

const workspaceState = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select(['archived_at', 'hidden']).where('id', '=', p.workspaceId),
)
const controlOfModeration = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('endpoint_control')
    .select(['mode', 'message'])
    .where('workspace_id', '=', p.workspaceId)
    .where('endpoint', '=', 'moderation'),
)

/**
 * Checks before each transaction of a job what the gate checks before a request.
 * @throws AppError `forbidden` for a workspace that is archived or being deleted
 */
export async function assertNotArchived(db: Queries, workspaceId: string): Promise<void> {
  const workspace = await db.first(workspaceState, { workspaceId })
  if (!workspace || workspace.archived_at !== null || workspace.hidden !== null)
    throw forbidden('workspace_archived')
}

/**
 * Stops a job once its workspace has switched Moderation off or to read-only.
 * @throws AppError `forbidden` with the message of who switched it
 */
export async function assertModerationOn(db: Queries, workspaceId: string): Promise<void> {
  const control = await db.first(controlOfModeration, { workspaceId })
  if (!control || control.mode === 'on') return
  const isOff = control.mode === 'off'
  const message = control.message === null ? '' : ` “${control.message}”`
  throw forbidden(
    isOff ? 'endpoint_disabled' : 'endpoint_read_only',
    `Moderation was switched ${isOff ? 'off' : 'to read-only'}.${message}`,
  )
}
