import { afterEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, type TestResponse } from '../../support/instance.ts'

let instance: Instance
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const PATHS = ['/api/workspaces', '/api/public/v1/workspaces']
const create = (credentials: object, body: object = { groupName: 'New' }, path = PATHS[0] ?? '') =>
  instance.request('POST', path, { ...credentials, body })
const readMe = async (session: string) => (await instance.request('GET', '/portal/api/me', { session })).body
const limitMessage = (subject: string, owned: string) =>
  `${subject} ${owned}, archived ones included, and the limit is 2 per account. An operator of this instance can raise it (REEVE_WORKSPACES_PER_ACCOUNT).`

describe('an account that owns as many workspaces as it may', () => {
  const expectLimit = ({ status, body }: TestResponse, subject = 'You own') =>
    expect([status, body.code, body.error]).toEqual([409, 'conflict', limitMessage(subject, '2 workspaces')])

  test('creates no more, not even with a key or from an archive, and loses nothing', async () => {
    instance = await openInstance({ workspacesPerAccount: 2 })
    const { id, ownerSession: session, key } = await instance.workspace()
    const { archive } = (await create({ session }, { id, action: 'archive' })).body
    expect((await create({ session })).status).toBe(200)
    expect(await readMe(session)).toMatchObject({ workspaceLimit: '2', ownedWorkspaces: '2' })
    for (const path of PATHS) expectLimit(await create({ session }, { groupName: 'Third' }, path))
    expectLimit(await create({ session }, { fromArchive: archive.id }))
    expect((await readMe(session)).workspaces).toHaveLength(2)
    // Nothing else is limited.
    expect((await create({ session }, { id, action: 'restore' })).status).toBe(200)
    expectLimit(await create({ key }))
    const other = await instance.session(await instance.account())
    expect((await create({ session: other })).status).toBe(200)
  })

  test('creates exactly the allowed number when requests race', async () => {
    instance = await openInstance({ workspacesPerAccount: 2 })
    const session = await instance.session(await instance.account())
    const responses = await Promise.all(Array.from({ length: 8 }, () => create({ session })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, ...Array(6).fill(409)])
  })

  test('is given no other workspace, and can give one away to make room', async () => {
    instance = await openInstance({ workspacesPerAccount: 2 })
    const { id, ownerSession: session } = await instance.workspace()
    const { accountId, session: memberSession } = await instance.member(id, [])
    for (const groupName of ['One', 'Two']) await create({ session: memberSession }, { groupName })
    const transfer = () =>
      instance.request('POST', '/portal/api/ownership', {
        session,
        body: { workspaceId: id, accountId },
      })
    const { username } = (await readMe(memberSession)).account
    expectLimit(await transfer(), `${username} owns`)
    expect((await create({ session })).status).toBe(200)
    expectLimit(await create({ session }))
    const heir = await instance.member(id, [])
    const given = await instance.request('POST', '/portal/api/ownership', {
      session,
      body: { workspaceId: id, accountId: heir.accountId },
    })
    expect(given.status).toBe(200)
    expect((await create({ session })).status).toBe(200)
  })
})

test('without a limit, an account creates any number', async () => {
  instance = await openInstance({ workspacesPerAccount: 0 })
  const session = await instance.session(await instance.account())
  for (let count = 0; count < 12; count++) expect((await create({ session })).status).toBe(200)
  expect(await readMe(session)).toMatchObject({ workspaceLimit: null, ownedWorkspaces: '12' })
})

test('if only operators may create workspaces, others cannot, with a key neither; they can be given one', async () => {
  instance = await openInstance({ workspaceCreation: 'operators' })
  const { id, key, ownerSession: session } = await instance.workspace()
  const operatorId = await instance.account('Operator', true)
  const operator = await instance.session(operatorId)
  for (const response of [await create({ session }), await create({ key })]) {
    expect([response.status, response.body.reason, response.body.error]).toEqual([
      403,
      'missing_permission',
      'On this instance, only operators create workspaces (REEVE_WORKSPACE_CREATION). Ask an operator to create one for you.',
    ])
  }
  const { archive } = (await create({ session }, { id, action: 'archive' })).body
  expect((await create({ session }, { fromArchive: archive.id })).status).toBe(403)
  expect((await create({ session: operator })).status).toBe(200)
  expect((await readMe(session)).workspaceCreation).toBe('operators')
})
