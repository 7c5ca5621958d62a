import { exampleIds, examplePlayers } from '@reeve/api/openapi/examples'
import type { Instance } from './instance.ts'

/** The ids that stand in the examples of the document, each with the one that stands for it in a populated instance. */
export type Ids = Readonly<Record<keyof typeof exampleIds, string>>

/**
 * Fills an instance with one of everything that the examples of the document name.
 * @returns the workspace, and a function that puts its ids in the place of those of the examples
 */
export async function populated(instance: Instance) {
  const workspace = await instance.workspace()
  const asked = async (as: { key?: string; session?: string }, path: string, body: object) => {
    const answer = await instance.call('POST', `/api/${path}`, { ...as, body })
    if (answer.status !== 200) throw new Error(`${path} ${JSON.stringify(body)}: ${answer.text}`)
    return answer.body
  }
  const make = (path: string, body: object) =>
    asked({ key: workspace.key }, path, { workspaceId: workspace.id, ...body })
  const department = await make('departments', { name: 'Builders' })
  const deleted = await make('departments', { name: 'Former' })
  await make('departments', { action: 'delete', id: deleted.department.id })
  const event = await make('events', { title: 'Opening', scheduledFor: '2026-03-01T18:00:00Z' })
  const { banned, muted } = examplePlayers
  const ban = await make('moderation', {
    action: 'ban',
    userId: banned,
    reason: 'Exploiting',
    durationSeconds: '86400',
  })
  await make('moderation', { action: 'mute', userId: muted, reason: 'Shouting' })
  const session = { session: workspace.ownerSession }
  const other = await asked(session, 'workspaces', { groupName: 'Archived' })
  const sealed = await asked(session, 'workspaces', { id: other.workspace.id, action: 'archive' })
  const own = await asked(session, 'workspaces', { id: workspace.id, action: 'archive' })
  await asked(session, 'workspaces', { id: workspace.id, action: 'restore' })
  const ids: Ids = {
    workspace: workspace.id,
    archivedWorkspace: sealed.workspace.id,
    archive: own.archive.id,
    role: await instance.role(workspace.id, ['moderation.view']),
    department: department.department.id,
    deletedDepartment: deleted.department.id,
    event: event.event.id,
    ban: ban.record.id,
  }
  /** A text of the document with the ids of this instance. */
  const here = (text: string): string =>
    Object.entries(exampleIds).reduce((so, [name, id]) => so.replaceAll(id, ids[name as keyof Ids]), text)
  return { workspace, ids, here }
}
