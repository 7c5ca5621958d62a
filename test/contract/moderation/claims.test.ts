import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
const path = '/portal/api/claims'
const LEASE_MS = 15 * 60_000

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** A workspace with a case, two people who work on cases, and one who only views them. */
async function openDesk() {
  const { id: workspaceId, ownerSession } = await instance.workspace()
  const { body } = await instance.request('POST', '/api/moderation', {
    session: ownerSession,
    body: { workspaceId, action: 'note', userId: '261', reason: 'Reported' },
  })
  const recordId: string = body.record.id
  const kim = await instance.member(workspaceId, ['moderation.view', 'moderation.note'])
  const lee = await instance.member(workspaceId, ['moderation.view', 'moderation.note'])
  const viewer = await instance.member(workspaceId, ['moderation.view'])
  const claim = (session: string, id = recordId) =>
    instance.request('POST', path, { session, body: { workspaceId, recordId: id } })
  const release = (session: string) =>
    instance.request('DELETE', `${path}?workspaceId=${workspaceId}&recordId=${recordId}`, { session })
  const list = async () =>
    (
      await instance.request(
        'GET',
        `/portal/api/case-work?workspaceId=${workspaceId}&recordIds=${recordId}`,
        {
          session: viewer.session,
        },
      )
    ).body.claims
  return { workspaceId, ownerSession, recordId, kim, lee, viewer, claim, release, list }
}

test('a claim keeps others from claiming the same case until it is released', async () => {
  const { recordId, kim, lee, claim, release, list } = await openDesk()
  const { status, body } = await claim(kim.session)
  expect(status).toBe(200)
  expect(body.claim).toEqual({
    targetId: recordId,
    accountId: kim.accountId,
    username: expect.any(String),
    claimedAt: new Date(instance.ports.now()).toISOString(),
    expiresAt: new Date(instance.ports.now() + LEASE_MS).toISOString(),
  })
  expect(await list()).toEqual([body.claim])
  const refused = await claim(lee.session)
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect(refused.body.error).toContain(body.claim.username)
  // Nobody releases the claim of another person.
  expect((await release(lee.session)).body.claim).toEqual(body.claim)
  expect((await release(kim.session)).body).toEqual({ claim: null })
  expect(await list()).toEqual([])
  expect((await claim(lee.session)).body.claim.accountId).toBe(lee.accountId)
})

test('a claim ends after 15 minutes unless it is renewed, and is then taken over', async () => {
  const { kim, lee, claim, list } = await openDesk()
  const first = (await claim(kim.session)).body.claim
  instance.clock.advance(LEASE_MS - 1000)
  const renewed = (await claim(kim.session)).body.claim
  expect(renewed).toMatchObject({ claimedAt: first.claimedAt, accountId: kim.accountId })
  instance.clock.advance(LEASE_MS - 1)
  expect((await claim(lee.session)).status).toBe(409)
  instance.clock.advance(1)
  expect(await list()).toEqual([])
  expect((await claim(lee.session)).body.claim.accountId).toBe(lee.accountId)
  expect((await claim(kim.session)).status).toBe(409)
})

test('of many people who claim a case at once, one gets it', async () => {
  const { kim, lee, ownerSession, claim, list } = await openDesk()
  const sessions = [kim.session, lee.session, ownerSession]
  const responses = await Promise.all(sessions.map((session) => claim(session)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const holder = responses.find(({ status }) => status === 200)?.body.claim
  expect(await list()).toEqual([holder])
})

test('the claim of a person who leaves the workspace ends', async () => {
  const { workspaceId, ownerSession, kim, lee, claim, list } = await openDesk()
  await claim(kim.session)
  await instance.request(
    'DELETE',
    `/portal/api/members?workspaceId=${workspaceId}&accountId=${kim.accountId}`,
    {
      session: ownerSession,
    },
  )
  expect(await list()).toEqual([])
  expect((await claim(lee.session)).body.claim.accountId).toBe(lee.accountId)
})

test('only those who may add notes claim a case, and one of another workspace is not found', async () => {
  const { viewer, kim, claim } = await openDesk()
  expect((await claim(viewer.session)).body).toMatchObject({
    code: 'forbidden',
    permission: 'moderation.note',
  })
  const other = await openDesk()
  expect((await claim(kim.session, other.recordId)).status).toBe(404)
})
