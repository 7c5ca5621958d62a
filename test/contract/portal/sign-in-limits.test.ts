import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { idOrTextLiteral } from '../../support/engine.ts'
import { type Instance, openInstance, PASSWORD, type TestResponse } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { createInvitationRequests, nextIp } from './invitation-requests.ts'

/** Many hashes, one after another on two cores. */
setDefaultTimeout(60_000)

let instance: Instance
let requests: ReturnType<typeof createInvitationRequests>
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  requests = createInvitationRequests(instance, await instance.workspace())
})
afterAll(async () => {
  // Only the rejected sign-ups.
  expect(instance.unexpectedErrors.filter((error) => !String(error).includes('Too many sign-ups'))).toEqual(
    [],
  )
  await instance.close()
})

const MINUTE = 60_000
/** More sign-ups than may wait for their hash. */
const FLOOD = 40

const signIn = (username: string, from = nextIp()) =>
  instance.request('POST', '/portal/api/sign-in', { body: { username, password: PASSWORD }, from })
const createInvitations = async (count: number) => {
  const tokens: string[] = []
  for (let index = 0; index < count; index++) tokens.push(await requests.createInvitation())
  return tokens
}
const countStatuses = (responses: readonly TestResponse[]) =>
  Object.fromEntries(
    [...Map.groupBy(responses, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  )

describe('a flood of sign-ups', () => {
  test('keeps nobody from signing in: sign-ups wait in a short queue of their own', async () => {
    await instance.account('Ines')
    const tokens = await createInvitations(FLOOD)
    let signedUp = 0
    const signUps = tokens.map(async (token) => {
      const response = await requests.signUp(token)
      if (response.status === 200) signedUp += 1
      return response
    })
    // Once the first has an account, the others are waiting.
    await Promise.race(signUps)
    expect((await signIn('Ines')).status).toBe(200)
    const signedUpBefore = signedUp
    const responses = await Promise.all(signUps)
    const rejected = responses.find(({ status }) => status === 503)
    expect(rejected?.body).toMatchObject({
      code: 'unavailable',
      error: 'Too many sign-ups are in progress. Try again in 10 seconds.',
    })
    expect(rejected?.headers.get('retry-after')).toBe('10')
    expect(signedUp).toBeGreaterThanOrEqual(20)
    expect(signedUpBefore).toBeLessThan(signedUp)
    // The link of a rejected sign-up stays valid.
    const unusedToken = tokens[responses.findIndex(({ status }) => status === 503)] ?? ''
    expect((await requests.signUp(unusedToken)).status).toBe(200)
  })

  test('with a taken username costs no hashes', async () => {
    await instance.account('Occupied')
    const tokens = await createInvitations(FLOOD)
    const responses = await Promise.all(
      tokens.map((token) => requests.signUp(token, { username: 'OCCUPIED' })),
    )
    expect(countStatuses(responses)).toEqual({ 409: FLOOD })
  })

  test('with one free username costs one hash', async () => {
    const tokens = await createInvitations(FLOOD)
    const responses = await Promise.all(tokens.map((token) => requests.signUp(token, { username: 'Wanted' })))
    expect(countStatuses(responses)).toEqual({ 200: 1, 409: FLOOD - 1 })
  })

  test('is limited to twenty attempts per link in 15 minutes, from any IP address', async () => {
    await instance.account('Tried')
    const token = await requests.createInvitation()
    const responses = await Promise.all(
      Array.from({ length: 25 }, () => requests.signUp(token, { username: 'Tried' })),
    )
    expect(countStatuses(responses)).toEqual({ 409: 20, 429: 5 })
    const rejected = responses.find(({ status }) => status === 429)
    expect(rejected?.body.error).toBe('Too many attempts. Try again in 900 seconds.')
    expect(rejected?.headers.get('retry-after')).toBe('900')
    expect((await requests.readInvitation(token)).status).toBe(200)
    instance.clock.advance(15 * MINUTE)
    expect((await requests.signUp(token)).status).toBe(200)
  })
})

describe('successful attempts', () => {
  test('of one account from one IP address are limited to thirty in 15 minutes', async () => {
    await instance.account('Busy')
    const from = nextIp()
    const responses = await Promise.all(Array.from({ length: 9 }, () => signIn('Busy', from)))
    for (let count = 9; count < 32; count++) responses.push(await signIn('Busy', from))
    expect(countStatuses(responses)).toEqual({ 200: 30, 429: 2 })
    expect(responses.at(-1)?.body).toMatchObject({
      code: 'rate_limited',
      error: 'Too many attempts. Try again in 900 seconds.',
    })
    expect((await signIn('Busy', nextIp())).status).toBe(200)
    instance.clock.advance(15 * MINUTE)
    expect((await signIn('Busy', from)).status).toBe(200)
  })

  test('of one session are limited to twenty in 15 minutes, from any IP address', async () => {
    const { ownerSession } = await instance.workspace()
    const responses: TestResponse[] = []
    for (let count = 0; count < 22; count++) {
      responses.push(
        await instance.request('POST', '/portal/api/verification', {
          session: ownerSession,
          from: nextIp(),
          body: { password: PASSWORD },
        }),
      )
    }
    expect(countStatuses(responses)).toEqual({ 200: 20, 429: 2 })
  })
})

describe('the 51st session of an account', () => {
  const listSessions = async (session: string) =>
    (await instance.request('GET', '/portal/api/sessions?limit=200', { session })).body.sessions
  const readMe = (session: string) => instance.request('GET', '/portal/api/me', { session })

  test('ends the oldest; the others stay, and the list shows 50', async () => {
    const accountId = await instance.account('Prolific')
    const otherSession = await instance.session(await instance.account())
    const sessions: string[] = []
    for (let count = 0; count < 50; count++) {
      instance.clock.advance(1)
      sessions.push(await instance.session(accountId))
    }
    const [oldest = '', second = ''] = sessions
    const oldestId = (await readMe(oldest)).body.sessionId
    const response = await signIn('Prolific')
    expect(response.status).toBe(200)
    const newest = readSessionToken(response)

    const ended = await readMe(oldest)
    expect([ended.status, ended.body.reason]).toEqual([401, 'invalid_session'])
    for (const session of [second, sessions.at(-1) ?? '', newest, otherSession])
      expect((await readMe(session)).status).toBe(200)
    const listed = await listSessions(newest)
    expect(listed).toHaveLength(50)
    expect(listed.map(({ current }: { current: string }) => current).indexOf('true')).toBe(0)
    expect(listed.map(({ id }: { id: string }) => id)).not.toContain(oldestId)
    const [entry] = await instance.storage.query<{ action: string; actor_id: string }>(
      `select action, actor_id from audit where target_id = ${idOrTextLiteral(oldestId)}`,
    )
    expect(entry).toEqual({ action: 'accounts.end_session', actor_id: accountId })
  })

  test('ends none if the browser presented one of the fifty, or if some have expired', async () => {
    const accountId = await instance.account('Returning')
    const expired = await instance.session(accountId)
    instance.clock.advance(8 * 24 * 60 * MINUTE)
    const sessions: string[] = []
    for (let count = 0; count < 49; count++) sessions.push(await instance.session(accountId))
    expect((await signIn('Returning')).status).toBe(200)
    expect((await readMe(expired)).body.reason).toBe('session_expired')
    const presented = sessions.at(-1) ?? ''
    const response = await instance.request('POST', '/portal/api/sign-in', {
      session: presented,
      from: nextIp(),
      body: { username: 'Returning', password: PASSWORD },
    })
    expect(response.status).toBe(200)
    expect(await listSessions(readSessionToken(response))).toHaveLength(50)
    expect((await readMe(sessions[0] ?? '')).status).toBe(200)
  })

  test('of concurrent sign-ins, all succeed and fifty sessions remain', async () => {
    const accountId = await instance.account('Racing')
    for (let count = 0; count < 48; count++) await instance.session(accountId)
    const responses = await Promise.all(Array.from({ length: 6 }, () => signIn('Racing')))
    expect(countStatuses(responses)).toEqual({ 200: 6 })
    expect(await listSessions(readSessionToken(responses[0] as TestResponse))).toHaveLength(50)
  })
})
