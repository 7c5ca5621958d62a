import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { checkWebhooks } from '../../../apps/api/src/doctor/webhooks.ts'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
// Doctor names the webhooks of all workspaces.
beforeEach(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterEach(() => instance.close())

const asOwner = async (method: string, path: string, fields: Record<string, string>) => {
  const isRead = method === 'GET' || method === 'DELETE'
  const input = { workspaceId: workspace.id, ...fields }
  const url = isRead ? `${path}?${new URLSearchParams(input)}` : path
  const session = workspace.ownerSession
  return (await instance.request(method, url, { session, ...(!isRead && { body: input }) })).body
}
const change = (id: string, action: string) => asOwner('POST', '/api/webhooks', { id, action })
const findStatus = async (id: string): Promise<string> =>
  (await asOwner('GET', '/api/webhooks', { id })).webhook.creatorStatus
const listStatuses = async (): Promise<string[]> =>
  (await asOwner('GET', '/api/webhooks', {})).webhooks.map(
    ({ creatorStatus }: { creatorStatus: string }) => creatorStatus,
  )
const listOnHome = async () =>
  (await asOwner('GET', '/portal/api/overview', {})).webhooks.map(
    ({ id, creatorStatus }: { id: string; creatorStatus: string }) => [id, creatorStatus],
  )
const findOrphaned = async (): Promise<string> =>
  (await checkWebhooks(instance.db.read, instance.ports.now()))
    .filter(({ found }) => found.includes('although their creator'))
    .map(({ found }) => found)
    .join()

const permissions: Permission[] = ['webhooks.manage', 'moderation.view', 'api_keys.manage']

/** A member with a webhook of their own, and one that an API key of theirs created. */
async function createWebhooks() {
  const member = await instance.member(workspace.id, permissions)
  const { session } = member
  const create = async (name: string, credentials: { session?: string; key?: string }) => {
    const body = { workspaceId: workspace.id, name, url: 'https://example.com/', events: 'ban.created' }
    return String((await instance.request('POST', '/api/webhooks', { ...credentials, body })).body.webhook.id)
  }
  const key = { workspaceId: workspace.id, name: 'Setup', permissions: 'webhooks.manage,moderation.view' }
  const { secret } = (await instance.request('POST', '/portal/api/api-keys', { session, body: key })).body
  return { ...member, own: await create('Own', { session }), byKey: await create('By key', { key: secret }) }
}

test('webhooks of a member who was removed are marked, on Home too, and named by doctor, until somebody takes them over', async () => {
  const { accountId, own, byKey } = await createWebhooks()
  expect([await listStatuses(), await findOrphaned()]).toEqual([['member', 'member'], ''])
  await asOwner('DELETE', '/portal/api/members', { accountId })
  expect([await listStatuses(), await findStatus(own)]).toEqual([['left', 'left'], 'left'])
  const found = await findOrphaned()
  for (const id of [own, byKey]) expect(found).toContain(id)
  expect(await listOnHome()).toEqual([
    [byKey, 'left'],
    [own, 'left'],
  ])

  // Paused, it receives nothing.
  await change(own, 'pause')
  expect(await findOrphaned()).not.toContain(own)
  expect(await listOnHome()).toEqual([[byKey, 'left']])
  expect(await findStatus(own)).toBe('left')
  await change(own, 'resume')
  await change(byKey, 'rotate')
  expect([await listStatuses(), await findOrphaned(), await listOnHome()]).toEqual([
    ['member', 'member'],
    '',
    [],
  ])
})

test('a member who changes the URL of such a webhook takes it over, but not one who renames it', async () => {
  const { accountId, own } = await createWebhooks()
  await asOwner('DELETE', '/portal/api/members', { accountId })
  const update = (fields: Record<string, string>) => asOwner('PATCH', '/api/webhooks', { id: own, ...fields })
  await update({ name: 'Renamed' })
  expect(await findStatus(own)).toBe('left')
  await update({ url: 'https://example.org/' })
  expect([await findStatus(own), (await findOrphaned()).includes(own)]).toEqual(['member', false])
})

test('webhooks of a deleted account are marked', async () => {
  const { accountId, own, byKey } = await createWebhooks()
  const operator = await instance.session(await instance.account('operator', true))
  const path = `/admin/api/accounts?${new URLSearchParams({ id: accountId })}`
  expect((await instance.request('DELETE', path, { session: operator })).status).toBe(200)
  expect(await listStatuses()).toEqual(['deleted', 'deleted'])
  const found = await findOrphaned()
  for (const id of [own, byKey]) expect(found).toContain(id)
})

test('webhooks of a disabled account are marked, and no longer once it is enabled', async () => {
  const { accountId, own } = await createWebhooks()
  const operator = await instance.session(await instance.account('operator', true))
  const setDisabled = (disabled: string) =>
    instance.request('PATCH', '/admin/api/accounts', { session: operator, body: { id: accountId, disabled } })
  expect((await setDisabled('true')).status).toBe(200)
  expect([await findStatus(own), await findOrphaned()]).toEqual(['disabled', expect.stringContaining(own)])
  await setDisabled('false')
  expect([await findStatus(own), await findOrphaned()]).toEqual(['member', ''])
})
