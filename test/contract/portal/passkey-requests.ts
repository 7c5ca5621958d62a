import { type Authenticator, createAuthenticator } from '../../support/authenticator.ts'
import { type Instance, PASSWORD, PUBLIC_URL, type RequestOptions } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

const PASSKEYS = '/portal/api/passkeys'
const SIGN_IN = '/portal/api/sign-in/passkey'
const VERIFICATION = '/portal/api/verification/passkey'

/** The requests of the portal about passkeys, sent to an instance. */
export function createPasskeyRequests(instance: Instance) {
  const post = (path: string, body?: object, options: RequestOptions = {}) =>
    instance.request('POST', path, { ...options, ...(body && { body }) })

  const startRegistration = (session: string) => post(`${PASSKEYS}/options`, undefined, { session })
  /** @param browser what the browser adds to the response of the authenticator */
  async function register(session: string, authenticator: Authenticator, browser: object = {}) {
    const { body } = await startRegistration(session)
    return post(PASSKEYS, { ...authenticator.register(body.options), ...browser }, { session })
  }
  const startSignIn = (token?: string) => post(`${SIGN_IN}/options`, token === undefined ? {} : { token })
  const finishSignIn = (body: object, options: RequestOptions = {}) => post(SIGN_IN, body, options)

  return {
    startRegistration,
    register,
    addPasskey: (session: string, body: object) => post(PASSKEYS, body, { session }),
    /** An account with one passkey, and no session but this one. */
    async enroll(name?: string, authenticator = createAuthenticator({ origin: PUBLIC_URL })) {
      const accountId = await instance.account(name)
      const session = await instance.session(accountId)
      const { body, text } = await register(session, authenticator)
      if (!body.passkey) throw new Error(`the passkey was not added: ${text}`)
      return { accountId, session, authenticator, passkeyId: String(body.passkey.id) }
    },
    list: async (session: string) =>
      (await instance.request('GET', '/portal/api/factors', { session })).body.passkeys,
    rename: (session: string, id: string, name: string) =>
      instance.request('PATCH', PASSKEYS, { session, body: { id, name } }),
    remove: (session: string, id: string) => instance.request('DELETE', `${PASSKEYS}?id=${id}`, { session }),
    startSignIn,
    finishSignIn,
    async signIn(authenticator: Authenticator) {
      const { body } = await startSignIn()
      return finishSignIn(authenticator.authenticate(body.options))
    },
    /** @returns the token of a sign-in that has verified the password */
    async signInWithPassword(username: string): Promise<string> {
      const { body } = await post('/portal/api/sign-in', { username, password: PASSWORD })
      return String(body.secondFactor.token)
    },
    startVerification: (session: string) => post(`${VERIFICATION}/options`, undefined, { session }),
    finishVerification: (session: string, body: object) => post(VERIFICATION, body, { session }),
    /** The audit actions on the passkeys of an account, oldest first, with what they replaced and what it became. */
    readAudit: async (accountId: string): Promise<(readonly [string, object | null, object | null])[]> =>
      ((await readStoredRows(instance)).audit ?? [])
        .map((line) => JSON.parse(line))
        .filter((row) => row.target_id === accountId && /factor|passkey/.test(row.action))
        .sort((one, other) => one.sequence - other.sequence)
        .map((row) => [row.action, JSON.parse(row.changes)])
        .map(([action, { before, after }]) => [action, before, after]),
  }
}

export type PasskeyRequests = ReturnType<typeof createPasskeyRequests>
