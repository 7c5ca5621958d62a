import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listAllFields, sendFields } from '../../security/complete-request.ts'
import { isSafe, listRoutes } from '../../security/routes.ts'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

const ONE_LINE = /(?:^|\. )Text, .*on one line/

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let operator: string
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  operator = await instance.session(await instance.account('Operator', true))
})
afterAll(() => instance.close())

const createAccount = (username: string) =>
  instance.request('POST', '/admin/api/accounts', {
    session: operator,
    body: { username },
  })

describe('two accounts', () => {
  test('cannot have usernames that look the same, also with concurrent requests', async () => {
    expect((await createAccount('scope')).status).toBe(200)
    for (const username of ['ѕсоре', 'sc0pe', 'SCOPE']) {
      const { status } = await expectRejectedUnchanged(instance, () => createAccount(username))
      expect([username, status]).toEqual([username, 409])
    }
    const responses = await Promise.all(['Robln', 'RobIn', 'robIn'].map(createAccount))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await createAccount('Аdmin')).body.details).toEqual([
      { field: 'username', message: 'must not mix letters of different scripts, such as Latin and Cyrillic' },
    ])
    expect((await createAccount('Админ')).status).toBe(200)
  })
})

/** One-line texts that are no names: each is compared with something, is a URL, or is a text in which any character may be. */
const OTHER_TEXTS: ReadonlySet<string> = new Set([
  ...['token', 'code', 'recoveryCode', 'login', 'invitation', 'provider', 'issuer', 'parameters'],
  ...['profileUrl', 'filters', 'note', 'message'],
  'POST /portal/api/sign-in username',
])

test('no name that people or programs set contains invisible or bidirectional control characters', async () => {
  const accepted: string[] = []
  let rejected = 0
  for (const route of listRoutes(instance)) {
    if (isSafe(route) || route.path.startsWith(LEGACY_PREFIX)) continue
    for (const field of listAllFields(route).filter(({ description }) => ONE_LINE.test(description))) {
      if (OTHER_TEXTS.has(field.name) || OTHER_TEXTS.has(`${route.name} ${field.name}`)) continue
      const fields = {
        ...(route.rule?.workspace === 'required' && { workspaceId: workspace.id }),
        [field.name]: 'Mod\u202erotar',
      }
      const session = route.rule?.caller === 'operator' ? operator : workspace.ownerSession
      const { status, body } = await sendFields(instance, route, fields, { session })
      const messages = (body?.details ?? []).filter((one: { field: string }) => one.field === field.name)
      if (messages.some((one: { message: string }) => one.message.includes('invisible'))) rejected += 1
      else accepted.push(`${route.name} ${field.name} ${status}`)
    }
  }
  expect(accepted, 'a name accepts them: use wire.name, or list a text that is none above').toEqual([])
  expect(rejected).toBeGreaterThan(20)
  expect(instance.unexpectedErrors).toEqual([])
})
