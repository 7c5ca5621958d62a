import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { generateFirstRunCode } from '@reeve/auth'
import { permissions } from '@reeve/core'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'
import { readSessionToken } from '../../support/session-token.ts'
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

const setUp = (changes: object = {}, options: object = {}): Promise<TestResponse> =>
  instance.request('POST', PATH, { body: { ...fields(), ...changes }, ...options })

const isNeeded = async () => (await instance.request('GET', PATH)).body.needed

describe('the setup', () => {
  test('with the code creates the first operator, signed in, and a workspace that it owns', async () => {
    expect(await isNeeded()).toBe('true')
    const response = await setUp()
    expect(response.status).toBe(200)
    const { account, workspaceId } = response.body
    expect(account).toMatchObject({ username: 'Robin', isOperator: 'true' })
    const me = await instance.request('GET', '/portal/api/me', { session: readSessionToken(response) })
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
        restrictedEndpoints: [],
        profileUrl: null,
        platforms: ['roblox'],
        missingSecondFactor: 'none',
        secondFactorDueAt: null,
        deleteAt: null,
        sequence: expect.stringMatching(/^\d+$/),
      },
    ])
    expect(await isNeeded()).toBe('false')
  })

  test('accepts the code in lower case, without dashes, and with letters that look like its digits', async () => {
    const codeText = instance.firstRunCode.text
      .toLowerCase()
      .replaceAll('-', ' ')
      .replaceAll('0', 'o')
      .replaceAll('1', 'l')
    expect((await setUp({ code: codeText })).status).toBe(200)
  })

  test('generates a new unambiguous code each time', () => {
    const codes = Array.from({ length: 100 }, () => generateFirstRunCode(instance.ports).text)
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(new Set(codes).size).toBe(100)
  })

  test('never stores the code', async () => {
    await setUp({ code: 'WRONG' })
    await setUp()
    const text = JSON.stringify(await readStoredRows(instance))
    expect(text).toContain('Night Shift')
    expect(text).not.toContain(instance.firstRunCode.text)
    expect(text).not.toContain(instance.firstRunCode.text.replaceAll('-', ''))
  })
})

describe('errors', () => {
  test('a wrong code changes nothing', async () => {
    const before = await readStoredRows(instance)
    const response = await setUp({ code: '0000-0000-0000' })
    expect([response.status, response.body.code]).toEqual([401, 'unauthorized'])
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(await readStoredRows(instance)).toEqual(before)
    expect(await isNeeded()).toBe('true')
  })

  test('attempts are throttled, also with the correct code', async () => {
    const attempts = await Promise.all(Array.from({ length: 20 }, () => setUp({ code: 'AAAA' })))
    expect(attempts.filter(({ status }) => status === 401)).toHaveLength(10)
    const rejectedResponse = await setUp()
    expect(rejectedResponse.status).toBe(429)
    expect(rejectedResponse.headers.get('retry-after')).toBe('900')
    expect((await setUp({}, { from: '198.51.100.1' })).status).toBe(200)
  })

  test('every missing or invalid field is named', async () => {
    const emptyResponse = await instance.request('POST', PATH, { body: {} })
    const listFieldNames = (response: TestResponse) =>
      response.body.details.map((detail: { field: string }) => detail.field)
    expect(listFieldNames(emptyResponse)).toEqual(['code', 'username', 'password', 'groupName'])
    const invalidResponse = await setUp({ username: 'a\u200bb', password: 'short', groupName: '' })
    expect(listFieldNames(invalidResponse).sort()).toEqual(['groupName', 'password', 'username'])
    for (const password of ['password123', 'aaaaaaaaaaaa', '123456789', 'x'.repeat(201)])
      expect((await setUp({ password })).status).toBe(400)
  })

  test('setup is refused once an account exists, with any code', async () => {
    await instance.account()
    expect(await isNeeded()).toBe('false')
    for (const code of [instance.firstRunCode.text, 'AAAA']) {
      const response = await setUp({ code })
      expect([response.status, response.body.code]).toEqual([409, 'conflict'])
    }
  })

  test('of concurrent setups, exactly one succeeds', async () => {
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
  test('another site cannot set up an instance through a browser', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const response = await setUp({}, { headers })
    expect([response.status, response.body.reason]).toEqual([403, 'cross_site_request'])
    expect(await isNeeded()).toBe('true')
  })
})
