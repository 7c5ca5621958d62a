import { exampleIds, examplePlayers } from '@reeve/api/openapi/examples'
import type { Instance } from './instance.ts'

/** Ids in the examples of the OpenAPI document, with the ids that replace them. */
export type ExampleIds = Readonly<Record<keyof typeof exampleIds, string>>

/**
 * Creates one of each resource that the examples of the OpenAPI document name.
 * @returns the workspace, and a function that replaces the example ids
 */
export async function createExampleData(instance: Instance) {
  const workspace = await instance.workspace()
  const requestOk = async (credentials: { key?: string; session?: string }, path: string, body: object) => {
    const response = await instance.request('POST', `/api/${path}`, { ...credentials, body })
    if (response.status !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${response.text}`)
    return response.body
  }
  const createInWorkspace = (path: string, body: object) =>
    requestOk({ key: workspace.key }, path, { workspaceId: workspace.id, ...body })
  const department = await createInWorkspace('departments', { name: 'Builders' })
  const deletedDepartment = await createInWorkspace('departments', { name: 'Former' })
  await createInWorkspace('departments', { action: 'delete', id: deletedDepartment.department.id })
  const event = await createInWorkspace('events', { title: 'Opening', scheduledFor: '2026-03-01T18:00:00Z' })
  const { banned, muted } = examplePlayers
  const ban = await createInWorkspace('moderation', {
    action: 'ban',
    userId: banned,
    reason: 'Exploiting',
    durationSeconds: '86400',
  })
  await createInWorkspace('moderation', { action: 'mute', userId: muted, reason: 'Shouting' })
  const session = { session: workspace.ownerSession }
  const otherWorkspace = await requestOk(session, 'workspaces', { groupName: 'Archived' })
  const archivedOther = await requestOk(session, 'workspaces', {
    id: otherWorkspace.workspace.id,
    action: 'archive',
  })
  const archivedOwn = await requestOk(session, 'workspaces', { id: workspace.id, action: 'archive' })
  await requestOk(session, 'workspaces', { id: workspace.id, action: 'restore' })
  const ids: ExampleIds = {
    workspace: workspace.id,
    archivedWorkspace: archivedOther.workspace.id,
    archive: archivedOwn.archive.id,
    archiveOfArchived: archivedOther.archive.id,
    role: await instance.role(workspace.id, ['moderation.view']),
    department: department.department.id,
    deletedDepartment: deletedDepartment.department.id,
    event: event.event.id,
    ban: ban.record.id,
  }
  /** Replaces the example ids in a text. */
  const withInstanceIds = (text: string): string =>
    Object.entries(exampleIds).reduce(
      (replaced, [name, id]) => replaced.replaceAll(id, ids[name as keyof ExampleIds]),
      text,
    )
  return { workspace, ids, withInstanceIds }
}
