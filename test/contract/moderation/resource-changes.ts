import { deleteAccountById } from '../../support/delete-account.ts'
import type { Instance } from '../../support/instance.ts'
import { joinWorkspace } from '../../support/join-workspace.ts'
import type { Workspace } from '../workspaces/fixture.ts'

interface Change {
  readonly action: string
  readonly pick: number
}

/** Sends requests as the owner, or with the key, whose responses name what they created. */
function createSender(instance: Instance, workspace: Workspace, ids: string[]) {
  return async (
    method: string,
    path: string,
    body: Readonly<Record<string, unknown>> = {},
    session = workspace.ownerSession,
  ) => {
    const credentials = path.startsWith('/portal') ? { session } : { key: workspace.key }
    const response = await instance.request(method, path, {
      ...credentials,
      body: { workspaceId: workspace.id, ...body },
    })
    for (const resource of Object.values<{ id?: string } | null>(response.body ?? {})) {
      const id = resource?.id
      if (typeof id === 'string' && !ids.includes(id)) ids.push(id)
    }
    return response
  }
}

const findId = (ids: readonly string[], pick: number): string => ids[pick % Math.max(1, ids.length)] ?? 'none'

/** Changes roles, departments and events. Some requests are rejected by the state, which is intended. */
export async function changeResource(
  instance: Instance,
  workspace: Workspace,
  { action, pick, texts }: Change & { readonly texts: readonly string[] },
  ids: string[],
): Promise<void> {
  const name = `${texts[0]} ${pick}`
  const send = createSender(instance, workspace, ids)
  const id = findId(ids, pick)
  const time = new Date(instance.clock.now() + pick * 3_600_000).toISOString()
  if (action === 'note')
    await send('POST', '/portal/api/roles', {
      name,
      rank: '10',
      permissions: 'moderation.view,moderation.ban,api_keys.manage',
    })
  if (action === 'edit')
    await send('PATCH', '/portal/api/roles', {
      id,
      permissions: 'moderation.view,moderation.ban,moderation.note,api_keys.manage',
      rank: String(pick),
      ...(pick % 3 === 0 ? { longestBanSeconds: String(3600 + pick) } : {}),
    })
  if (action === 'revoke') await send('DELETE', `/portal/api/roles?workspaceId=${workspace.id}&id=${id}`)
  if (action === 'warn') await send('POST', '/api/departments', { name, color: '#abc' })
  if (action === 'comment') await send('PATCH', '/api/departments', { id, name, description: name })
  if (action === 'mute')
    await send('POST', '/api/departments', { id, action: pick % 2 ? 'delete' : 'restore' })
  if (action === 'ban')
    await send('POST', '/api/events', { title: name, scheduledFor: time, trainingHost: name })
  if (action === 'kick')
    await send('PATCH', '/api/events', { id, title: name, scheduledFor: time, published: pick % 2 === 0 })
  if (action === 'unban') await send('DELETE', `/api/events?workspaceId=${workspace.id}&id=${id}`)
}

