import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Answer, type Instance, openInstance } from '../../support/instance.ts'
import { stored } from '../../support/stored.ts'
import { invitationCalls, newAddress, READ, SIGN_UP } from './invitation-calls.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let calls: ReturnType<typeof invitationCalls>
beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  workspace = await instance.workspace()
  calls = invitationCalls(instance, workspace)
})
afterAll(async () => {
  expect(instance.failures).toEqual([])
  await instance.close()
})

describe('a link is good for one', () => {
  test('used, withdrawn, expired and never made are answered alike, and change nothing', async () => {
    const used = await calls.invite()
    await calls.accept(used, (await calls.someone()).session)
    const withdrawn = await calls.invite()
    const [{ id }] = (
      await instance.call('GET', `/portal/api/invitations?workspaceId=${workspace.id}`, calls.asOwner())
    ).body.invitations
    await instance.call(
      'DELETE',
      `/portal/api/invitations?workspaceId=${workspace.id}&id=${id}`,
      calls.asOwner(),
    )
    const expired = await calls.invite({ validSeconds: '3600' })
    const cut = (await calls.invite()).slice(0, -1)
    instance.clock.advance(3_600_000)
    const answers = []
    for (const token of [used, withdrawn, expired, cut, 'never made'])
      answers.push(await calls.opensNothing(token))
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  })

  test('of many who accept it at the same time exactly one becomes a member', async () => {
    const token = await calls.invite()
    const people = await Promise.all(Array.from({ length: 8 }, () => calls.someone()))
    const answers = await Promise.all([
      ...people.map(({ session }) => calls.accept(token, session)),
      calls.signUp(token),
      calls.signUp(token),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
    const { body } = await instance.call(
      'GET',
      `/portal/api/members?workspaceId=${workspace.id}`,
      calls.asOwner(),
    )
    expect(body.members).toHaveLength(2)
  })

  test('one person who accepts it twice at the same time is a member once', async () => {
    const { session } = await calls.someone()
    const token = await calls.invite()
    const answers = await Promise.all([calls.accept(token, session), calls.accept(token, session)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test('of two who choose the same name at the same time, one gets it, and the other link stays good', async () => {
    const [one, other] = [await calls.invite(), await calls.invite()]
    const username = 'Wanted by two'
    const answers = await Promise.all([calls.signUp(one, { username }), calls.signUp(other, { username })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const left = answers[0]?.status === 409 ? one : other
    expect((await calls.signUp(left, { username: 'Third choice' })).status).toBe(200)
  })

  test('a member who follows it is told so, and it stays good for another', async () => {
    const token = await calls.invite()
    const before = await stored(instance)
    const answer = await calls.accept(token, workspace.ownerSession)
    expect([answer.status, answer.body.error]).toEqual([
      409,
      expect.stringMatching(/^You are a member of group \d+ already\.$/),
    ])
    expect(await stored(instance)).toEqual(before)
    expect((await calls.accept(token, (await calls.someone()).session)).status).toBe(200)
  })
})

describe('errors', () => {
  test('fields that are absent or not good enough are named, and the link stays good', async () => {
    const token = await calls.invite()
    const named = (answer: Answer) => answer.body.details.map(({ field }: { field: string }) => field).sort()
    expect(named(await instance.call('POST', READ, { body: {} }))).toEqual(['token'])
    expect(named(await instance.call('POST', SIGN_UP, { body: {} }))).toEqual([
      'password',
      'token',
      'username',
    ])
    expect(named(await calls.signUp(token, { password: 'short' }))).toEqual(['password'])
    expect(named(await calls.signUp(token, { username: 'a\u200bb' }))).toEqual(['username'])
    expect((await calls.signUp(token)).status).toBe(200)
  })

  test('a taken name is a conflict, ignoring case, and the link stays good', async () => {
    await instance.account('Taken')
    const token = await calls.invite()
    const answer = await calls.signUp(token, { username: 'TAKEN' })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([409, null])
    expect((await calls.signUp(token)).status).toBe(200)
  })

  test('guesses at tokens are throttled by address, a good one too', async () => {
    const token = await calls.invite()
    const from = newAddress()
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 2 ? calls.read(`x${index}`, { from }) : calls.signUp('x', {}, { from }),
      ),
    )
    expect(guesses.filter(({ status }) => status === 404)).toHaveLength(10)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(20)
    const refused = await calls.read(token, { from })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    expect((await calls.read(token)).status).toBe(200)
  })

  test('neither token nor password is echoed or stored, however a call is refused', async () => {
    const token = await calls.invite()
    const answers = [
      await calls.signUp(token, { password: ['the-secret-that-leaks'] }),
      await calls.signUp(token, { extra: 'the-secret-that-leaks' }),
      await instance.call('POST', READ, { body: `{"token":"${token}"` }),
      await calls.signUp(token, { password: 'the-secret-that-leaks' }),
    ]
    for (const { text } of answers) {
      expect(text).not.toContain('the-secret-that-leaks')
      expect(text).not.toContain(token)
    }
    const all = JSON.stringify(await stored(instance))
    expect(all).not.toContain('the-secret-that-leaks')
    expect(all).not.toContain(token)
  })

  test('a token is taken from the body alone: an address ends up in logs', async () => {
    const token = await calls.invite()
    const answer = await instance.call('POST', `${READ}?token=${token}`, { body: {}, from: newAddress() })
    expect(answer.status).toBe(400)
    expect((await instance.call('GET', READ)).status).toBe(405)
  })
})
