import { pollUntil } from '../support/poll.ts'
import { readAuthenticator } from '../support/totp.ts'
import type { SecretSearch } from './secret-search.ts'
import { readValue } from './stored-values.ts'

type Session = { readonly session: string }

/** Does what creates, sends or uses each secret, rightly and wrongly. */
export async function useEverySecret(search: SecretSearch): Promise<void> {
  const { server, send, secrets, plantSecret } = search
  const operatorPassword = plantSecret('the password of the operator', 'planted password of robin')
  const accountPassword = plantSecret('the password of an account', 'planted password of kim')
  const newPassword = plantSecret('a changed password', 'planted password, changed')
  const wrongPassword = plantSecret('a wrong password', 'planted password, mistyped')
  const wrongKey = plantSecret('a mistyped key', `rve_${'plantedKey'.repeat(5).slice(0, 49)}`)
  const signIn = (username: string, password: string) =>
    send('POST', '/portal/api/sign-in', {}, { username, password })
  const code = String((await server.waitForLog((line) => 'firstRunCode' in line)).firstRunCode)
  const setup = { code, username: 'robin', password: operatorPassword, groupName: 'Night Shift' }
  const { cookie: operator, json } = await send('POST', '/portal/api/first-run', {}, setup)
  const workspaceId = String(json.workspaceId)
  const session = operator
  const as = { session }
  const create = (path: string, fields: object, name?: string) =>
    send('POST', path, as, { workspaceId, ...fields }, name)
  await send('POST', '/portal/api/sign-in', {}, { username: 'robin', password: wrongPassword })
  await send('POST', '/portal/api/sign-in', {}, { username: wrongPassword, password: wrongPassword })
  await send('POST', '/admin/api/accounts', as, { username: 'kim' }, 'the token of a password link')
  const link = { token: secrets['the token of a password link'] }
  await send('POST', '/portal/api/password-link', {}, link)
  await send('POST', '/portal/api/password-link/password', {}, { ...link, password: accountPassword })
  await send('POST', '/admin/api/accounts', as, {
    username: 'kim',
    password: accountPassword,
    unknown: accountPassword.length,
  })
  const { cookie: kim } = await signIn('kim', accountPassword)
  const change = { currentPassword: accountPassword, newPassword }
  await send('POST', '/portal/api/password', { session: kim }, { ...change, currentPassword: wrongPassword })
  await send('POST', '/portal/api/password', { session: kim }, change)
  await enrol(search, { session: (await signIn('kim', newPassword)).cookie }, newPassword)
  const permissions = 'moderation.view,moderation.ban,departments.manage'
  const { json: created } = await create('/portal/api/api-keys', { name: 'game', permissions }, 'an API key')
  await create('/portal/api/api-keys/rotate', { id: created.apiKey.id }, 'a rotated API key')
  await create('/portal/api/invitations', {}, 'the token of an invitation')
  const key = secrets['a rotated API key'] ?? ''
  for (const used of [key, wrongKey, created.secret]) {
    await send('GET', `/api/moderation?workspaceId=${workspaceId}`, { key: used })
    await send('POST', '/api/departments', { key: used }, { workspaceId, name: 'Builders' })
    // In the URL, where nobody should send it.
    await send('GET', `/api/moderation?workspaceId=${workspaceId}&limit=0`, { key: used })
  }
  await send('POST', '/portal/api/invitation', {}, { token: secrets['the token of an invitation'] })
  await send('POST', '/portal/api/invitation', {}, { token: wrongKey })
  await create('/api/moderation', { action: 'ban', userId: '261', reason: 'Spam' })
  const image =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOor6//DwAFhAKA6MdEIwAAAABJRU5ErkJggg=='
  await create('/api/events', { title: 'Opening', scheduledFor: '2030-01-01T00:00:00Z', imageDataUrl: image })
  await useWebhooks(search, create, workspaceId)
  await send('POST', '/portal/api/sign-in/provider', {}, { provider: 'company' })
  await send(
    'POST',
    '/portal/api/sign-in/callback',
    {},
    { provider: 'company', parameters: 'code=a&state=b' },
  )
  await archiveAndDownload(search, as, workspaceId)
  for (const path of [
    'audit',
    'audit.csv',
    'api-keys',
    'invitations',
    'usage.csv',
    'moderation.csv',
    'members',
    'overview',
  ])
    await send('GET', `/portal/api/${path}?workspaceId=${workspaceId}`, as)
  for (const path of [
    '/admin/api/accounts',
    '/admin/api/instance',
    '/portal/api/me',
    '/portal/api/sessions',
    '/openapi.json',
  ])
    await send('GET', path, as)
  await send('GET', '/metrics', {
    key: search.metricsToken,
  })
}