/** Changes members, API keys, endpoint controls, templates and ladders. Some requests are rejected, which is intended. */
export async function changeAccess(
  instance: Instance,
  workspace: Workspace,
  { action, pick, name }: Change & { readonly name: string },
  ids: string[],
): Promise<void> {
  const send = createSender(instance, workspace, ids)
  const members = `/portal/api/members?workspaceId=${workspace.id}`
  const read = async (path: string) =>
    (await instance.request('GET', path, { session: workspace.ownerSession })).body
  const listMembers = async (): Promise<{ accountId: string; isOwner: string }[]> =>
    ((await read(members)).members ?? []).filter(({ isOwner }: { isOwner: string }) => isOwner === 'false')
  const roleIds: string[] = ((await read(`/portal/api/roles?workspaceId=${workspace.id}`)).roles ?? [])
    .filter(({ isOwner }: { isOwner: string }) => isOwner === 'false')
    .map(({ id }: { id: string }) => id)
  const chosenRoles = roleIds.filter((_, index) => (pick >> (index % 4)) % 2 === 0).join(',')
  const accountId = (await listMembers())[pick % 3]?.accountId ?? 'none'
  if (action === 'join') await join(instance, workspace, chosenRoles)
  if (action === 'set_roles') await send('PATCH', '/portal/api/members', { accountId, roleIds: chosenRoles })
  if (action === 'remove')
    await instance.request('DELETE', `${members}&accountId=${accountId}`, { session: workspace.ownerSession })
  if (action === 'delete_account' && accountId !== 'none') await deleteAccountById(instance, accountId)
  if (action === 'transfer' && accountId !== 'none') {
    // The member gives the workspace back, and gets other roles for it.
    await send('POST', '/portal/api/ownership', { accountId, roleIds: chosenRoles })
    const session = await instance.session(accountId)
    const back = { accountId: workspace.ownerId, roleIds: chosenRoles }
    await send('POST', '/portal/api/ownership', back, session)
  }
  const id = findId(ids, pick)
  const expiresAt = [null, new Date(instance.clock.now() + (pick + 1) * 1_000_000).toISOString()][pick % 3]
  const keyChanges = {
    rotate_key: { graceSeconds: String(pick * 100), ...(expiresAt !== undefined && { expiresAt }) },
    revoke_key: {},
  }
  if (action === 'create_key') await createKey(instance, send, accountId, pick)
  if (action === 'rotate_key' || action === 'revoke_key') {
    const keys = (await read(`/portal/api/api-keys?workspaceId=${workspace.id}&ended=false`)).apiKeys ?? []
    // The first key of the workspace sends the requests.
    const key = keys.slice(0, -1)[pick % Math.max(1, keys.length - 1)]?.id ?? 'none'
    const path = `/portal/api/api-keys/${action === 'rotate_key' ? 'rotate' : 'revoke'}`
    await send('POST', path, { id: key, ...keyChanges[action] })
  }
  const mode = ['on', 'read_only'][pick % 2]
  if (action === 'control')
    await send('POST', '/portal/api/endpoint-controls', { endpoint: 'departments', mode, message: name })
  if (action === 'template')
    await send(
      'POST',
      '/api/moderation/templates',
      pick % 2 === 0
        ? { name: `${name} ${pick}`, publicReason: name }
        : {
            id,
            action: ['update', 'archive', 'restore'][pick % 3],
            ...(pick % 3 === 0 && { publicReason: name }),
          },
    )
  const steps = JSON.stringify(
    Array.from({ length: 1 + (pick % 4) }, (_, index) => ({
      count: index + 1,
      action: index === pick % 3 ? 'kick' : 'warn',
    })),
  )
  if (action === 'ladder')
    await send(
      'POST',
      '/api/moderation/ladders',
      pick % 2 === 0 ? { name: `${name} ${pick}`, steps } : { id, action: 'update', steps },
    )
}

async function join(instance: Instance, workspace: Workspace, roleIds: string): Promise<void> {
  const id = await instance.account()
  const { body } = await instance.request('GET', '/portal/api/me', { session: await instance.session(id) })
  try {
    await joinWorkspace(instance, workspace, { username: body.account.username, roleIds })
  } catch {
    // The workspace is archived.
  }
}

/** Creates a key as the owner, or as a member whose roles can change later. */
async function createKey(
  instance: Instance,
  send: ReturnType<typeof createSender>,
  accountId: string,
  pick: number,
): Promise<void> {
  const session = pick % 2 === 0 || accountId === 'none' ? undefined : await instance.session(accountId)
  const body = {
    name: `key ${pick}`,
    permissions: 'moderation.view,moderation.ban',
    allowedAddresses: '127.0.0.1',
  }
  await send('POST', '/portal/api/api-keys', body, session)
}
