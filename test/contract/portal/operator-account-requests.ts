import type { Instance, TestResponse } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

export const PATH = '/admin/api/accounts'

export interface OperatorSession {
  readonly id: string
  readonly session: string
}

/** Creates an operator, with the requests that they send for accounts. */
export async function openAccountRequests(instance: Instance) {
  const id = await instance.account('Operator', true)
  const operator: OperatorSession = { id, session: await instance.session(id) }
  const { session } = operator
  const requests = {
    list: (query: Record<string, string> = {}) =>
      instance.request('GET', `${PATH}?${new URLSearchParams(query)}`, { session }),
    create: (body: object, more: object = {}): Promise<TestResponse> =>
      instance.request('POST', PATH, { session, body, ...more }),
    change: (accountId: string, body: object, as = session): Promise<TestResponse> =>
      instance.request('PATCH', PATH, { session: as, body: { id: accountId, ...body } }),
    createLink: (body: object, more: object = {}): Promise<TestResponse> =>
      instance.request('POST', `${PATH}/link`, { session, body, ...more }),
    readLink: (token: string, more: object = {}): Promise<TestResponse> =>
      instance.request('POST', '/portal/api/password-link', { body: { token }, ...more }),
    setPassword: (token: string, password: string, more: object = {}): Promise<TestResponse> =>
      instance.request('POST', '/portal/api/password-link/password', { body: { token, password }, ...more }),
    signIn: (username: string, password: string) =>
      instance.request('POST', '/portal/api/sign-in', { body: { username, password } }),
    readSession: (token: string) => instance.request('GET', '/portal/api/me', { session: token }),
    /** The audit actions of the operator on an account, oldest first. */
    readAuditActions: async (accountId: string): Promise<string[]> =>
      ((await readStoredRows(instance)).audit ?? [])
        .map((line) => JSON.parse(line))
        .filter((row) => row.target_id === accountId && row.actor_id === id)
        .sort((one, other) => one.sequence - other.sequence)
        .map((row) => row.action),
  }
  return { operator, requests }
}

export type AccountRequests = Awaited<ReturnType<typeof openAccountRequests>>['requests']
