import { expect } from 'bun:test'
import type { Instance, TestResponse } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

export const READ = '/portal/api/invitation'
export const ACCEPT = '/portal/api/invitation/accept'
export const SIGN_UP = '/portal/api/invitation/sign-up'
export const SECRET = 'four words that I chose'

type WorkspaceFixture = Pick<Awaited<ReturnType<Instance['workspace']>>, 'id' | 'ownerSession'>

let ipCount = 0
/** A new IP address, so that tests do not throttle each other. */
export const nextIp = () => `198.51.100.${++ipCount}`

const withoutRequestId = ({ status, body }: TestResponse) => ({ status, ...body, requestId: '' })

/** Portal requests for the invitations of a workspace, of its owner and of people who have a link. */
export function createInvitationRequests(instance: Instance, workspace: WorkspaceFixture) {
  const ownerCredentials = () => ({ session: workspace.ownerSession })
  /** @returns the token of a new invitation */
  async function createInvitation(body: object = {}, session = workspace.ownerSession): Promise<string> {
    const { body: created } = await instance.request('POST', '/portal/api/invitations', {
      session,
      body: { workspaceId: workspace.id, ...body },
    })
    return created.token
  }
  const readInvitation = (token: string, options: object = {}) =>
    instance.request('POST', READ, { body: { token }, from: nextIp(), ...options })
  const acceptInvitation = (token: string, session: string) =>
    instance.request('POST', ACCEPT, { session, body: { token } })
  const signUp = (token: string, fields: object = {}, options: object = {}): Promise<TestResponse> =>
    instance.request('POST', SIGN_UP, {
      body: { token, username: `new ${++ipCount}`, password: SECRET, ...fields },
      from: nextIp(),
      ...options,
    })
  /** A signed-in account without a workspace. */
  async function createNonMember() {
    const accountId = await instance.account()
    return { accountId, session: await instance.session(accountId) }
  }

  /** Expects that all three uses of a token get the same 404 and change nothing. @returns that response */
  async function expectUnusableToken(token: string) {
    const { session } = await createNonMember()
    const before = await readStoredRows(instance)
    const responses = [
      await readInvitation(token),
      await acceptInvitation(token, session),
      await signUp(token),
    ]
    expect(await readStoredRows(instance)).toEqual(before)
    const [firstResponse, ...otherResponses] = responses.map(withoutRequestId)
    for (const otherResponse of otherResponses) expect(otherResponse).toEqual(firstResponse as object)
    expect(firstResponse).toMatchObject({ status: 404, code: 'not_found' })
    return firstResponse
  }

  return {
    ownerCredentials,
    createInvitation,
    readInvitation,
    acceptInvitation,
    signUp,
    createNonMember,
    expectUnusableToken,
  }
}
