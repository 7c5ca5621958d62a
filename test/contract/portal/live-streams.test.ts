import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, PUBLIC_URL } from '../../support/instance.ts'
import { startStreamServer } from '../../support/live-stream.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'
import { banPlayer } from './live-changes.ts'

let instance: Instance
let server: ReturnType<typeof startStreamServer>

beforeAll(async () => {
  instance = await openInstance()
  server = startStreamServer(instance)
})
afterAll(async () => {
  await server.close()
  await instance.close()
})

describe('a stream', () => {
  test('has headers against caching, buffering and transformation by proxies', async () => {
    const workspace = await instance.workspace()
    const { headers } = await server.openStream(workspace.id, workspace.ownerSession)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    })
    expect(headers.get('content-encoding')).toBeNull()
  })

  test('ends with the session: on sign-out and on expiry', async () => {
    const workspace = await instance.workspace()
    const signedOut = await server.openStream(workspace.id, workspace.ownerSession)
    await instance.request('POST', '/portal/api/sign-out', { session: workspace.ownerSession })
    await signedOut.closed
    const secondStream = await server.openStream(workspace.id, await instance.session(workspace.ownerId))
    instance.clock.advance(8 * 24 * 3_600_000)
    await secondStream.closed
  })

  test('ends with the membership', async () => {
    const workspace = await instance.workspace()
    const { removeMember } = createWorkspaceRequests(instance, workspace)
    const member = await instance.member(workspace.id, ['moderation.view'], 5)
    const stream = await server.openStream(workspace.id, member.session)
    await removeMember(member.accountId)
    await stream.closed
    expect(stream.events).toEqual([])
    expect((await server.request(workspace.id, member.session)).status).toBe(403)
  })

  test('is not opened for a HEAD request', async () => {
    const workspace = await instance.workspace()
    const path = `/portal/api/live?workspaceId=${workspace.id}`
    for (let index = 0; index < 20; index++) {
      const { status } = await instance.request('HEAD', path, { session: workspace.ownerSession })
      expect(status).toBe(200)
    }
  })

  test('is closed if the client disconnects before reading', async () => {
    const workspace = await instance.workspace()
    for (let index = 0; index < 20; index++) {
      const abortController = new AbortController()
      const request = new Request(`${PUBLIC_URL}/portal/api/live?workspaceId=${workspace.id}`, {
        headers: { cookie: `reeve_session=${workspace.ownerSession}` },
        signal: abortController.signal,
      })
      expect((await instance.fetch(request)).status).toBe(200)
      abortController.abort()
    }
  })

  test('counts as one request, regardless of its events', async () => {
    const workspace = await instance.workspace()
    const calls = () => instance.context.meter.countThisMonth(workspace.id)
    await calls()
    const stream = await server.openStream(workspace.id, workspace.ownerSession)
    expect(await calls()).toBe(1)
    await banPlayer(instance, workspace)
    await stream.next('moderation')
    expect(await calls()).toBe(2)
  })

  test('continues in an archived workspace', async () => {
    const workspace = await instance.workspace()
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    await workspaces({ id: workspace.id, archive: true })
    const stream = await server.openStream(workspace.id, workspace.ownerSession)
    await workspaces({ id: workspace.id, archive: false })
    await stream.next('workspaces')
  })

  test('is rejected if a field is invalid', async () => {
    const workspace = await instance.workspace()
    const response = await server.request(workspace.id, workspace.ownerSession, '&lastEventId=x')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ details: [{ field: 'lastEventId' }] })
  })

  test("requires a member's session", async () => {
    const workspace = await instance.workspace()
    await expectAccessRules(instance, {
      method: 'GET',
      path: '/portal/api/live',
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: null,
      // The response does not end: tests above cover an archived workspace and a member.
      whileArchived: true,
      accepted: null,
    })
    expect(instance.unexpectedErrors).toEqual([])
  })
})

test('during shutdown no stream opens, and open ones end', async () => {
  const stoppingInstance = await openInstance()
  const streamServer = startStreamServer(stoppingInstance)
  const workspace = await stoppingInstance.workspace()
  const stream = await streamServer.openStream(workspace.id, workspace.ownerSession)
  stoppingInstance.endStreams()
  await stream.closed
  const rejectedResponse = await streamServer.request(workspace.id, workspace.ownerSession)
  expect(rejectedResponse.status).toBe(503)
  expect(await rejectedResponse.json()).toMatchObject({ code: 'unavailable' })
  await streamServer.close()
  await stoppingInstance.close()
})
