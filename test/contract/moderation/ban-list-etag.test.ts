import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const check = (userId: string, tag?: string) =>
  instance.request('GET', `/api/moderation?workspaceId=${workspace.id}&banList=true&userId=${userId}`, {
    key: workspace.key,
    ...(tag !== undefined && { headers: { 'if-none-match': tag } }),
  })

const act = (body: object) =>
  instance.request('POST', '/api/moderation', {
    key: workspace.key,
    body: { workspaceId: workspace.id, ...body },
  })

const tagFor = async (userId: string) => (await check(userId)).headers.get('etag') ?? ''

describe('a ban check with the entity tag of an earlier response', () => {
  test('is 304 without a body while nothing has changed', async () => {
    const unchangedResponse = await check('1', await tagFor('1'))
    expect({ status: unchangedResponse.status, text: unchangedResponse.text }).toEqual({
      status: 304,
      text: '',
    })
    expect(unchangedResponse.headers.get('x-request-id')).not.toBeNull()
  })

  test('is a new response as soon as the player is banned, and again as soon as the ban is lifted', async () => {
    const free = await tagFor('2')
    await act({ action: 'ban', userId: '2', reason: 'Exploiting' })
    const banned = await check('2', free)
    expect(banned.status).toBe(200)
    expect(banned.body.bans).toHaveLength(1)
    await act({ action: 'unban', userId: '2' })
    const lifted = await check('2', banned.headers.get('etag') ?? '')
    expect({ status: lifted.status, bans: lifted.body.bans }).toEqual({ status: 200, bans: [] })
  })

  test('is a new response once a ban on the list has expired', async () => {
    await act({ action: 'ban', userId: '3', reason: 'Exploiting', durationSeconds: '60' })
    const tag = await tagFor('3')
    instance.clock.advance(59_000)
    expect((await check('3', tag)).status).toBe(304)
    instance.clock.advance(1_000)
    const ended = await check('3', tag)
    expect({ status: ended.status, bans: ended.body.bans }).toEqual({ status: 200, bans: [] })
  })

  test('is a new response after the workspace was rolled back to an archive', async () => {
    await act({ action: 'ban', userId: '4', reason: 'Exploiting' })
    const archived = await instance.request('POST', '/api/workspaces', {
      key: workspace.key,
      body: { id: workspace.id, archive: 'true' },
    })
    await instance.request('POST', '/api/workspaces', {
      key: workspace.key,
      body: { id: workspace.id, archive: 'false' },
    })
    await act({ action: 'unban', userId: '4' })
    const lifted = await tagFor('4')
    for (const body of [{ archive: 'true' }, { fromArchive: archived.body.archive.id }]) {
      const { status } = await instance.request('POST', '/api/workspaces', {
        key: workspace.key,
        body: { id: workspace.id, ...body },
      })
      expect(status).toBe(200)
    }
    const afterLift = await check('4', lifted)
    expect(afterLift.status).toBe(200)
    expect(afterLift.body.bans).toHaveLength(1)
  })

  test('still needs permission, and still counts as a request', async () => {
    const tag = await tagFor('5')
    const keyWithoutPermission = await instance.key(workspace.id, ['events.view'])
    const rejectedResponse = await instance.request(
      'GET',
      `/api/moderation?workspaceId=${workspace.id}&banList=true&userId=5`,
      { key: keyWithoutPermission, headers: { 'if-none-match': tag } },
    )
    expect(rejectedResponse.status).toBe(403)
  })

  test('is a full response if the tag is invalid', async () => {
    for (const tag of ['"1-"', 'W/"99999-"', 'W/"x"', '', 'x', '"*"'])
      expect((await check('6', tag)).status).toBe(200)
  })

  test('is a full response if the tag is that of another player, filter or page', async () => {
    await act({ action: 'ban', userId: '7', reason: 'Exploiting' })
    const tag = await tagFor('8')
    expect(tag).not.toBe('')
    const other = await check('7', tag)
    expect([other.status, other.body.bans.length]).toEqual([200, 1])
    expect((await check('8&severity=low', tag)).status).toBe(200)
    expect((await check('8&limit=5', tag)).status).toBe(200)
    expect((await check('8', tag)).status).toBe(304)
  })

  test('finds its tag in a list, compares weakly, and returns only its own tag', async () => {
    const tag = await tagFor('9')
    for (const header of [tag, `"a, b", ${tag}`, `W/"x",${tag},"y"`, tag.slice(2), ` ${tag} `]) {
      const response = await check('9', header)
      expect([header, response.status, response.headers.get('etag')]).toEqual([header, 304, tag])
    }
    const any = await check('9', '*')
    expect([any.status, any.text, any.headers.get('etag')]).toEqual([304, '', tag])
    expect(any.headers.get('cache-control')).toBe('private, no-cache')
  })

  test('is the same over a network, also with HEAD', async () => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: instance.fetch })
    const tag = await tagFor('10')
    for (const method of ['GET', 'HEAD']) {
      const path = `/api/moderation?workspaceId=${workspace.id}&banList=true&userId=10`
      const response = await fetch(new URL(path, server.url), {
        method,
        headers: { authorization: `Bearer ${workspace.key}`, 'if-none-match': `"x", ${tag}` },
      })
      expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, tag, ''])
    }
    await server.stop(true)
  })
})
