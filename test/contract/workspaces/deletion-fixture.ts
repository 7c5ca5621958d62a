import { expect } from 'bun:test'
import { createWorkspaceDeletionJob } from '@reeve/api/jobs/workspace-deletion'
import { idLiteral } from '../../support/engine.ts'
import type { Instance } from '../../support/instance.ts'
import {
  archiveWorkspace,
  createFilledWorkspace,
  createWorkspaceRequests,
  type Workspace,
} from './fixture.ts'

export const DAY = 86_400_000
/** How long a deletion can be undone. */
export const UNDO_MS = 30 * DAY

export const requestDeletion = (
  instance: Instance,
  { id, ownerSession }: Workspace,
  groupName: string,
  session = ownerSession,
) =>
  instance.request('POST', '/portal/api/workspace/delete', {
    session,
    body: { workspaceId: id, groupName },
  })

export const undoDeletion = (instance: Instance, { id, ownerSession }: Workspace, session = ownerSession) =>
  instance.request('POST', '/portal/api/workspace/undelete', { session, body: { workspaceId: id } })

/** Runs the job that deletes workspaces. @returns the names of those of which nothing is left */
export async function runDeletionJob(
  instance: Instance,
  signal: AbortSignal = AbortSignal.timeout(60_000),
): Promise<readonly unknown[]> {
  const { db, ports, clock } = instance
  // The job runs once a minute.
  clock.advance(60_000)
  const deleted: unknown[] = []
  const job = createWorkspaceDeletionJob(db, ports, {
    onWorkspaceDeleted: ({ groupName }) => void deleted.push(groupName),
  })
  await job.run(signal)
  return deleted
}

/** A workspace with rows in every table, archived. */
export async function createArchivedWorkspace(instance: Instance): Promise<Workspace> {
  const workspace = await createFilledWorkspace(instance)
  const { id, ownerSession: session, key } = workspace
  const post = async (path: string, body: object, options: object = { session }) => {
    const response = await instance.request('POST', path, { ...options, body: { workspaceId: id, ...body } })
    expect([path, response.status, response.text]).toEqual([path, 200, response.text])
  }
  await post('/portal/api/saved-views', { list: 'bans', name: 'Mine', filters: '{"severity":"high"}' })
  await post('/portal/api/invitations', { note: 'For Quill' })
  const headers = { 'idempotency-key': 'once' }
  await post('/api/moderation', { action: 'note', userId: '1', reason: 'Again' }, { key, headers })
  await archiveWorkspace(instance, workspace)
  await createWorkspaceRequests(instance, workspace).workspaces({ id, archive: false })
  await archiveWorkspace(instance, workspace)
  await instance.flush()
  return workspace
}

/** How many rows each table of workspaces has of a workspace, without those that have none. */
export async function countRows({ storage }: Instance, id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, column } of await storage.listColumns()) {
    if (column !== 'workspace_id' && !(table === 'workspace' && column === 'id')) continue
    const [row] = await storage.query<{ count: number }>(
      `select count(*) as count from "${table}" where "${column}" = ${idLiteral(id)}`,
    )
    if (Number(row?.count) > 0) counts[table] = Number(row?.count)
  }
  return counts
}
