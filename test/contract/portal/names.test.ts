import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

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

test('no name that people or programs set contains invisible or bidirectional control characters', async () => {
  const name = 'Mod\u202erotar'
  const { ownerSession: session, id: workspaceId, key } = workspace
  const scheduledFor = new Date(instance.ports.now()).toISOString()
  for (const [path, field, body] of [
    ['/api/workspaces', 'groupName', {}],
    ['/api/workspaces', 'groupName', { id: workspaceId }],
    ['/api/departments', 'name', { workspaceId }],
    ['/api/events', 'title', { workspaceId, scheduledFor }],
    ['/api/moderation', 'userUsername', { workspaceId, action: 'note', userId: '1', reason: 'Asked' }],
    ['/portal/api/roles', 'name', { workspaceId, rank: '5', permissions: '' }],
    ['/portal/api/api-keys', 'name', { workspaceId, permissions: '' }],
    ['/portal/api/saved-views', 'name', { workspaceId, list: 'records', filters: '' }],
  ] as const) {
    const { status, details } = await expectRejectedUnchanged(instance, () =>
      instance.request('POST', path, { session, body: { ...body, [field]: name } }),
    )
    expect([path, status, details.map((one: { field: string }) => one.field)]).toEqual([path, 400, [field]])
  }
  expect(key).toBeString()
  expect(instance.unexpectedErrors).toEqual([])
})
