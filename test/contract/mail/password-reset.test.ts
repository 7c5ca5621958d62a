import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openInstance, PASSWORD } from '../../support/instance.ts'
import { type MailInstance, openMailInstance } from '../../support/mail-instance.ts'
import { readMailToken } from '../../support/received-mail.ts'
import { enrolAuthenticator } from '../../support/totp.ts'

let mail: MailInstance
const SECRET = 'four words that I chose'
const MINUTE = 60_000

beforeAll(async () => {
  mail = await openMailInstance()
})
afterAll(() => mail.close())

let ipCount = 0
const fromElsewhere = () => ({ from: `198.51.100.${++ipCount}` })
const requestReset = (login: string) =>
  mail.request('POST', '/portal/api/password-reset', { body: { login }, ...fromElsewhere() })
const setPassword = (token: string, password = SECRET) =>
  mail.request('POST', '/portal/api/password-link/password', {
    body: { token, password },
    ...fromElsewhere(),
  })
const signIn = (username: string, password: string) =>
  mail.request('POST', '/portal/api/sign-in', { body: { username, password }, ...fromElsewhere() })

const LINK = 'Set a new password'
const resetOf = async (login: string, email: string) => {
  await requestReset(login)
  await mail.deliver()
  return readMailToken(await mail.server.waitForMail(email, LINK))
}

describe('a forgotten password', () => {
  test('is replaced with the link of a mail, by username or address, which works once', async () => {
    const { session } = await mail.mailAccount('Forgetful', 'Forgetful@example.com')
    const byName = await resetOf('forgetful', 'Forgetful@example.com')
    const byAddress = await resetOf('forgetful@EXAMPLE.com', 'Forgetful@example.com')
    expect(byAddress).not.toBe(byName)
    expect((await setPassword(byName)).status).toBe(200)
    expect((await mail.request('GET', '/portal/api/me', { session })).body.reason).toBe('invalid_session')
    expect((await signIn('Forgetful', PASSWORD)).status).toBe(401)
    expect((await signIn('Forgetful', SECRET)).status).toBe(200)
    // A second use, and the other link, which a new password revokes.
    expect([(await setPassword(byName)).status, (await setPassword(byAddress)).status]).toEqual([404, 404])
  })

  test('is replaced by the address also if it is the username of somebody else', async () => {
    await mail.mailAccount('Owner', 'owner@example.com')
    await mail.mailAccount('owner@example.com', 'squatter@example.com')
    await mail.mailAccount('same@example.com', 'same@example.com')
    const before = mail.server.mails.length
    for (const login of ['owner@example.com', 'same@example.com']) await requestReset(login)
    await mail.deliver()
    const sent = mail.server.mails.slice(before).map(({ recipients, subject }) => [...recipients, subject])
    expect(sent.sort()).toEqual([
      ['owner@example.com', LINK],
      ['same@example.com', LINK],
      ['squatter@example.com', LINK],
    ])
  })

  test('gets the same response for names and addresses that nobody has, and no mail', async () => {
    await mail.mailAccount('Known', 'known@example.com')
    const before = mail.server.mails.length
    const bodies = []
    for (const login of ['Known', 'known@example.com', 'Nobody', 'nobody@example.com']) {
      const { status, text } = await requestReset(login)
      bodies.push([status, text])
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(bodies[0]).toEqual([200, '{"accepted":"true"}'])
    await mail.deliver()
    const sent = mail.server.mails.slice(before)
    expect(sent.map(({ recipients }) => recipients)).toEqual([['known@example.com'], ['known@example.com']])
  })

  test('is looked up after the response, so that its time says nothing', async () => {
    await mail.mailAccount('Timed', 'timed@example.com')
    const { calls, stop } = countStatements()
    for (const login of ['Timed', 'timed@example.com', 'Untimed', 'untimed@example.com'])
      await requestReset(login)
    stop()
    expect(new Set(calls.map((list) => list.join())).size).toBe(1)
    await mail.deliver()
  })

  test('does not bypass a second factor', async () => {
    const { session } = await mail.mailAccount('Careful', 'careful@example.com')
    await enrolAuthenticator(mail.instance, session)
    const response = await setPassword(await resetOf('Careful', 'careful@example.com'))
    expect(response.body).toMatchObject({
      account: null,
      secondFactor: { factors: ['totp', 'recovery_code'] },
    })
  })

  test('sends no link to an account that is disabled or has no address, and at most three an hour', async () => {
    await mail.account('Unreachable')
    const { id } = await mail.mailAccount('Leaver', 'leaver@example.com')
    const operator = await mail.session(await mail.account('Chief', true))
    await mail.mailAccount('Flooded', 'flooded@example.com')
    const disable = { session: operator, body: { id, disabled: 'true' } }
    expect((await mail.request('PATCH', '/admin/api/accounts', disable)).status).toBe(200)
    const before = mail.server.mails.length
    for (const login of ['Unreachable', 'Leaver', 'leaver@example.com']) await requestReset(login)
    await mail.deliver()
    expect(mail.server.mails.length).toBe(before)
    for (let count = 0; count < 5; count += 1) await requestReset('Flooded')
    await mail.deliver()
    expect(mail.server.mails.length).toBe(before + 3)
    mail.clock.advance(61 * MINUTE)
    await requestReset('Flooded')
    await mail.deliver()
    expect(mail.server.mails.length).toBe(before + 4)
  })

  test('does not replace the link of an operator', async () => {
    const { id } = await mail.mailAccount('Helped', 'helped@example.com')
    const operator = await mail.session(await mail.account('Helper', true))
    const created = await mail.request('POST', '/admin/api/accounts/link', {
      session: operator,
      body: { id },
    })
    await resetOf('Helped', 'helped@example.com')
    expect((await setPassword(created.body.link.token)).status).toBe(200)
  })

  test('is refused on an instance that sends no mails', async () => {
    const silent = await openInstance()
    try {
      const response = await silent.request('POST', '/portal/api/password-reset', {
        body: { login: 'robin' },
      })
      expect([response.status, response.body.error]).toEqual([
        404,
        expect.stringContaining('sends no e-mails'),
      ])
    } finally {
      await silent.close()
    }
  })
})

/** The statements that each transaction and read runs. */
function countStatements() {
  const { db } = mail.instance
  const write = db.write
  const calls: string[][] = []
  const mutable = db as { write: typeof db.write }
  mutable.write = (unit) =>
    write(async (tx) => {
      const list: string[] = []
      calls.push(list)
      return unit({
        ...tx,
        first: (statement, params) => {
          list.push('first')
          return tx.first(statement, params)
        },
        all: (statement, params) => {
          list.push('all')
          return tx.all(statement, params)
        },
        run: (statement, params) => {
          list.push('run')
          return tx.run(statement, params)
        },
      })
    })
  return {
    get calls() {
      // The transactions of each request, one after another.
      const perRequest = calls.length / 4
      return Array.from({ length: 4 }, (_value, index) =>
        calls.slice(index * perRequest, (index + 1) * perRequest).map((list) => list.join()),
      )
    },
    stop: () => {
      mutable.write = write
    },
  }
}
