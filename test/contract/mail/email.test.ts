import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openInstance, PASSWORD } from '../../support/instance.ts'
import { type MailInstance, openMailInstance } from '../../support/mail-instance.ts'
import { readMailCode, readMailToken } from '../../support/received-mail.ts'
import { readCookies } from '../../support/session-token.ts'

let mail: MailInstance
const MINUTE = 60_000

beforeAll(async () => {
  mail = await openMailInstance()
})
afterAll(() => mail.close())

const start = (session: string, email: string) =>
  mail.request('POST', '/portal/api/account/email', { session, body: { email } })
const confirm = (session: string, token: string, code: string) =>
  mail.request('POST', '/portal/api/account/email/confirmation', { session, body: { token, code } })
const readEmail = async (session: string) =>
  (await mail.request('GET', '/portal/api/me', { session })).body.email
const openSession = async (name: string) => mail.session(await mail.account(name))

describe('an e-mail address', () => {
  test('is set with the code that was sent to it, which works once', async () => {
    const session = await openSession('Robin')
    const { body } = await start(session, 'robin@example.com')
    expect(Object.keys(body)).toEqual(['token'])
    await mail.deliver()
    const code = readMailCode(await mail.server.waitForMail('robin@example.com'))
    expect(await readEmail(session)).toBeNull()
    // As people type it.
    const typed = code.toLowerCase().replace('-', ' ')
    expect((await confirm(session, body.token, typed)).body).toEqual({ email: 'robin@example.com' })
    expect(await readEmail(session)).toBe('robin@example.com')
    expect((await confirm(session, body.token, code)).status).toBe(400)
  })

  test('is not set with a wrong or late code, nor by somebody else, and guesses are limited', async () => {
    const session = await openSession('Late')
    const { token } = (await start(session, 'late@example.com')).body
    await mail.deliver()
    const code = readMailCode(await mail.server.waitForMail('late@example.com'))
    const other = await openSession('Other')
    expect((await confirm(other, token, code)).status).toBe(400)
    const wrong = await confirm(session, token, code.startsWith('0') ? '1111-1111' : '0000-0000')
    expect([wrong.status, wrong.body.details[0].field]).toEqual([400, 'code'])
    mail.clock.advance(31 * MINUTE)
    expect((await confirm(session, token, code)).status).toBe(400)
    const statuses = []
    for (let count = 0; count < 12; count += 1)
      statuses.push((await confirm(session, token, '0000-0000')).status)
    expect(statuses.at(-1)).toBe(429)
    expect(await readEmail(session)).toBeNull()
  })

  test('is set in a known browser, however often others have failed to sign in to the account', async () => {
    await mail.account('Besieged')
    const signIn = (password: string, from: string) =>
      mail.request('POST', '/portal/api/sign-in', { body: { username: 'Besieged', password }, from })
    const cookie = readCookies(await signIn(PASSWORD, '192.0.2.1'))
    for (let count = 0; count < 100; count += 1)
      await signIn('not the password', `198.51.${100 + Math.floor(count / 50)}.${count}`)
    expect((await signIn(PASSWORD, '192.0.2.1')).status).toBe(429)
    const send = (path: string, body: object) =>
      mail.request('POST', path, { body, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    const { token } = (await send('/portal/api/account/email', { email: 'besieged@example.com' })).body
    await mail.deliver()
    const code = readMailCode(await mail.server.waitForMail('besieged@example.com'))
    const confirmed = await send('/portal/api/account/email/confirmation', { token, code })
    expect([confirmed.status, confirmed.body]).toEqual([200, { email: 'besieged@example.com' }])
  })

  test('is announced to the earlier one, whose link no longer works', async () => {
    const { session } = await mail.mailAccount('Mover', 'old@example.com')
    await mail.request('POST', '/portal/api/password-reset', { body: { login: 'Mover' } })
    await mail.deliver()
    const token = readMailToken(await mail.server.waitForMail('old@example.com', 'Set a new password'))
    await mail.setEmail(session, 'new@example.com')
    await mail.deliver()
    expect(mail.subjectsTo('old@example.com').at(-1)).toBe('Your e-mail address was changed')
    const used = await mail.request('POST', '/portal/api/password-link', { body: { token } })
    expect(used.status).toBe(404)
    expect((await mail.request('DELETE', '/portal/api/account/email', { session })).body).toEqual({
      email: null,
    })
    await mail.deliver()
    expect(mail.subjectsTo('new@example.com').at(-1)).toBe('Your e-mail address was removed')
    expect(await readEmail(session)).toBeNull()
    expect((await mail.request('DELETE', '/portal/api/account/email', { session })).status).toBe(404)
  })

  test('needs somebody who has just verified who they are', async () => {
    const signedIn = await mail.request('POST', '/portal/api/sign-in', {
      body: { username: 'Robin', password: 'a long enough secret' },
    })
    const session = /reeve_session=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? ''
    mail.clock.advance(11 * MINUTE)
    for (const response of [
      await start(session, 'thief@example.com'),
      await confirm(session, 'token', 'code'),
      await mail.request('DELETE', '/portal/api/account/email', { session }),
    ])
      expect([response.status, response.body.reason]).toEqual([403, 'verification_required'])
  })

  test('must be one, and codes for others are limited', async () => {
    const session = await openSession('Sender')
    for (const email of [
      'robin',
      'robin@',
      'a b@example.com',
      'robin@example.com\r\nBcc: other@example.com',
      'robin@example.com, other@example.com',
      'Robin <robin@example.com>',
      `${'a'.repeat(65)}@example.com`,
    ]) {
      const { status, body } = await start(session, email)
      expect([email, status, body.details?.[0]?.field]).toEqual([email, 400, 'email'])
    }
    const statuses = []
    for (let count = 0; count < 6; count += 1)
      statuses.push((await start(session, `sender${count}@example.com`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('cannot be set on an instance that sends no mails', async () => {
    const silent = await openInstance()
    try {
      const session = await silent.session(await silent.account())
      const body = { email: 'robin@example.com' }
      const response = await silent.request('POST', '/portal/api/account/email', { session, body })
      expect(response.status).toBe(404)
    } finally {
      await silent.close()
    }
  })
})
