import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

type Fields = Readonly<Record<string, unknown>>

async function openLinks() {
  const { id: workspaceId, ownerSession } = await instance.workspace()
  const key = await instance.key(workspaceId, ['moderation.view', 'moderation.link', 'moderation.ban'])
  const post = (body: Fields, headers: Record<string, string> = {}) =>
    instance.request('POST', '/api/moderation/links', { key, body: { workspaceId, ...body }, headers })
  const link = (userId: string, linkedUserId: string, body: Fields = {}) =>
    post({ userId, linkedUserId, confidence: 'high', reason: 'Same voice', ...body })
  const get = (path: string, query: Record<string, string> = {}) =>
    instance.request('GET', `${path}?${new URLSearchParams({ workspaceId, ...query })}`, { key })
  const list = async (query: Record<string, string> = {}) => (await get('/api/moderation/links', query)).body
  const check = (query: Record<string, string>) => get('/api/moderation', { banList: 'true', ...query })
  const ban = (userId: string, body: Fields = {}) =>
    instance.request('POST', '/api/moderation', {
      key,
      body: { workspaceId, action: 'ban', userId, reason: 'Exploiting', ...body },
    })
  return { workspaceId, ownerSession, key, post, link, list, get, check, ban }
}

test('two players are linked once, and each of them lists the other', async () => {
  const { workspaceId, link, list, get } = await openLinks()
  const { body } = await link('9', '10')
  expect(body.link).toEqual({
    id: expect.any(String),
    workspaceId,
    userId: '10',
    linkedUserId: '9',
    confidence: 'high',
    reason: 'Same voice',
    createdBy: expect.any(String),
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    version: '1',
  })
  expect((await link('10', '9')).body).toMatchObject({ code: 'conflict' })
  expect((await list({ userId: '9' })).links).toMatchObject([{ userId: '9', linkedUserId: '10' }])
  expect((await list({ userId: '10' })).links).toMatchObject([{ userId: '10', linkedUserId: '9' }])
  expect((await get('/api/moderation/links', { id: body.link.id })).body).toEqual(body)
  await link('11', '9')
  const page = await list({ limit: '1' })
  expect(page.links).toMatchObject([{ userId: '11', linkedUserId: '9' }])
  const next = await list({ limit: '1', cursor: page.nextCursor })
  expect([next.links, next.nextCursor]).toEqual([[body.link], null])
})

test('a link is changed by its version, deleted, and audited', async () => {
  const { workspaceId, ownerSession, post, link, list } = await openLinks()
  const { id } = (await link('1', '2')).body.link
  const changed = await post(
    { action: 'update', id, confidence: 'low', reason: 'Unsure' },
    { 'if-match': '"1"' },
  )
  expect(changed.body.link).toMatchObject({ confidence: 'low', reason: 'Unsure', version: '2' })
  const stale = await post({ action: 'update', id, confidence: 'high' }, { 'if-match': '"1"' })
  expect(stale.status).toBe(412)
  expect((await post({ action: 'delete', id })).status).toBe(200)
  expect((await list()).links).toEqual([])
  const audit = await instance.request('GET', `/portal/api/audit?workspaceId=${workspaceId}`, {
    session: ownerSession,
  })
  const actions = audit.body.entries.map(({ action }: { action: string }) => action)
  expect(actions.slice(0, 3)).toEqual(['player_links.delete', 'player_links.update', 'player_links.create'])
})

test('a link needs both players, how sure it is, and a reason, and no field that its action does not use', async () => {
  const { post, link, list, get } = await openLinks()
  const fieldsOf = ({ body }: { body: { details: { field: string }[] } }) =>
    body.details.map(({ field }) => field)
  expect(fieldsOf(await post({}))).toEqual(['userId', 'linkedUserId', 'confidence', 'reason'])
  expect(fieldsOf(await link('1', '1'))).toEqual(['linkedUserId'])
  expect(fieldsOf(await post({ action: 'delete', id: 'x', reason: 'y' }))).toEqual(['reason'])
  expect((await post({ action: 'delete', id: 'x' })).status).toBe(404)
  expect(fieldsOf(await get('/api/moderation/links', { id: 'x', userId: '1' }))).toEqual(['userId'])
  expect((await list()).links).toEqual([])
})

test('a ban check returns linked players and their bans only on request, and a link bans nobody', async () => {
  const { link, check, ban } = await openLinks()
  const { record } = (await ban('70', { durationSeconds: '60' })).body
  const { id } = (await link('70', '71')).body.link
  await link('71', '72', { confidence: 'low' })
  const plain = await check({ userId: '71' })
  expect(plain.body).toEqual({ bans: [], nextCursor: null })
  const { body, headers } = await check({ userId: '71', links: 'true' })
  expect(headers.get('etag')).toBeNull()
  expect(body).toEqual({
    bans: [],
    nextCursor: null,
    linkedTo: expect.arrayContaining([
      {
        userId: '71',
        linkedUserId: '70',
        confidence: 'high',
        linkId: id,
        ban: {
          kind: 'ban',
          userId: '70',
          recordId: record.id,
          caseNumber: record.caseNumber,
          expiresAt: record.expiresAt,
          reason: 'Exploiting',
          appealCode: expect.any(String),
        },
      },
      { userId: '71', linkedUserId: '72', confidence: 'low', linkId: expect.any(String), ban: null },
    ]),
  })
  instance.clock.advance(60_000)
  const later = await check({ userId: '70,71', links: 'true' })
  expect(
    later.body.linkedTo.map(({ userId, ban }: { userId: string; ban: unknown }) => [userId, ban]),
  ).toEqual([
    ['70', null],
    ['71', null],
    ['71', null],
  ])
  const misused = await check({ links: 'true' })
  expect(misused.body.details).toMatchObject([{ field: 'links' }])
})
