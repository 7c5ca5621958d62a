import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { followerOf, listening } from '../../support/follow.ts'
import { type Instance, openInstance, PUBLIC_URL } from '../../support/instance.ts'
import { pushedOn } from '../../support/states.ts'
import { callsIn, type Workspace } from '../workspaces/world.ts'
import { ALL, ban, department, resources, toldBefore } from './live-changes.ts'

let instance: Instance
let server: ReturnType<typeof listening>

beforeAll(async () => {
  instance = await openInstance()
  server = listening(instance)
})
afterAll(async () => {
  expect(instance.failures).toEqual([])
  await server.close()
  await instance.close()
})

describe('a reader', () => {
  const soon = () => new Date(instance.clock.now() + 3_600_000).toISOString()

  test('hears only of what they may see', async () => {
    const workspace = await instance.workspace()
    const { id, ownerSession: session } = workspace
    const { control, role } = callsIn(instance, workspace)
    const reader = await instance.member(id, ['departments.view'])
    const follower = await server.follow(id, reader.session)
    await ban(instance, workspace)
    await control('events', 'off')
    await role({ name: 'Hidden', rank: '3', permissions: '' })
    await instance.call('POST', '/portal/api/api-keys', {
      session,
      body: { workspaceId: id, name: 'Hidden', permissions: '' },
    })
    expect(await toldBefore(follower, () => department(instance, workspace, 'Seen'), 'departments')).toEqual(
      [],
    )
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
    await department(instance, workspace, 'Not seen any more')
    await ban(instance, workspace)
    await follower.next('moderation')
    expect(resources(follower)).toEqual([])
    await become(['departments.view'])
    await ban(instance, workspace, '156')
    expect(
      await toldBefore(follower, () => department(instance, workspace, 'Seen again'), 'departments'),
    ).toEqual([])
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
      await ban(instance, workspace, String(player))
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
    await ban(instance, workspace)
    await ban(instance, workspace, '156')
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
    await pushedOn(instance, workspace.id, 1500)
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
