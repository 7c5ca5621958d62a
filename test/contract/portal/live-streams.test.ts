import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Follower, listening } from '../../support/follow.ts'
import { type Instance, openInstance, PUBLIC_URL } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { callsIn } from '../workspaces/world.ts'
import { ban } from './live-changes.ts'

let instance: Instance
let server: ReturnType<typeof listening>

beforeAll(async () => {
  instance = await openInstance()
  server = listening(instance)
})
afterAll(async () => {
  await server.close()
  await instance.close()
})

describe('a stream', () => {
  test('is made for whatever lies between: not kept, not gathered, not changed', async () => {
    const workspace = await instance.workspace()
    const { headers } = await server.follow(workspace.id, workspace.ownerSession)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    })
    expect(headers.get('content-encoding')).toBeNull()
  })

  test('ends with the session: when it is ended, and when its time is over', async () => {
    const workspace = await instance.workspace()
    const signedOut = await server.follow(workspace.id, workspace.ownerSession)
    await instance.call('POST', '/portal/api/sign-out', { session: workspace.ownerSession })
    await signedOut.ended
    const again = await server.follow(workspace.id, await instance.session(workspace.ownerId))
    instance.clock.advance(8 * 24 * 3_600_000)
    await again.ended
  })

  test('ends with the membership', async () => {
    const workspace = await instance.workspace()
    const { dismiss } = callsIn(instance, workspace)
    const member = await instance.member(workspace.id, ['moderation.view'], 5)
    const follower = await server.follow(workspace.id, member.session)
    await dismiss(member.accountId)
    await follower.ended
    expect(follower.told).toEqual([])
    expect((await server.ask(workspace.id, member.session)).status).toBe(403)
  })

  test('is one of eight of a session; one that is closed makes room', async () => {
    const workspace = await instance.workspace()
    const other = await instance.session(workspace.ownerId)
    const open: Follower[] = []
    for (let index = 0; index < 8; index++) {
      open.push(await server.follow(workspace.id, workspace.ownerSession))
    }
    const refused = await server.ask(workspace.id, workspace.ownerSession)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', error: expect.stringContaining('8') })
    await server.follow(workspace.id, other)
    await open[0]?.close()
    const tried = async (): Promise<number> => {
      const response = await server.ask(workspace.id, workspace.ownerSession)
      await response.body?.cancel()
      return response.status === 429 ? tried() : response.status
    }
    expect(await tried()).toBe(200)
  })

  test('that is asked for its headers alone is not kept open', async () => {
    const workspace = await instance.workspace()
    const path = `/portal/api/live?workspaceId=${workspace.id}`
    for (let index = 0; index < 20; index++) {
      const { status } = await instance.call('HEAD', path, { session: workspace.ownerSession })
      expect(status).toBe(200)
    }
  })

  test('whose reader goes away before reading anything is not kept open', async () => {
    const workspace = await instance.workspace()
    for (let index = 0; index < 20; index++) {
      const gone = new AbortController()
      const request = new Request(`${PUBLIC_URL}/portal/api/live?workspaceId=${workspace.id}`, {
        headers: { cookie: `reeve_session=${workspace.ownerSession}` },
        signal: gone.signal,
      })
      expect((await instance.fetch(request)).status).toBe(200)
      gone.abort()
    }
  })

  test('counts as one call, whatever it tells', async () => {
    const workspace = await instance.workspace()
    const calls = () => instance.context.meter.countThisMonth(workspace.id)
    await calls()
    const follower = await server.follow(workspace.id, workspace.ownerSession)
    expect(await calls()).toBe(1)
    await ban(instance, workspace)
    await follower.next('moderation')
    expect(await calls()).toBe(2)
  })

  test('goes on in an archived workspace', async () => {
    const workspace = await instance.workspace()
    const { workspaces } = callsIn(instance, workspace)
    await workspaces({ id: workspace.id, archive: true })
    const follower = await server.follow(workspace.id, workspace.ownerSession)
    await workspaces({ id: workspace.id, archive: false })
    await follower.next('workspaces')
  })

  test('is refused where a field cannot be read', async () => {
    const workspace = await instance.workspace()
    const answer = await server.ask(workspace.id, workspace.ownerSession, '&lastEventId=x')
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ details: [{ field: 'lastEventId' }] })
  })

  test('is for members signed in', async () => {
    const workspace = await instance.workspace()
    await replay(instance, {
      method: 'GET',
      path: '/portal/api/live',
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: null,
      // An answer that does not end: what an archived workspace and a member are answered is tested above.
      whileArchived: true,
      accepted: null,
    })
    expect(instance.failures).toEqual([])
  })
})

test('an instance keeps a thousand streams at the most, whoever opens them', async () => {
  const full = await openInstance()
  const workspace = await full.workspace()
  const open = async (session: string) => {
    const headers = { cookie: `reeve_session=${session}` }
    const address = `${PUBLIC_URL}/portal/api/live?workspaceId=${workspace.id}`
    return full.fetch(new Request(address, { headers }))
  }
  for (let index = 0; index < 125; index++) {
    const session = await full.session(workspace.ownerId)
    for (let stream = 0; stream < 8; stream++) expect((await open(session)).status).toBe(200)
  }
  const refused = await open(workspace.ownerSession)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  await full.close()
})

test('no stream is opened once the instance stops, and those that are open end', async () => {
  const stopping = await openInstance()
  const at = listening(stopping)
  const workspace = await stopping.workspace()
  const follower = await at.follow(workspace.id, workspace.ownerSession)
  stopping.endStreams()
  await follower.ended
  const refused = await at.ask(workspace.id, workspace.ownerSession)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ code: 'unavailable' })
  await at.close()
  await stopping.close()
})
