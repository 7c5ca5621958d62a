import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { generateFirstRunCode } from '@reeve/auth'
import { permissions } from '@reeve/core'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

const PATH = '/portal/api/first-run'

let instance: Instance
beforeEach(async () => {
  instance = await openInstance()
})
afterEach(() => instance.close())

const fields = () => ({
  code: instance.firstRunCode.text,
  username: 'Robin',
  password: 'a long enough secret',
  groupName: 'Night Shift',
})

const setUp = (changed: object = {}, more: object = {}): Promise<TestResponse> =>
  instance.request('POST', PATH, { body: { ...fields(), ...changed }, ...more })

const isNeeded = async () => (await instance.request('GET', PATH)).body.needed

const tokenIn = (response: TestResponse): string =>
  /^reeve_session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''

describe('works', () => {
  test('with the code, a new instance gets its operator, signed in, and a workspace of theirs', async () => {
    expect(await isNeeded()).toBe('true')
    const response = await setUp()
    expect(response.status).toBe(200)
    const { account, workspaceId } = response.body
    expect(account).toMatchObject({ username: 'Robin', isOperator: 'true' })
    const me = await instance.request('GET', '/portal/api/me', { session: tokenIn(response) })
    expect(me.body.account).toEqual(account)
    expect(me.body.workspaces).toEqual([
      {
        id: workspaceId,
        groupName: 'Night Shift',
        status: 'active',
        roles: [{ id: expect.any(String), name: 'Owner', color: null }],
        permissions: JSON.stringify(permissions),
        rank: '1000000',
        isOwner: 'true',
      },
    ])
    expect(await isNeeded()).toBe('false')
  })

  test('the code may be typed in lower case, without its dashes, and with letters for the digits they look like', async () => {
    const codeText = instance.firstRunCode.text
      .toLowerCase()
      .replaceAll('-', ' ')
      .replaceAll('0', 'o')
      .replaceAll('1', 'l')
    expect((await setUp({ code: codeText })).status).toBe(200)
  })

  test('the code is long, easy to read, and another one each time', () => {
    const codes = Array.from({ length: 100 }, () => generateFirstRunCode(instance.ports).text)
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(new Set(codes).size).toBe(100)
  })

  test('the code is nowhere in what the instance stores', async () => {
    await setUp({ code: 'WRONG' })
    await setUp()
    const text = JSON.stringify(await readStoredRows(instance))
    expect(text).toContain('Night Shift')
    expect(text).not.toContain(instance.firstRunCode.text)
    expect(text).not.toContain(instance.firstRunCode.text.replaceAll('-', ''))
  })
})

describe('errors', () => {
  test('a wrong code sets nothing up', async () => {
    const before = await readStoredRows(instance)
    const response = await setUp({ code: '0000-0000-0000' })
    expect([response.status, response.body.code]).toEqual([401, 'unauthorized'])
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(await readStoredRows(instance)).toEqual(before)
    expect(await isNeeded()).toBe('true')
  })

  test('guesses at the code are throttled, the right one too', async () => {
    const guesses = await Promise.all(Array.from({ length: 20 }, () => setUp({ code: 'AAAA' })))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10)
    const rejectedResponse = await setUp()
    expect(rejectedResponse.status).toBe(429)
    expect(rejectedResponse.headers.get('retry-after')).toBe('900')
    expect((await setUp({}, { from: '198.51.100.1' })).status).toBe(200)
  })

  test('every field that is absent or not good enough is named', async () => {
    const emptyResponse = await instance.request('POST', PATH, { body: {} })
    const listFieldNames = (response: TestResponse) =>
      response.body.details.map((one: { field: string }) => one.field)
    expect(listFieldNames(emptyResponse)).toEqual(['code', 'username', 'password', 'groupName'])
    const invalidResponse = await setUp({ username: 'a\u200bb', password: 'short', groupName: '' })
    expect(listFieldNames(invalidResponse).sort()).toEqual(['groupName', 'password', 'username'])
    for (const password of ['password123', 'aaaaaaaaaaaa', '123456789', 'x'.repeat(201)])
      expect((await setUp({ password })).status).toBe(400)
  })

  test('once there is an account it is over, whatever the code', async () => {
    await instance.account()
    expect(await isNeeded()).toBe('false')
    for (const code of [instance.firstRunCode.text, 'AAAA']) {
      const response = await setUp({ code })
      expect([response.status, response.body.code]).toEqual([409, 'conflict'])
    }
  })

  test('of two set-ups at the same time exactly one wins', async () => {
    const responses = await Promise.all([
      setUp(),
      setUp({ username: 'Kim', groupName: 'Day Shift' }),
      setUp({ username: 'Sam', groupName: 'Late Shift' }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const tables = await readStoredRows(instance)
    expect(tables.account).toHaveLength(1)
    expect(tables.workspace).toHaveLength(1)
  })
})

describe('access', () => {
  test('another site cannot set an instance up through a browser', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const response = await setUp({}, { headers })
    expect([response.status, response.body.reason]).toEqual([403, 'cross_site_request'])
    expect(await isNeeded()).toBe('true')
  })
})
