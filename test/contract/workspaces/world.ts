import { expect } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { type Permission, permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import { dataUrl, imageBytes } from '../../support/images.ts'
import { type CallOptions, type Instance, PUBLIC_URL } from '../../support/instance.ts'

export type Workspace = Awaited<ReturnType<Instance['workspace']>>

const HOUR = 3_600_000

/** Calls of a workspace's key and of its owner, which must be answered with 200. */
export function callsIn(instance: Instance, { id, key, ownerSession }: Workspace) {
  const done = async (method: string, path: string, as: CallOptions, body: Record<string, unknown>) => {
    const answer = await instance.call(method, path, { ...as, body: { workspaceId: id, ...body } })
    if (answer.status !== 200) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.text}`)
    return answer.body
  }
  const byKey = { key }
  const byOwner = { session: ownerSession }
  return {
    moderate: async (body: Record<string, unknown>) =>
      (await done('POST', '/api/moderation', byKey, body)).record as { id: string },
    department: async (body: Record<string, unknown>, method = 'POST') =>
      (await done(method, '/api/departments', byKey, body)).department as { id: string },
    event: async (body: Record<string, unknown>, method = 'POST') =>
      (await done(method, '/api/events', byKey, body)).event as { id: string },
    staff: (departmentId: string, accountIds: readonly string[], leadId: string | null = null) =>
      done('POST', '/portal/api/departments/members', byOwner, {
        id: departmentId,
        accountIds: accountIds.join(),
        leadId,
      }),
    order: (ids: readonly string[]) =>
      done('POST', '/portal/api/departments/order', byOwner, { ids: ids.join() }),
    dropEvent: (eventId: string) =>
      instance.call('DELETE', `/api/events?workspaceId=${id}&id=${eventId}`, byKey),
    grant: (roleId: string, set: readonly Permission[]) =>
      done('POST', '/api/_workspace-permissions', byKey, { roleId, permissions: set.join() }),
    role: async (body: Record<string, unknown>) =>
      (await done('POST', '/portal/api/roles', byOwner, body)).role as { id: string },
    assign: (accountId: string, roleIds: readonly string[]) =>
      done('PATCH', '/portal/api/members', byOwner, { accountId, roleIds: roleIds.join() }),
    dismiss: (accountId: string) =>
      instance.call('DELETE', `/portal/api/members?workspaceId=${id}&accountId=${accountId}`, byOwner),
    control: (endpoint: string, mode: string, message: string | null = null) =>
      done('POST', '/portal/api/endpoint-controls', byOwner, { endpoint, mode, message }),
    workspaces: (body: Record<string, unknown>, as: CallOptions = byKey) =>
      instance.call('POST', '/api/workspaces', { ...as, body }),
  }
}

/** Puts something of every kind into a workspace, in every state it can be in. */
async function fill(instance: Instance, workspace: Workspace): Promise<void> {
  const calls = callsIn(instance, workspace)
  const { moderate, department, event, grant, role, assign, control } = calls
  const { clock } = instance

  await moderate({ action: 'note', userId: '1', reason: 'Seen\nbefore 🌙', userUsername: 'Ünï' })
  const warned = await moderate({ action: 'warn', userId: '1', reason: 'Spam', evidence: 'one\ntwo' })
  await moderate({ action: 'acknowledge', id: warned.id })
  const kicked = await moderate({ action: 'kick', userId: '2', reason: 'Away', severity: 'critical' })
  await moderate({ action: 'revoke', id: kicked.id, reason: 'Mistaken' })
  await moderate({ action: 'mute', userId: '2', reason: 'Loud', durationSeconds: '60' })
  await moderate({ action: 'mute', userId: '3', reason: 'Loud', durationSeconds: '86400' })
  const banned = await moderate({ action: 'ban', userId: '3', reason: 'First', durationSeconds: '86400' })
  await moderate({ action: 'edit', id: banned.id, reason: 'Better said', severity: 'low' })
  await moderate({ action: 'extend', id: banned.id, value: '-3600' })
  await moderate({ action: 'comment', id: banned.id, value: 'Asked twice' })
  await moderate({ action: 'evidence', id: banned.id, value: 'https://example.com/clip' })
  clock.advance(61_000)
  await moderate({
    action: 'ban',
    userId: '3',
    reason: 'Supersedes',
    actorUsername: 'game',
    actorPlatformUserId: '9',
  })
  await moderate({ action: 'ban', userId: '4', reason: 'Lifted' })
  await moderate({ action: 'unban', userId: '4', reason: 'Appealed' })
  const redacted = await moderate({
    action: 'ban',
    userId: '5',
    reason: 'Private words',
    evidence: 'private',
  })
  await moderate({ action: 'comment', id: redacted.id, value: 'private' })
  await moderate({ action: 'redact', id: redacted.id, reason: 'Asked for' })
  await moderate({ action: 'ban', userId: '6', reason: 'Permanent' })

  const first = await department({
    name: 'Public relations',
    color: '#abc',
    description: 'Answers.\nAlways.',
  })
  await department({ id: first.id, name: 'PR' }, 'PATCH')
  const gone = await department({ name: 'Gone' })
  await department({ id: gone.id, action: 'delete' })
  const again = await department({ name: 'gone' })

  const soon = new Date(clock.now() + HOUR).toISOString()
  await event({ title: 'Draft', scheduledFor: soon })
  await event({
    title: 'Pictured',
    scheduledFor: soon,
    published: true,
    imageDataUrl: dataUrl(imageBytes('png')),
  })
  await event({ title: 'Pictured too', scheduledFor: soon, imageDataUrl: dataUrl(imageBytes('gif')) })
  await event({ title: 'Linked', scheduledFor: soon, imageUrl: 'https://example.com/a.png' })
  await event({
    title: 'Training',
    scheduledFor: soon,
    eventType: 'training',
    trainingHost: 'Robin',
    experienceId: '5',
    experienceName: 'Harbour',
    published: true,
  })

  const trainer = await role({ name: 'Trainer', color: '#102030', rank: '7', permissions: 'events.manage' })
  const { accountId } = await instance.member(workspace.id, ['moderation.view'], 5)
  const { accountId: second, roleId } = await instance.member(workspace.id, permissions, 20)
  await assign(accountId, [trainer.id])
  await assign(second, [trainer.id, roleId])
  await grant(roleId, ['moderation.ban', 'moderation.view'])
  await calls.staff(first.id, [accountId, second, workspace.ownerId], second)
  await calls.staff(again.id, [accountId])
  await calls.order([again.id, first.id])
  await control('departments', 'on', 'Once closed')
  await control('events', 'read_only', 'Calendar is frozen')
}

/** A new workspace with something of every kind in it. */
export async function filled(instance: Instance): Promise<Workspace> {
  const workspace = await instance.workspace('Harbour staff')
  await fill(instance, workspace)
  return workspace
}

/** Archives a workspace. @returns the archive that was sealed of it */
export async function sealed(instance: Instance, workspace: Workspace) {
  const { body, status, text } = await callsIn(instance, workspace).workspaces({
    id: workspace.id,
    archive: true,
  })
  expect(status, text).toBe(200)
  return body.archive as { id: string; counts: Record<string, string> }
}

/** The ids of the API keys of a workspace. */
export const keysOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('api_key').select('id').where('workspace_id', '=', p.workspaceId),
)

/** The chain of every workspace is whole. */
export async function expectWholeAudit(instance: Instance) {
  expect((await verifyAudit(instance.db.read)).faults).toEqual([])
}

type Pages = Record<string, unknown>

/**
 * What every read answers about a workspace: each list by all of its pages and filters, and each thing by its id, as its
 * owner sees it. The workspace's own id is left out, so that two of the same content are equal.
 */
export async function everyAnswer(
  instance: Instance,
  id: string,
  { ownerSession: session }: Workspace,
): Promise<Pages> {
  const seen: Pages = {}
  const read = async (path: string, query: Record<string, string> = {}) => {
    const search = new URLSearchParams({ workspaceId: id, ...query })
    const { status, body, text } = await instance.call('GET', `${path}?${search}`, { session })
    seen[`${path} ${new URLSearchParams(query)}`] = JSON.parse(text.replaceAll(id, 'here'))
    if (status !== 200) throw new Error(`${path}: ${text}`)
    return body
  }
  const pages = async (path: string, list: string, query: Record<string, string> = {}) => {
    const rows: { id: string; accountId?: string; imageUrl?: string | null }[] = []
    let cursor: string | null = null
    do {
      const page = await read(path, { ...query, limit: '3', ...(cursor && { cursor }) })
      rows.push(...page[list])
      cursor = page.nextCursor
    } while (cursor)
    return rows
  }

  const records = await pages('/api/moderation', 'records')
  for (const record of records) await pages('/api/moderation', 'versions', { id: record.id })
  await pages('/api/moderation', 'bans', { banList: 'true' })
  await read('/api/moderation', { banList: 'true', userId: '1,2,3,4,5,6,7' })
  await pages('/api/moderation', 'history', { banHistory: 'true' })
  for (const status of ['active', 'expired', 'revoked', 'superseded']) {
    await pages('/api/moderation', 'records', { status })
  }
  for (const deleted of ['false', 'true']) {
    for (const { id: one } of await pages('/api/departments', 'departments', { deleted })) {
      await read('/api/departments', { id: one, deleted })
    }
  }
  await read('/portal/api/departments')
  for (const q of ['1', '3', 'ü']) await pages('/portal/api/players', 'players', { q })
  await read('/portal/api/reasons')
  for (const event of await pages('/api/events', 'events')) {
    await read('/api/events', { id: event.id })
    if (!event.imageUrl?.includes('/media/')) continue
    const media = await instance.call('GET', event.imageUrl.replace(PUBLIC_URL, ''))
    if (media.status !== 200) throw new Error(`${event.imageUrl}: ${media.text}`)
    seen[event.imageUrl] = [media.headers.get('content-type'), media.text]
  }
  await pages('/api/events', 'events', { published: 'false' })
  await read('/api/_workspace-permissions')
  await read('/portal/api/roles')
  for (const member of await pages('/portal/api/members', 'members')) {
    await read('/portal/api/members', { accountId: member.accountId ?? '' })
  }
  const { body } = await instance.call('GET', '/api/endpoint-controls', { session })
  seen.controls = body.controls
    .filter((one: { workspaceId: string }) => one.workspaceId === id)
    .map((one: object) => ({ ...one, workspaceId: 'here' }))
  return seen
}
