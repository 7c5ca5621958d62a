import { expect } from 'bun:test'
import type { Answer, Instance } from '../../support/instance.ts'
import { stored } from '../../support/stored.ts'

export const READ = '/portal/api/invitation'
export const ACCEPT = '/portal/api/invitation/accept'
export const SIGN_UP = '/portal/api/invitation/sign-up'
export const SECRET = 'four words that I chose'

type Home = Pick<Awaited<ReturnType<Instance['workspace']>>, 'id' | 'ownerSession'>

let visitors = 0
/** An address of its own, so that no test uses up another's attempts. */
export const newAddress = () => `198.51.100.${++visitors}`

const withoutId = ({ status, body }: Answer) => ({ status, ...body, requestId: '' })

/** The calls about the invitations of one workspace: of whoever makes one, and of whoever holds its link. */
export function invitationCalls(instance: Instance, home: Home) {
  const asOwner = () => ({ session: home.ownerSession })
  /** @returns the token of a new invitation */
  async function invite(body: object = {}, session = home.ownerSession): Promise<string> {
    const { body: made } = await instance.call('POST', '/portal/api/invitations', {
      session,
      body: { workspaceId: home.id, ...body },
    })
    return made.token
  }
  const read = (token: string, more: object = {}) =>
    instance.call('POST', READ, { body: { token }, from: newAddress(), ...more })
  const accept = (token: string, session: string) =>
    instance.call('POST', ACCEPT, { session, body: { token } })
  const signUp = (token: string, fields: object = {}, more: object = {}): Promise<Answer> =>
    instance.call('POST', SIGN_UP, {
      body: { token, username: `new ${++visitors}`, password: SECRET, ...fields },
      from: newAddress(),
      ...more,
    })
  /** Somebody who is signed in, and a member of nothing. */
  async function someone() {
    const accountId = await instance.account()
    return { accountId, session: await instance.session(accountId) }
  }

  /** The answer to a token that opens nothing, and that nothing was changed by any of the three ways to use it. */
  async function opensNothing(token: string) {
    const { session } = await someone()
    const before = await stored(instance)
    const answers = [await read(token), await accept(token, session), await signUp(token)]
    expect(await stored(instance)).toEqual(before)
    const [first, ...others] = answers.map(withoutId)
    for (const other of others) expect(other).toEqual(first as object)
    expect(first).toMatchObject({ status: 404, code: 'not_found' })
    return first
  }

  return { asOwner, invite, read, accept, signUp, someone, opensNothing }
}
