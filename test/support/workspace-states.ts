import { statement } from '@reeve/db'
import { idLiteral } from './engine.ts'
import type { Instance } from './instance.ts'

const updateArchivedAt = statement<{ id: string; at: number | null }>()((sql, p) =>
  sql.updateTable('workspace').set({ archived_at: p.at }).where('id', '=', p.id),
)
const updateQuota = statement<{ id: string; quota: number | null }>()((sql, p) =>
  sql.updateTable('workspace').set({ monthly_quota: p.quota }).where('id', '=', p.id),
)
const insertControl = statement<{
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
const deleteControls = statement<{ workspaceId: string }>()((sql, p) =>
  sql.deleteFrom('endpoint_control').where('workspace_id', '=', p.workspaceId),
)

const addToAuditSequence = statement<{ workspaceId: string; count: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({ audit_sequence: eb('audit_sequence', '+', p.count) }))
    .where('workspace_id', '=', p.workspaceId),
)

/** The message of an endpoint that a test has switched off. */
export const SWITCHED_OFF_MESSAGE = 'Closed for the night.'

/** Archives or restores a workspace without the other effects of archiving. */
export const setArchived = (instance: Instance, workspaceId: string, isArchived: boolean): Promise<void> =>
  instance.db.write(async (tx) => {
    await tx.run(updateArchivedAt, { id: workspaceId, at: isArchived ? instance.ports.now() : null })
    tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  })

/** Sets the monthly quota of a workspace; null removes it. */
export const quota = (instance: Instance, workspaceId: string, monthlyQuota: number | null): Promise<void> =>
  instance.db.write(async (tx) => {
    await tx.run(updateQuota, { id: workspaceId, quota: monthlyQuota })
    tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  })

/** Skips sequence numbers, as if the audit log had that many more entries. */
export const advanceAuditSequence = (instance: Instance, workspaceId: string, count: number): Promise<void> =>
  instance.db.write(async (tx) => {
    await tx.run(addToAuditSequence, { workspaceId, count })
  })

/** Switches one endpoint of a workspace off and all others on; null switches all on. */
export const setEndpointControl = (
  instance: Instance,
  workspaceId: string,
  endpoint: string,
  mode: 'off' | 'read_only' | null,
): Promise<void> =>
  instance.db.write(async (tx) => {
    await tx.run(deleteControls, { workspaceId })
    if (mode !== null)
      await tx.run(insertControl, { workspaceId, endpoint, mode, message: SWITCHED_OFF_MESSAGE })
    tx.announce({ kind: 'endpoint_control', workspaceId, id: endpoint })
  })

/** Sets the counter of a workspace's records, as if it had stored so much. */
export const setRecordBytes = (
  { storage }: Instance,
  workspaceId: string,
  bytes: number,
): Promise<unknown[]> =>
  storage.query(
    `update workspace_head set record_bytes = ${bytes} where workspace_id = ${idLiteral(workspaceId)}`,
  )
