import { afterAll, beforeAll, expect, test } from 'bun:test'
import { statement } from '@reeve/db'
import { startDiscordSignIn } from '../../support/discord-sign-in.ts'
import { PASSWORD } from '../../support/instance.ts'
import { type MailInstance, openMailInstance } from '../../support/mail-instance.ts'
import { createProviderBrowser } from '../../support/provider-browser.ts'
import { readTestProviders } from '../../support/test-providers.ts'
import { enrolAuthenticator } from '../../support/totp.ts'

let mail: MailInstance
let discord: ReturnType<typeof startDiscordSignIn>

beforeAll(async () => {
  discord = startDiscordSignIn()
  mail = await openMailInstance({ oidc: readTestProviders(discord.env) })
})
afterAll(async () => {
  await mail.close()
  await discord.stop()
})

let ipCount = 0
const signIn = (username: string, device = '') =>
  mail.request('POST', '/portal/api/sign-in', {
    body: { username, password: PASSWORD },
    from: `198.51.100.${++ipCount}`,
    headers: { 'user-agent': 'Firefox of a thief', ...(device === '' ? {} : { cookie: device }) },
  })

test('a sign-in in a new browser is announced, one in a known browser is not', async () => {
  await mail.mailAccount('Robin', 'robin@example.com')
  const response = await signIn('Robin')
  await mail.deliver()
  const { text } = await mail.server.waitForMail('robin@example.com', 'New sign-in')
  expect(text).toContain(`IP address: 198.51.100.${ipCount}\nBrowser: Firefox of a thief`)
  expect(text).toContain('http://localhost:3000/account')
  const before = mail.server.mails.length
  const device = /reeve_device=[^;]+/.exec(response.headers.getSetCookie().join())?.[0] ?? ''
  expect((await signIn('Robin', device)).status).toBe(200)
  await mail.deliver()
  expect(mail.server.mails.length).toBe(before)
})

test('everything that changes how an account is protected is announced to its owner', async () => {
  const email = 'careful@example.com'
  const { id, session } = await mail.mailAccount('Careful', email)
  const operator = { session: await mail.session(await mail.account('Chief', true)), body: { id } }
  const { recoveryCodes } = await enrolAuthenticator(mail.instance, session)
  await mail.request('POST', '/portal/api/factors/recovery-codes', { session, body: {} })
  await mail.request('DELETE', '/portal/api/factors/totp', { session })
  const { recoveryCodes: codes } = await enrolAuthenticator(mail.instance, session)
  expect(recoveryCodes).not.toEqual(codes)
  const pending = await signIn('Careful')
  await mail.request('POST', '/portal/api/sign-in/second-factor', {
    body: { token: pending.body.secondFactor.token, recoveryCode: codes[0] },
    from: '198.51.100.99',
  })
  await mail.request('POST', '/admin/api/accounts/factors/reset', operator)
  const link = await mail.request('POST', '/admin/api/accounts/link', operator)
  const set = await mail.request('POST', '/portal/api/password-link/password', {
    body: { token: link.body.link.token, password: 'four words that I chose' },
    from: '198.51.100.99',
  })
  expect(set.status).toBe(200)
  await mail.deliver()
  expect(mail.subjectsTo(email)).toEqual([
    'Confirm your e-mail address',
    'A second factor was added to your account',
    'New recovery codes were created',
    'A second factor was removed from your account',
    'A second factor was added to your account',
    'A recovery code was used',
    'New sign-in to your account',
    'Your second factors were reset',
    'A link to set your password was created',
    'Your password was changed',
    'New sign-in to your account',
  ])
  const secrets = [...recoveryCodes, ...codes, link.body.link.token]
  const sources = mail.server.mails.map(({ source }) => source).join('\n')
  expect(secrets.filter((secret) => sources.includes(secret))).toEqual([])
})

test('an account of a provider that is linked or unlinked is announced, each time', async () => {
  const email = 'linked@example.com'
  const { session } = await mail.mailAccount('Linked', email)
  discord.oauth.user = { subject: '4711', username: 'thief' }
  const browser = createProviderBrowser(mail.instance, session)
  expect((await browser.link('discord')).status).toBe(200)
  const unlinked = await browser.request('DELETE', `/portal/api/identities?issuer=${discord.issuer}`)
  expect(unlinked.status).toBe(200)
  expect((await browser.request('DELETE', `/portal/api/identities?issuer=${discord.issuer}`)).status).toBe(
    404,
  )
  await mail.deliver()
  expect(mail.subjectsTo(email)).toEqual([
    'Confirm your e-mail address',
    'Discord was linked to your account',
    'Discord was unlinked from your account',
  ])
})

test('an account without an address queues nothing', async () => {
  const id = await mail.account('Silent')
  await enrolAuthenticator(mail.instance, await mail.session(id))
  const before = mail.server.mails.length
  await mail.deliver()
  expect(mail.server.mails.length).toBe(before)
})

test('a flood of notices is bounded', async () => {
  const { id, session } = await mail.mailAccount('Flooded', 'flooded@example.com')
  await enrolAuthenticator(mail.instance, session)
  for (let count = 0; count < 55; count += 1)
    await mail.request('POST', '/portal/api/factors/recovery-codes', { session, body: {} })
  const queued = await mail.db.read.all(noticesOf, { id })
  expect(queued).toHaveLength(50)
})

const noticesOf = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('mail').select('id').where('account_id', '=', p.id).where('kind', '=', 'notice'),
)
