import { exampleIds, examplePlayers } from '@reeve/api/openapi/example-ids'
import { allowAppealFiles } from './appeal-files.ts'
import { requestApproval } from './approvals.ts'
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
  const appealed = await createInWorkspace('moderation', {
    action: 'ban',
    userId: '98',
    reason: 'Exploiting',
  })
  await allowAppealFiles(instance, workspace)
  await createInWorkspace('appeals', { code: appealed.record.appealCode, message: 'It was my brother.' })
  await createInWorkspace('moderation', { action: 'mute', userId: muted, reason: 'Shouting' })
  const { ladder } = await createInWorkspace('moderation/ladders', {
    name: 'Exploits',
    steps: '[{"count":"1","action":"warn"}]',
  })
  const { template } = await createInWorkspace('moderation/templates', {
    name: 'Exploiting',
    publicReason: 'You used an exploit.',
    ladderId: ladder.id,
  })
  const link = await createInWorkspace('moderation/links', {
    userId: banned,
    linkedUserId: muted,
    confidence: 'medium',
    reason: 'Same clan tag',
  })
  const webhook = await createInWorkspace('webhooks', {
    name: 'Bot',
    url: 'https://example.com/hooks/bot',
    events: 'ban.created',
  })
  const delivery = await createInWorkspace('webhooks/test', { id: webhook.webhook.id })
  const session = { session: workspace.ownerSession }
  const otherWorkspace = await requestOk(session, 'workspaces', { groupName: 'Archived' })
  const archivedOther = await requestOk(session, 'workspaces', {
    id: otherWorkspace.workspace.id,
    action: 'archive',
  })
  const archivedOwn = await requestOk(session, 'workspaces', { id: workspace.id, action: 'archive' })
  await requestOk(session, 'workspaces', { id: workspace.id, action: 'restore' })
  const snapshot = await instance.request('GET', `/api/changes/snapshot?workspaceId=${workspace.id}`, {
    key: workspace.key,
  })
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
    epoch: snapshot.body.epoch,
    link: link.link.id,
    webhook: webhook.webhook.id,
    delivery: delivery.delivery.id,
    appealCode: ban.record.appealCode,
    openAppealCode: appealed.record.appealCode,
    approval: (await requestApproval(instance, workspace.id, '99')).approval.id,
    template: template.id,
    ladder: ladder.id,
  }
  /** Replaces the example ids in a text. */
  const withInstanceIds = (text: string): string =>
    Object.entries(exampleIds).reduce(
      (replaced, [name, id]) => replaced.replaceAll(id, ids[name as keyof ExampleIds]),
      text,
    )
  return { workspace, ids, withInstanceIds }
}
