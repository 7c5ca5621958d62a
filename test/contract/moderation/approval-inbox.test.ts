import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openLimitsFixture } from './limits-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

test('pending requests are in the inbox of everybody who may decide them, but not of the person who made them', async () => {
  const fixture = await openLimitsFixture(instance)
  const person = await fixture.staff({ permanentBansNeedApproval: true }, ['moderation.approve'])
  const other = await instance.member(fixture.id, ['moderation.view', 'moderation.approve'])
  const { approval, record } = (await person.act({ action: 'ban', userId: '1001' })).body
  const { expiresAt } = approval
  const inbox = async (session: string) => {
    const path = `/portal/api/inbox?workspaceId=${fixture.id}&source=approvals`
    return (await instance.request('GET', path, { session })).body.items
  }
  expect(await inbox(other.session)).toMatchObject([
    { id: approval.id, recordId: record.id, requested: { durationSeconds: null, expiresAt } },
  ])
  expect(await inbox(person.session)).toEqual([])
  const path = `/portal/api/inbox/counts?workspaceId=${fixture.id}`
  const { counts } = (await instance.request('GET', path, { session: other.session })).body
  expect(counts).toContainEqual({ source: 'approvals', count: '1' })
  await fixture.decide(approval.id, { action: 'approve' })
  expect(await inbox(other.session)).toEqual([])
})

test('a request that the reader made as a player in a game waits for somebody else, in the list and in the inbox', async () => {
  const fixture = await openLimitsFixture(instance)
  const permissions: Permission[] = ['moderation.view', 'moderation.approve']
  const [reader, other] = [
    await instance.member(fixture.id, permissions),
    await instance.member(fixture.id, permissions),
  ]
  await fixture.portal('PATCH', 'members/players', { accountId: reader.accountId, userIds: '77' })
  const keyOwner = await instance.member(fixture.id, ['moderation.ban', 'api_keys.manage'], 10, {
    permanentBansNeedApproval: true,
  })
  const { body } = await fixture.portal(
    'POST',
    'api-keys',
    { name: 'Game', permissions: 'moderation.ban' },
    keyOwner.session,
  )
  const request = async (userId: string, fields: object = {}) =>
    (await fixture.act({ action: 'ban', userId, reason: 'x', ...fields }, { key: body.secret })).body.approval
      .id
  const forReader = await request('2', { actorPlatformUserId: '77' })
  const forSomebody = await request('1')
  const read = async (session: string, limit = 10) => {
    const get = async (path: string, query = '') =>
      (await instance.request('GET', `${path}?workspaceId=${fixture.id}${query}`, { session })).body
    const { items } = await get('/portal/api/inbox', `&source=approvals&limit=${limit}`)
    const { counts } = await get('/portal/api/inbox/counts')
    const { approvals } = await get('/api/moderation/approvals', '&state=pending')
    return {
      inbox: items.map(({ id }: { id: string }) => id),
      count: counts.find(({ source }: { source: string }) => source === 'approvals').count,
      decidable: approvals
        .filter(({ canDecide }: { canDecide: string }) => canDecide === 'true')
        .map(({ id }: { id: string }) => id),
    }
  }
  const all = [forReader, forSomebody]
  expect(await read(other.session)).toEqual({ inbox: all, count: '2', decidable: all })
  const rest = [forSomebody]
  expect(await read(reader.session)).toEqual({ inbox: rest, count: '1', decidable: rest })
  // The page of one item begins with the reader's own request, which is left out.
  expect(await read(reader.session, 1)).toEqual({ inbox: rest, count: '1', decidable: rest })
  const { status, body: refusal } = await fixture.decide(
    forReader,
    { action: 'approve' },
    { session: reader.session },
  )
  expect([status, refusal.reason]).toEqual([403, 'needs_approval'])
})

test('the requests that end next are first in the inbox, on pages', async () => {
  const fixture = await openLimitsFixture(instance)
  const person = await fixture.staff({ permanentBansNeedApproval: true })
  const request = async (userId: string) => {
    instance.clock.advance(1000)
    return (await person.act({ action: 'ban', userId })).body.approval.id
  }
  const long = await request('1')
  await fixture.portal('PATCH', 'workspace', { approvalHours: '2' })
  const ids = [await request('2'), await request('3'), long]
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `workspaceId=${fixture.id}&source=approvals&limit=2${cursor && `&cursor=${cursor}`}`
    const path = `/portal/api/inbox?${query}`
    const { body } = await instance.request('GET', path, { session: fixture.ownerSession })
    found.push(...body.items.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
  }
  expect(found).toEqual(ids)
})
