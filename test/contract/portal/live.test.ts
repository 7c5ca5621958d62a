import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { statement } from '@reeve/db'
import { type Follower, followerOf, listening } from '../../support/follow.ts'
import { type Instance, openInstance, PUBLIC_URL } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { quota } from '../../support/states.ts'
import { callsIn, type Workspace } from '../workspaces/world.ts'

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

const ALL = [
  'api-keys',
  'archives',
  'departments',
  'endpoint-controls',
  'events',
  'invitations',
  'members',
  'moderation',
  'roles',
  'usage',
  'workspaces',
]

const ban = ({ id, ownerSession }: Workspace, userId = '261') =>
  instance.call('POST', '/api/moderation', {
    session: ownerSession,
    body: { workspaceId: id, action: 'ban', userId, reason: 'Exploiting' },
  })
const department = ({ id, key }: Workspace, name: string) =>
  instance.call('POST', '/api/departments', { key, body: { workspaceId: id, name } })
const resources = ({ told }: Follower) => [...new Set(told.map(({ resource }) => resource))].sort()

/** What was told up to a change that comes last, without that. */
async function toldBefore(follower: Follower, last: () => Promise<unknown>, resource: string) {
  await last()
  await follower.until(() => follower.told.some((one) => one.resource === resource))
  return resources(follower).filter((one) => one !== resource)
}

