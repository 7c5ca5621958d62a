import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { createInvitationRequests, nextIp, READ, SIGN_UP } from './invitation-requests.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let calls: ReturnType<typeof createInvitationRequests>
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
  calls = createInvitationRequests(instance, workspace)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

describe('a link is good for one', () => {
  test('used, withdrawn, expired and never made are answered alike, and change nothing', async () => {
    const usedToken = await calls.createInvitation()
    await calls.acceptInvitation(usedToken, (await calls.createNonMember()).session)
    const withdrawnToken = await calls.createInvitation()
    const [{ id }] = (
      await instance.request(
        'GET',
        `/portal/api/invitations?workspaceId=${workspace.id}`,
        calls.ownerCredentials(),
      )
    ).body.invitations
    await instance.request(
      'DELETE',
      `/portal/api/invitations?workspaceId=${workspace.id}&id=${id}`,
      calls.ownerCredentials(),
    )
    const expired = await calls.createInvitation({ validSeconds: '3600' })
    const truncatedToken = (await calls.createInvitation()).slice(0, -1)
    instance.clock.advance(3_600_000)
    const responses = []
    for (const token of [usedToken, withdrawnToken, expired, truncatedToken, 'never made'])
      responses.push(await calls.expectUnusableToken(token))
    expect(new Set(responses.map((first) => JSON.stringify(first))).size).toBe(1)
  })

  test('of many who accept it at the same time exactly one becomes a member', async () => {
    const token = await calls.createInvitation()
    const people = await Promise.all(Array.from({ length: 8 }, () => calls.createNonMember()))
    const responses = await Promise.all([
      ...people.map(({ session }) => calls.acceptInvitation(token, session)),
      calls.signUp(token),
      calls.signUp(token),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
    const { body } = await instance.request(
      'GET',
      `/portal/api/members?workspaceId=${workspace.id}`,
      calls.ownerCredentials(),
    )
    expect(body.members).toHaveLength(2)
  })

  test('one person who accepts it twice at the same time is a member once', async () => {
    const { session } = await calls.createNonMember()
    const token = await calls.createInvitation()
    const responses = await Promise.all([
      calls.acceptInvitation(token, session),
      calls.acceptInvitation(token, session),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test('of two who choose the same name at the same time, one gets it, and the other link stays good', async () => {
    const [first, second] = [await calls.createInvitation(), await calls.createInvitation()]
    const username = 'Wanted by two'
    const responses = await Promise.all([
      calls.signUp(first, { username }),
      calls.signUp(second, { username }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const remainingSession = responses[0]?.status === 409 ? first : second
    expect((await calls.signUp(remainingSession, { username: 'Third choice' })).status).toBe(200)
  })

  test('a member who follows it is told so, and it stays good for another', async () => {
    const token = await calls.createInvitation()
    const before = await readStoredRows(instance)
    const response = await calls.acceptInvitation(token, workspace.ownerSession)
    expect([response.status, response.body.error]).toEqual([
      409,
      expect.stringMatching(/^You are already a member of group \d+\.$/),
    ])
    expect(await readStoredRows(instance)).toEqual(before)
    expect((await calls.acceptInvitation(token, (await calls.createNonMember()).session)).status).toBe(200)
  })
})

describe('errors', () => {
  test('fields that are absent or not good enough are named, and the link stays good', async () => {
    const token = await calls.createInvitation()
    const listFieldNames = (response: TestResponse) =>
      response.body.details.map(({ field }: { field: string }) => field).sort()
    expect(listFieldNames(await instance.request('POST', READ, { body: {} }))).toEqual(['token'])
    expect(listFieldNames(await instance.request('POST', SIGN_UP, { body: {} }))).toEqual([
      'password',
      'token',
      'username',
    ])
    expect(listFieldNames(await calls.signUp(token, { password: 'short' }))).toEqual(['password'])
    expect(listFieldNames(await calls.signUp(token, { username: 'a\u200bb' }))).toEqual(['username'])
    expect((await calls.signUp(token)).status).toBe(200)
  })

  test('a taken name is a conflict, ignoring case, and the link stays good', async () => {
    await instance.account('Taken')
    const token = await calls.createInvitation()
    const response = await calls.signUp(token, { username: 'TAKEN' })
    expect([response.status, response.headers.get('set-cookie')]).toEqual([409, null])
    expect((await calls.signUp(token)).status).toBe(200)
  })

  test('guesses at tokens are throttled by address, a good one too', async () => {
    const token = await calls.createInvitation()
    const from = nextIp()
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 2 ? calls.readInvitation(`x${index}`, { from }) : calls.signUp('x', {}, { from }),
      ),
    )
    expect(guesses.filter(({ status }) => status === 404)).toHaveLength(10)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(20)
    const rejectedResponse = await calls.readInvitation(token, { from })
    expect([rejectedResponse.status, rejectedResponse.headers.get('retry-after')]).toEqual([429, '900'])
    expect((await calls.readInvitation(token)).status).toBe(200)
  })

  test('neither token nor password is echoed or stored, however a call is refused', async () => {
    const token = await calls.createInvitation()
    const responses = [
      await calls.signUp(token, { password: ['the-secret-that-leaks'] }),
      await calls.signUp(token, { extra: 'the-secret-that-leaks' }),
      await instance.request('POST', READ, { body: `{"token":"${token}"` }),
      await calls.signUp(token, { password: 'the-secret-that-leaks' }),
    ]
    for (const { text } of responses) {
      expect(text).not.toContain('the-secret-that-leaks')
      expect(text).not.toContain(token)
    }
    const all = JSON.stringify(await readStoredRows(instance))
    expect(all).not.toContain('the-secret-that-leaks')
    expect(all).not.toContain(token)
  })

  test('a token is taken from the body alone: an address ends up in logs', async () => {
    const token = await calls.createInvitation()
    const response = await instance.request('POST', `${READ}?token=${token}`, { body: {}, from: nextIp() })
    expect(response.status).toBe(400)
    expect((await instance.request('GET', READ)).status).toBe(405)
  })
})
