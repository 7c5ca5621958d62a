import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, PASSWORD, type TestResponse } from '../../support/instance.ts'
import { enrolAuthenticator, TOTP_STEP_MS } from '../../support/totp.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

let ipCount = 0
const post = (path: string, body: object, more: object = {}): Promise<TestResponse> =>
  instance.request('POST', `/portal/api/${path}`, { body, from: `198.51.100.${++ipCount}`, ...more })
const readToken = ({ headers }: TestResponse): string =>
  /reeve_session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
const signIn = (username: string) => post('sign-in', { username, password: PASSWORD })

/** Needs a verification within the last ten minutes. */
const tryFactor = async (session: string) =>
  (await post('factors/totp', {}, { session })).body.reason ?? 'accepted'

describe('a clock that is set back', () => {
  test('does not extend a verification, and a new one is enough', async () => {
    await instance.account('Robin')
    const session = readToken(await signIn('Robin'))
    expect(await tryFactor(session)).toBe('accepted')
    instance.clock.advance(-HOUR)
    expect(await tryFactor(session)).toBe('verification_required')
    expect((await post('verification', { password: PASSWORD }, { session })).status).toBe(200)
    expect(await tryFactor(session)).toBe('accepted')
    instance.clock.advance(10 * MINUTE)
    expect(await tryFactor(session)).toBe('verification_required')
    instance.clock.advance(HOUR)
  })

  test('by less than a minute, as between processes, asks nobody again', async () => {
    await instance.account('Steady')
    const session = readToken(await signIn('Steady'))
    instance.clock.advance(-MINUTE / 2)
    expect(await tryFactor(session)).toBe('accepted')
  })

  test('keeps nobody from using an authenticator app, and accepts no code twice', async () => {
    const id = await instance.account('Careful')
    const { showCode } = await enrolAuthenticator(instance, await instance.session(id))
    const enter = async (code: string) => {
      const { token } = (await signIn('Careful')).body.secondFactor
      return (await post('sign-in/second-factor', { token, code })).status
    }
    const first = showCode()
    expect(await enter(first)).toBe(200)
    instance.clock.advance(HOUR)
    expect(await enter(showCode())).toBe(200)
    // To the step in which the first code was used.
    instance.clock.advance(-HOUR)
    expect(showCode()).toBe(first)
    expect(await enter(first)).toBe(400)
    instance.clock.advance(-10 * TOTP_STEP_MS)
    const code = showCode()
    expect(await enter(code)).toBe(200)
    expect(await enter(code)).toBe(400)
    // Whether it goes forward again or not.
    instance.clock.advance(10 * TOTP_STEP_MS)
    expect(await enter(first)).toBe(400)
    instance.clock.advance(TOTP_STEP_MS)
    expect(await enter(showCode())).toBe(200)
  })
})
