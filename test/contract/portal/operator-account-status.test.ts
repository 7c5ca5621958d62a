import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, PASSWORD } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'
import {
  type AccountRequests,
  type OperatorSession,
  openAccountRequests,
} from './operator-account-requests.ts'

let instance: Instance
let operator: OperatorSession
let requests: AccountRequests

beforeAll(async () => {
  instance = await openInstance()
  ;({ operator, requests } = await openAccountRequests(instance))
})
afterAll(() => instance.close())

describe('disabling an account', () => {
  test('ends its sessions and prevents sign-in until the account is enabled again', async () => {
    const id = await instance.account('On leave')
    const session = readSessionToken(await requests.signIn('On leave', PASSWORD))
    const { body } = await requests.change(id, { disabled: 'true' })
    expect(body.account).toMatchObject({
      status: 'disabled',
      disabledAt: new Date(instance.ports.now()).toISOString(),
      lastSeenAt: null,
    })
    expect((await requests.readSession(session)).body.reason).toBe('invalid_session')
    const rightPassword = await requests.signIn('On leave', PASSWORD)
    expect([rightPassword.status, rightPassword.headers.get('set-cookie')]).toEqual([401, null])
    expect(rightPassword.body.error).toBe('This account is disabled. Contact the operator of this instance.')
    expect((await requests.change(id, { disabled: 'false' })).body.account.status).toBe('active')
    expect((await requests.signIn('On leave', PASSWORD)).status).toBe(200)
    expect(await requests.readAuditActions(id)).toEqual(['accounts.disable', 'accounts.enable'])
  })

  test('is revealed only after the right password', async () => {
    const id = await instance.account('Hidden')
    await requests.change(id, { disabled: 'true' })
    const wrongPassword = await requests.signIn('Hidden', 'not the password')
    const unknownUsername = await requests.signIn('never was', 'not the password')
    expect({ ...wrongPassword.body, requestId: '' }).toEqual({ ...unknownUsername.body, requestId: '' })
  })

  test('leaves no valid session from a concurrent sign-in', async () => {
    const id = await instance.account('Raced')
    const [response] = await Promise.all([
      requests.signIn('Raced', PASSWORD),
      requests.change(id, { disabled: 'true' }),
    ])
    const session = readSessionToken(response)
    if (session) expect((await requests.readSession(session)).status).toBe(401)
    expect((await requests.signIn('Raced', PASSWORD)).status).toBe(401)
  })

  test('does not affect its workspaces and their API keys', async () => {
    const workspace = await instance.workspace()
    await requests.change(workspace.ownerId, { disabled: 'true' })
    const response = await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, {
      key: workspace.key,
    })
    expect(response.status).toBe(200)
  })

  test('keeps its original time if the account is changed again', async () => {
    const id = await instance.account('Long gone')
    const first = (await requests.change(id, { disabled: 'true' })).body.account.disabledAt
    instance.clock.advance(60_000)
    expect(
      (await requests.change(id, { disabled: 'true', isOperator: 'false' })).body.account.disabledAt,
    ).toBe(first)
  })

  test('is a conflict for one’s own account', async () => {
    const other = await instance.account('Second operator', true)
    expect(
      await expectRejectedUnchanged(instance, () => requests.change(operator.id, { disabled: 'true' })),
    ).toMatchObject({
      status: 409,
    })
    await requests.change(other, { isOperator: 'false' })
  })
})
