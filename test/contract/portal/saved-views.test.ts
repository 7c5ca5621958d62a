import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
const path = '/portal/api/saved-views'

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

type Fields = Readonly<Record<string, unknown>>

/** A workspace with an owner and two people who can view records. */
async function openViews() {
  const { id, ownerSession } = await instance.workspace()
  const kim = (await instance.member(id, ['moderation.view'])).session
  const lee = (await instance.member(id, ['moderation.view'])).session
  const send = (method: string, session: string, body: Fields, headers: Record<string, string> = {}) =>
    instance.request(method, path, { session, body: { workspaceId: id, ...body }, headers })
  const create = async (session: string, body: Fields = {}) =>
    (await send('POST', session, { list: 'records', name: 'Mine', filters: 'severity=high', ...body })).body
      .savedView
  const remove = (session: string, viewId: string) =>
    instance.request('DELETE', `${path}?workspaceId=${id}&id=${viewId}`, { session })
  const list = async (session: string) =>
    (await instance.request('GET', `${path}?workspaceId=${id}`, { session })).body.savedViews
  const listNames = async (session: string) => (await list(session)).map(({ name }: { name: string }) => name)
  return { id, ownerSession, kim, lee, send, create, remove, list, listNames }
}

describe('a saved view', () => {
  test('belongs to the person who saved it, until they share it', async () => {
    const { kim, lee, create, list, listNames, send } = await openViews()
    const view = await create(kim)
    expect(await list(kim)).toEqual([
      {
        id: view.id,
        list: 'records',
        name: 'Mine',
        filters: 'severity=high',
        shared: 'false',
        canChange: 'true',
        createdBy: expect.any(String),
        version: '1',
      },
    ])
    expect(await list(lee)).toEqual([])
    expect((await send('PATCH', lee, { id: view.id, name: 'Theirs' })).status).toBe(404)
    await send('PATCH', kim, { id: view.id, shared: true, name: 'Ours', filters: 'text=x' })
    expect(await list(lee)).toMatchObject([{ name: 'Ours', filters: 'text=x', canChange: 'false' }])
    await create(kim, { name: 'Another' })
    expect(await listNames(kim)).toEqual(['Another', 'Ours'])
    expect(await listNames(lee)).toEqual(['Ours'])
  })

  test('that is shared is changed by its creator and by those who manage the workspace, and audited', async () => {
    const { id, ownerSession, kim, lee, create, send, remove, listNames } = await openViews()
    const view = await create(kim, { shared: true })
    const rejected = await send('PATCH', lee, { id: view.id, name: 'x' })
    expect([rejected.status, rejected.body.permission]).toEqual([403, 'workspace.rename'])
    expect((await remove(lee, view.id)).status).toBe(403)
    expect((await send('PATCH', ownerSession, { id: view.id, name: 'Renamed' })).status).toBe(200)
    expect((await remove(ownerSession, view.id)).status).toBe(200)
    expect(await listNames(kim)).toEqual([])
    await create(kim, { name: 'Private' })
    const { body } = await instance.request('GET', `/portal/api/audit?workspaceId=${id}`, {
      session: ownerSession,
    })
    const actions = body.entries.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action.startsWith('saved_views'))).toEqual([
      'saved_views.delete',
      'saved_views.update',
      'saved_views.create',
    ])
    // What the person who made the change may do with it says nothing to others.
    expect(JSON.stringify(body.entries)).not.toContain('canChange')
  })

  test('is not overwritten with an older version, and needs a name and a list', async () => {
    const { kim, create, send, list } = await openViews()
    const view = await create(kim)
    await send('PATCH', kim, { id: view.id, filters: 'text=a' }, { 'if-match': '"1"' })
    const stale = await send('PATCH', kim, { id: view.id, filters: 'text=b' }, { 'if-match': '"1"' })
    expect([stale.status, (await list(kim))[0].filters]).toEqual([412, 'text=a'])
    const incomplete = await send('POST', kim, { filters: '' })
    expect(incomplete.body.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      'list',
      'name',
    ])
    expect((await send('PATCH', kim, { id: view.id, name: '' })).status).toBe(400)
  })

  test('is one of at most 50 per person', async () => {
    const { kim, lee, create, send } = await openViews()
    for (let index = 0; index < 50; index++) await create(kim, { name: `View ${index}` })
    const { status, body } = await send('POST', kim, { list: 'bans', name: 'Too many', filters: '' })
    expect([status, body.error]).toEqual([409, 'You can save at most 50 views.'])
    expect((await send('POST', lee, { list: 'bans', name: 'First', filters: '' })).status).toBe(200)
  })

  test('can be shared if fewer than 50 of the workspace are, and shared ones can still be changed', async () => {
    const { kim, lee, create, send } = await openViews()
    const views = []
    for (let index = 0; index < 50; index++) views.push(await create(kim, { shared: true }))
    const own = await create(lee)
    const message = 'A workspace can share at most 50 views.'
    for (const [method, fields] of [
      ['POST', { list: 'bans', name: 'New', filters: '', shared: true }],
      ['PATCH', { id: own.id, shared: true }],
    ] as const) {
      const { status, body } = await send(method, lee, fields)
      expect([method, status, body.error]).toEqual([method, 409, message])
    }
    expect((await send('PATCH', kim, { id: views[0].id, name: 'Renamed', shared: true })).status).toBe(200)
    await send('PATCH', kim, { id: views[0].id, shared: false })
    expect((await send('PATCH', lee, { id: own.id, shared: true })).status).toBe(200)
  })

  test('of another workspace does not exist', async () => {
    const { kim, create } = await openViews()
    const other = await openViews()
    const view = await create(kim, { shared: true })
    expect(await other.list(other.ownerSession)).toEqual([])
    expect((await other.remove(other.ownerSession, view.id)).status).toBe(404)
  })
})