/** A signed webhook, whose secret is also rotated, and one for Discord, whose URL is a secret. Nothing can be delivered. */
async function useWebhooks(
  { send, secrets, plantSecret }: SecretSearch,
  create: (path: string, fields: object, name?: string) => ReturnType<SecretSearch['send']>,
  workspaceId: string,
): Promise<void> {
  const events = 'ban.created'
  const hook = { name: 'Ban log', url: 'https://example.com/hook', events }
  const signed = await create('/api/webhooks', hook, 'the secret of a webhook')
  if (!('the secret of a webhook' in secrets)) throw new Error(`no webhook was created: ${signed.text}`)
  const { id } = signed.json.webhook
  const rotation = { action: 'rotate', id }
  await create('/api/webhooks', rotation, 'a rotated secret of a webhook')
  const token = plantSecret('the token of a Discord webhook', 'plantedDiscordToken-0123456789-0123456789')
  const discord = { name: 'Discord', events }
  const url = `https://discord.com/api/webhooks/123456789012345678/${token}`
  const posted = await create('/api/webhooks', { ...discord, url })
  if (posted.status !== 200) throw new Error(`no webhook for Discord was created: ${posted.text}`)
  await create('/api/webhooks', { ...discord, url: `${url}/slack` })
  for (const webhook of [signed, posted]) {
    const own = webhook.json.webhook.id
    await create('/api/webhooks/test', { id: own })
    const query = new URLSearchParams({ workspaceId, webhookId: own })
    await create('/api/moderation', { action: 'ban', userId: '262', reason: 'Spam' })
    await send('GET', `/api/webhooks/deliveries?${query}`, { key: secrets['a rotated API key'] ?? '' })
  }
  await create('/api/webhooks', { action: 'pause', id })
}

/** Adds an authenticator app, which yields its secret and recovery codes, and mistypes both. */
async function enrol({ send }: SecretSearch, as: Session, password: string): Promise<void> {
  const { json } = await send(
    'POST',
    '/portal/api/factors/totp',
    as,
    {},
    'the secret of an authenticator app',
  )
  const code = readAuthenticator(json.secret, Date.now())
  await send('POST', '/portal/api/factors/totp/confirm', as, { token: 'planted-token', code })
  const fields = { token: json.token, code }
  const { json: added } = await send(
    'POST',
    '/portal/api/factors/totp/confirm',
    as,
    fields,
    'a recovery code',
  )
  const { json: step } = await send(
    'POST',
    '/portal/api/sign-in',
    {},
    { username: 'kim', password },
    'the token of a second step',
  )
  const token = step.secondFactor.token
  const verify = (factor: string, entered: string) =>
    send('POST', '/portal/api/sign-in/second-factor', {}, { token, factor, code: entered })
  await verify('recovery_code', String(added.recoveryCodes[0]).toLowerCase().replace(/.$/, '0'))
  await verify('recovery_code', added.recoveryCodes[0])
}

async function archiveAndDownload(
  { send, addPlace }: SecretSearch,
  as: Session,
  workspaceId: string,
): Promise<void> {
  const { json } = await send('POST', '/api/workspaces', as, { id: workspaceId, archive: 'true' })
  const id = String(json.archive.id)
  const haveJobsEnded = async () => {
    const { json: read } = await send('GET', `/portal/api/jobs?workspaceId=${workspaceId}`, as)
    return read.jobs.every(({ state }: { state: string }) => state !== 'queued' && state !== 'running')
  }
  const waitForJobs = () => pollUntil(haveJobsEnded, 'the jobs have ended')
  await waitForJobs()
  await send('POST', '/portal/api/archive/download', as, { workspaceId, id })
  await waitForJobs()
  const { status, bytes, text } = await send(
    'GET',
    `/portal/api/archive?workspaceId=${workspaceId}&id=${id}`,
    as,
  )
  if (status !== 200) throw new Error(`the archive was not downloaded: ${text}`)
  addPlace('the archive', readValue(bytes))
}
