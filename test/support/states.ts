import { statement } from '@reeve/db'
import type { Instance } from './instance.ts'

const alterArchived = statement<{ id: string; at: number | null }>()((sql, p) =>
  sql.updateTable('workspace').set({ archived_at: p.at }).where('id', '=', p.id),
)
const alterQuota = statement<{ id: string; quota: number | null }>()((sql, p) =>
  sql.updateTable('workspace').set({ monthly_quota: p.quota }).where('id', '=', p.id),
)
const setControl = statement<{
  workspaceId: string
  endpoint: string
  mode: 'off' | 'read_only'
  message: string
}>()((sql, p) =>
  sql.insertInto('endpoint_control').values({
    workspace_id: p.workspaceId,
    endpoint: p.endpoint,
    mode: p.mode,
    message: p.message,
    updated_at: 0,
    updated_by: 'test',
  }),
)
const dropControls = statement<{ workspaceId: string }>()((sql, p) =>
  sql.deleteFrom('endpoint_control').where('workspace_id', '=', p.workspaceId),
)

const pushAudit = statement<{ workspaceId: string; by: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({ audit_sequence: eb('audit_sequence', '+', p.by) }))
    .where('workspace_id', '=', p.workspaceId),
)

/** What an endpoint that a test has switched off says. */
export const CLOSED = 'Closed for the night.'

/** Puts a workspace into the archived state, or takes it back, with nothing else that archiving does. */
export const archived = (instance: Instance, workspaceId: string, is: boolean): Promise<void> =>
  instance.db.write(async (tx) => {
    await tx.run(alterArchived, { id: workspaceId, at: is ? instance.ports.now() : null })
    tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  })

/** Gives a workspace a monthly quota; null takes it away. */
export const quota = (instance: Instance, workspaceId: string, calls: number | null): Promise<void> =>
  instance.db.write(async (tx) => {
    await tx.run(alterQuota, { id: workspaceId, quota: calls })
    tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  })

/** Leaves a gap as wide as a log of so many changes between what a workspace's log holds and what will be added. */
export const pushedOn = (instance: Instance, workspaceId: string, by: number): Promise<void> =>
  instance.db.write(async (tx) => {
    await tx.run(pushAudit, { workspaceId, by })
  })

/** Switches one endpoint of a workspace, and every other one on; null switches all on. */
export const controlled = (
  instance: Instance,
  workspaceId: string,
  endpoint: string,
  mode: 'off' | 'read_only' | null,
): Promise<void> =>
  instance.db.write(async (tx) => {
    await tx.run(dropControls, { workspaceId })
    if (mode !== null) await tx.run(setControl, { workspaceId, endpoint, mode, message: CLOSED })
    tx.announce({ kind: 'endpoint_control', workspaceId, id: endpoint })
  })
