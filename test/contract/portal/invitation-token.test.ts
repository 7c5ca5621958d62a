import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { createInvitationRequests, nextIp, READ, SIGN_UP } from './invitation-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let requests: ReturnType<typeof createInvitationRequests>
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
  requests = createInvitationRequests(instance, workspace)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

describe('a link can be used once', () => {
  test('used, withdrawn, expired and unknown tokens get the same response and change nothing', async () => {
    const usedToken = await requests.createInvitation()
    await requests.acceptInvitation(usedToken, (await requests.createNonMember()).session)
    const withdrawnToken = await requests.createInvitation()
    const [{ id }] = (
      await instance.request(
        'GET',
        `/portal/api/invitations?workspaceId=${workspace.id}`,
        requests.ownerCredentials(),
      )
    ).body.invitations
    await instance.request(
      'DELETE',
      `/portal/api/invitations?workspaceId=${workspace.id}&id=${id}`,
      requests.ownerCredentials(),
    )
    const expired = await requests.createInvitation({ validSeconds: '3600' })
    const truncatedToken = (await requests.createInvitation()).slice(0, -1)
    instance.clock.advance(3_600_000)
    const responses = []
    for (const token of [usedToken, withdrawnToken, expired, truncatedToken, 'unknown'])
      responses.push(await requests.expectUnusableToken(token))
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1)
  })

  test('of several concurrent acceptances by different people, exactly one succeeds', async () => {
    const token = await requests.createInvitation()
    const people = await Promise.all(Array.from({ length: 8 }, () => requests.createNonMember()))
    const responses = await Promise.all([
      ...people.map(({ session }) => requests.acceptInvitation(token, session)),
      requests.signUp(token),
      requests.signUp(token),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
    const { body } = await instance.request(
      'GET',
      `/portal/api/members?workspaceId=${workspace.id}`,
      requests.ownerCredentials(),
    )
    expect(body.members).toHaveLength(2)
  })

  test('of two concurrent acceptances by one person, exactly one succeeds', async () => {
    const { session } = await requests.createNonMember()
    const token = await requests.createInvitation()
    const responses = await Promise.all([
      requests.acceptInvitation(token, session),
      requests.acceptInvitation(token, session),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test('of two concurrent sign-ups with one username, one succeeds and the other link stays valid', async () => {
    const [first, second] = [await requests.createInvitation(), await requests.createInvitation()]
    const username = 'Wanted by two'
    const responses = await Promise.all([
      requests.signUp(first, { username }),
      requests.signUp(second, { username }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const unusedToken = responses[0]?.status === 409 ? first : second
    expect((await requests.signUp(unusedToken, { username: 'Third choice' })).status).toBe(200)
  })

  test('a member gets a conflict, and the link stays valid for others', async () => {
    const token = await requests.createInvitation()
    const before = await readStoredRows(instance)
    const response = await requests.acceptInvitation(token, workspace.ownerSession)
    expect([response.status, response.body.error]).toEqual([
      409,
      expect.stringMatching(/^You are already a member of group \d+\.$/),
    ])
    expect(await readStoredRows(instance)).toEqual(before)
    expect((await requests.acceptInvitation(token, (await requests.createNonMember()).session)).status).toBe(
      200,
    )
  })
})

describe('errors', () => {
  test('missing and invalid fields are named, and the link stays valid', async () => {
    const token = await requests.createInvitation()
    const listFieldNames = (response: TestResponse) =>
      response.body.details.map(({ field }: { field: string }) => field).sort()
    expect(listFieldNames(await instance.request('POST', READ, { body: {} }))).toEqual(['token'])
    expect(listFieldNames(await instance.request('POST', SIGN_UP, { body: {} }))).toEqual([
      'password',
      'token',
      'username',
    ])
    expect(listFieldNames(await requests.signUp(token, { password: 'short' }))).toEqual(['password'])
    expect(listFieldNames(await requests.signUp(token, { username: 'a\u200bb' }))).toEqual(['username'])
    expect((await requests.signUp(token)).status).toBe(200)
  })

  test('a taken username is a conflict, case-insensitive, and the link stays valid', async () => {
    await instance.account('Taken')
    const token = await requests.createInvitation()
    const response = await requests.signUp(token, { username: 'TAKEN' })
    expect([response.status, response.headers.get('set-cookie')]).toEqual([409, null])
    expect((await requests.signUp(token)).status).toBe(200)
  })

  test('attempts are throttled by IP address, also with a valid token', async () => {
    const token = await requests.createInvitation()
    const from = nextIp()
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 2 ? requests.readInvitation(`x${index}`, { from }) : requests.signUp('x', {}, { from }),
      ),
    )
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(10)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20)
    const rejectedResponse = await requests.readInvitation(token, { from })
    expect([rejectedResponse.status, rejectedResponse.headers.get('retry-after')]).toEqual([429, '900'])
    expect((await requests.readInvitation(token)).status).toBe(200)
  })

  test('no error response or stored row contains the token or the password', async () => {
    const token = await requests.createInvitation()
    const responses = [
      await requests.signUp(token, { password: ['the-secret-that-leaks'] }),
      await requests.signUp(token, { extra: 'the-secret-that-leaks' }),
      await instance.request('POST', READ, { body: `{"token":"${token}"` }),
      await requests.signUp(token, { password: 'the-secret-that-leaks' }),
    ]
    for (const { text } of responses) {
      expect(text).not.toContain('the-secret-that-leaks')
      expect(text).not.toContain(token)
    }
    const all = JSON.stringify(await readStoredRows(instance))
    expect(all).not.toContain('the-secret-that-leaks')
    expect(all).not.toContain(token)
  })

  test('a token is accepted in the body only, because URLs end up in logs', async () => {
    const token = await requests.createInvitation()
    const response = await instance.request('POST', `${READ}?token=${token}`, { body: {}, from: nextIp() })
    expect(response.status).toBe(400)
    expect((await instance.request('GET', READ)).status).toBe(405)
  })
})