describe('a change', () => {
  test('that one member makes is heard by another, with its number', async () => {
    const workspace = await instance.workspace()
    const other = await instance.member(workspace.id, ['moderation.view'])
    const follower = await server.follow(workspace.id, other.session)
    const { body } = await ban(workspace)
    const { sequence } = body.record
    expect(await follower.next('moderation')).toEqual({ resource: 'moderation', sequence, id: sequence })
  })

  test('of every kind is told under the lists that show it', async () => {
    const workspace = await instance.workspace()
    const { id, ownerSession: session, ownerId } = workspace
    const { event, role, assign, control, workspaces } = callsIn(instance, workspace)
    const { accountId, roleId } = await instance.member(id, [], 5)
    const soon = new Date(instance.clock.now() + 3_600_000).toISOString()
    const post = (path: string, body: object) =>
      instance.call('POST', `/portal/api/${path}`, { session, body: { workspaceId: id, ...body } })
    const changes: [() => Promise<unknown>, string[]][] = [
      [() => ban(workspace), ['moderation']],
      [() => department(workspace, 'Public relations'), ['departments']],
      [() => event({ title: 'Draft', scheduledFor: soon }), ['events']],
      [() => role({ name: 'Trainer', rank: '7', permissions: '' }), ['members', 'roles']],
      [() => assign(accountId, [roleId]), ['departments', 'members', 'roles']],
      [() => post('api-keys', { name: 'Game server', permissions: '' }), ['api-keys']],
      [() => control('events', 'read_only'), ['endpoint-controls']],
      [() => workspaces({ id, groupName: 'Renamed' }), ['archives', 'usage', 'workspaces']],
      [() => quota(instance, id, 1_000_000), ['archives', 'usage', 'workspaces']],
      [() => post('invitations', { roleIds: '' }), ['invitations']],
    ]
    for (const [change, shown] of changes) {
      const follower = await server.follow(id, await instance.session(ownerId))
      await change()
      await follower.until(() => follower.told.length >= shown.length)
      expect(resources(follower)).toEqual(shown)
      await follower.close()
    }
  })

  test('that was refused, or undone, is not told', async () => {
    const workspace = await instance.workspace()
    await department(workspace, 'Taken')
    const follower = await server.follow(workspace.id, workspace.ownerSession)
    expect((await department(workspace, 'Taken')).status).toBe(409)
    await instance.db
      .write(async (tx) => {
        tx.announce({ kind: 'department', workspaceId: workspace.id, id: 'none' })
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect(await toldBefore(follower, () => ban(workspace), 'moderation')).toEqual([])
  })

  test('of another workspace is never told', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    const follower = await server.follow(workspace.id, workspace.ownerSession)
    await department(other, 'Foreign')
    expect(await toldBefore(follower, () => ban(workspace), 'moderation')).toEqual([])
  })

  test('that is one of many in a short time is told with them: five times a second at the most', async () => {
    const workspace = await instance.workspace()
    const follower = await server.follow(workspace.id, workspace.ownerSession)
    const begun = performance.now()
    let last = ''
    for (let player = 1; player <= 150; player++) {
      last = (await ban(workspace, String(player))).body.record.sequence
    }
    await follower.until(() => follower.told.at(-1)?.sequence === last)
    const most = Math.ceil((performance.now() - begun) / 200) + 1
    expect(follower.told.length).toBeLessThanOrEqual(most)
    expect(follower.told.length).toBeLessThan(150)
  })

  test('by a roll-back is told of everything it may have changed', async () => {
    const workspace = await instance.workspace()
    const { workspaces } = callsIn(instance, workspace)
    const { id } = workspace
    const archive = (await workspaces({ id, archive: true })).body.archive
    const follower = await server.follow(id, workspace.ownerSession)
    expect((await workspaces({ id, fromArchive: archive.id })).status).toBe(200)
    const changed = ALL.filter((one) => !['api-keys', 'invitations'].includes(one))
    await follower.until(() => resources(follower).length >= changed.length)
    expect(resources(follower)).toEqual(changed)
  })
})

describe('a reader', () => {
  const soon = () => new Date(instance.clock.now() + 3_600_000).toISOString()

  test('hears only of what they may see', async () => {
    const workspace = await instance.workspace()
    const { id, ownerSession: session } = workspace
    const { control, role } = callsIn(instance, workspace)
    const reader = await instance.member(id, ['departments.view'])
    const follower = await server.follow(id, reader.session)
    await ban(workspace)
    await control('events', 'off')
    await role({ name: 'Hidden', rank: '3', permissions: '' })
    await instance.call('POST', '/portal/api/api-keys', {
      session,
      body: { workspaceId: id, name: 'Hidden', permissions: '' },
    })
    expect(await toldBefore(follower, () => department(workspace, 'Seen'), 'departments')).toEqual([])
  })

  test('hears of drafts only with events.manage, and of an event that was published, or is no longer', async () => {
    const workspace = await instance.workspace()
    const { event, dropEvent } = callsIn(instance, workspace)
    const viewer = await instance.member(workspace.id, ['events.view'])
    const manager = await instance.member(workspace.id, ['events.view', 'events.manage'])
    const [seen, all] = [
      await server.follow(workspace.id, viewer.session),
      await server.follow(workspace.id, manager.session),
    ]
    const { id } = await event({ title: 'Draft', scheduledFor: soon() })
    const draft = await all.next('events')
    await event({ id, published: true }, 'PATCH')
    expect(Number((await seen.next('events')).sequence)).toBeGreaterThan(Number(draft.sequence))
    await event({ id, title: 'Other' }, 'PATCH')
    await seen.next('events')
    await event({ id, published: false }, 'PATCH')
    const taken = await seen.next('events')
    await dropEvent(id)
    const { id: second } = await event({ title: 'Published', scheduledFor: soon(), published: true })
    expect(Number((await seen.next('events')).sequence)).toBeGreaterThan(Number(taken.sequence) + 1)
    await dropEvent(second)
    await seen.next('events')
    // A draft that changes in the same moment hides nothing of what may be heard.
    await event({ title: 'Published too', scheduledFor: soon(), published: true })
    await event({ title: 'Draft too', scheduledFor: soon() })
    await seen.next('events')
  })

  test('is judged by the permissions of that moment, and hears that they changed', async () => {
    const workspace = await instance.workspace()
    const { grant } = callsIn(instance, workspace)
    const reader = await instance.member(workspace.id, ['departments.view'])
    const follower = await server.follow(workspace.id, reader.session)
    const become = async (set: Permission[]) => {
      await grant(reader.roleId, set)
      expect(await follower.next('members')).toMatchObject({ resource: 'members' })
    }
    await become(['moderation.view'])
    await department(workspace, 'Not seen any more')
    await ban(workspace)
    await follower.next('moderation')
    expect(resources(follower)).toEqual([])
    await become(['departments.view'])
    await ban(workspace, '156')
    expect(await toldBefore(follower, () => department(workspace, 'Seen again'), 'departments')).toEqual([])
  })

  test('who reads slowly is told each thing once when they go on, and holds nothing up', async () => {
    const workspace = await instance.workspace()
    const quick = await server.follow(workspace.id, workspace.ownerSession)
    const request = new Request(`${PUBLIC_URL}/portal/api/live?workspaceId=${workspace.id}`, {
      headers: { cookie: `reeve_session=${workspace.ownerSession}` },
    })
    const unread = await instance.fetch(request)
    let last = ''
    for (let player = 1; player <= 12; player++) {
      await ban(workspace, String(player))
      last = (await quick.next('moderation')).sequence
    }
    const slow = followerOf(unread)
    await slow.until(() => slow.told.at(-1)?.sequence === last)
    expect(slow.told.length).toBeLessThan(9)
    await slow.close()
  })
})

describe('a reader who comes back', () => {
  const since = (workspace: Workspace, id: string, session = workspace.ownerSession) =>
    server.follow(workspace.id, session, '', { 'last-event-id': id })

  test('is told once of each thing that changed meanwhile, and of nothing where nothing did', async () => {
    const workspace = await instance.workspace()
    const { role } = callsIn(instance, workspace)
    const first = await server.follow(workspace.id, workspace.ownerSession)
    const known = first.lastId()
    expect(first.told).toEqual([])
    await first.close()
    await ban(workspace)
    await ban(workspace, '156')
    await role({ name: 'New', rank: '3', permissions: '' })
    const back = await since(workspace, known)
    await back.until(() => back.told.length >= 3)
    expect(back.told.map(({ resource }) => resource).sort()).toEqual(['members', 'moderation', 'roles'])
    expect(Number(back.lastId())).toBe(Number(known) + 3)
    expect((await since(workspace, back.lastId())).told).toEqual([])
    const byQuery = await server.follow(workspace.id, workspace.ownerSession, `&lastEventId=${known}`)
    expect(resources(byQuery)).toEqual(['members', 'moderation', 'roles'])
  })

  test('is told of everything they may see where what they know is unknown, or long ago', async () => {
    const workspace = await instance.workspace()
    const reader = await instance.member(workspace.id, ['moderation.view', 'events.view'])
    for (const id of ['junk', '', '999999', '-1', '9'.repeat(40)]) {
      expect(resources(await since(workspace, id, await instance.session(workspace.ownerId)))).toEqual(ALL)
      expect(resources(await since(workspace, id, await instance.session(reader.accountId)))).toEqual([
        'events',
        'moderation',
        'workspaces',
      ])
    }
    await instance.db.write((tx) => tx.run(pushAway, { workspaceId: workspace.id, by: 1500 }))
    expect(resources(await since(workspace, '2'))).toEqual(ALL)
  })

  test('is told nothing of drafts they may not see, and of everything after a roll-back', async () => {
    const workspace = await instance.workspace()
    const { event, workspaces } = callsIn(instance, workspace)
    const viewer = await instance.member(workspace.id, ['events.view'])
    const first = await server.follow(workspace.id, viewer.session)
    const scheduledFor = new Date(instance.clock.now() + 3_600_000).toISOString()
    await event({ title: 'Draft', scheduledFor })
    expect((await since(workspace, first.lastId(), viewer.session)).told).toEqual([])
    expect(resources(await since(workspace, first.lastId()))).toEqual(['events'])
    await event({ title: 'Open', scheduledFor, published: true })
    expect(resources(await since(workspace, first.lastId(), viewer.session))).toEqual(['events'])
    const archive = (await workspaces({ id: workspace.id, archive: true })).body.archive
    const sealed = (await since(workspace, first.lastId())).lastId()
    await workspaces({ id: workspace.id, fromArchive: archive.id })
    expect(resources(await since(workspace, sealed))).toEqual(ALL)
  })
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
    const calls = () => instance.context.meter.callsThisMonth(workspace.id)
    await calls()
    const follower = await server.follow(workspace.id, workspace.ownerSession)
    expect(await calls()).toBe(1)
    await ban(workspace)
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

const pushAway = statement<{ workspaceId: string; by: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({ audit_sequence: eb('audit_sequence', '+', p.by) }))
    .where('workspace_id', '=', p.workspaceId),
)
