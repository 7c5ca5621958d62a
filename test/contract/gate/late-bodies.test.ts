import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { formatRequest, openConnection, type RawConnection } from '../../support/raw-connection.ts'
import { openAccountRequests } from '../portal/operator-account-requests.ts'
import { readDepartments } from './requests.ts'

let instance: Instance
let server: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  instance = await openInstance()
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: instance.fetch })
})
afterAll(async () => {
  await server.stop(true)
  await instance.close()
})

describe('a request whose body arrives later than its headers', () => {
  const connections: RawConnection[] = []
  afterEach(() => {
    for (const connection of connections.splice(0)) connection.close()
  })

  /** Sends the headers and half of the body. @returns sends the rest, and resolves with everything received once it matches */
  async function startRequest(method: string, path: string, headers: Record<string, string>, body: object) {
    const connection = await openConnection(server.url.origin)
    connections.push(connection)
    const text = formatRequest(method, path, { headers, body: JSON.stringify(body) })
    connection.write(text.slice(0, -10))
    return (expected: RegExp) => {
      connection.write(text.slice(-10))
      return connection.waitFor(expected)
    }
  }

  test('is rejected if its API key is revoked meanwhile, and changes nothing', async () => {
    const workspace = await instance.workspace()
    const session = workspace.ownerSession
    const created = await instance.request('POST', `/portal/api/api-keys?workspaceId=${workspace.id}`, {
      session,
      body: { name: 'game', permissions: '["moderation.ban","departments.view"]' },
    })
    const { secret, apiKey } = created.body
    const finish = await startRequest(
      'POST',
      '/api/moderation',
      { authorization: `Bearer ${secret}` },
      { workspaceId: workspace.id, action: 'ban', userId: '777', reason: 'after revocation' },
    )
    // The key of the first request has been looked up before that of a later one.
    expect((await readDepartments(instance, workspace, { key: secret })).status).toBe(200)
    const revoked = await instance.request(
      'POST',
      `/portal/api/api-keys/revoke?workspaceId=${workspace.id}`,
      { session, body: { id: apiKey.id } },
    )
    expect(revoked.status).toBe(200)
    const response = await finish(/\}$/)
    expect(response).toStartWith('HTTP/1.1 401')
    expect(response).toContain('"reason":"key_revoked"')
    const records = await instance.request('GET', `/api/moderation?workspaceId=${workspace.id}&userId=777`, {
      session,
    })
    expect(records.body.records).toEqual([])
  })

  test('is rejected if its account is disabled meanwhile: an operator cannot enable themselves again', async () => {
    const { requests } = await openAccountRequests(instance)
    const id = await instance.account('Second operator', true)
    const session = await instance.session(id)
    const startChange = (body: object) =>
      startRequest(
        'PATCH',
        '/admin/api/accounts',
        { cookie: `reeve_session=${session}`, 'sec-fetch-site': 'same-origin' },
        { id, ...body },
      )
    const finishPromotion = await startChange({ isOperator: 'true' })
    const finishEnabling = await startChange({ disabled: 'false' })
    expect((await requests.readSession(session)).status).toBe(200)
    expect((await requests.change(id, { isOperator: 'false' })).status).toBe(200)
    expect(await finishPromotion(/\}$/)).toMatch(/^HTTP\/1\.1 40[13] /)
    expect((await requests.change(id, { disabled: 'true' })).status).toBe(200)
    expect(await finishEnabling(/\}$/)).toStartWith('HTTP/1.1 401')
    const { accounts } = (await requests.list({ q: 'Second operator' })).body
    expect(accounts).toMatchObject([{ id, status: 'disabled', isOperator: 'false' }])
  })
})
