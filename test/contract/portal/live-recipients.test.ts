import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { type Instance, openInstance, PUBLIC_URL } from '../../support/instance.ts'
import { readLiveStream, startStreamServer } from '../../support/live-stream.ts'
import { advanceAuditSequence } from '../../support/workspace-states.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'
import {
  banPlayer,
  createDepartment,
  listResources,
  OWNER_RESOURCES,
  resourcesBefore,
} from './live-changes.ts'

let instance: Instance
let server: ReturnType<typeof startStreamServer>

beforeAll(async () => {
  instance = await openInstance()
  server = startStreamServer(instance)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await server.close()
  await instance.close()
})

describe('a member with an open stream', () => {
  const inOneHour = () => new Date(instance.clock.now() + 3_600_000).toISOString()

  test('receives only changes that their permissions allow', async () => {
    const workspace = await instance.workspace()
    const { id, ownerSession: session } = workspace
    const { createRole } = createWorkspaceRequests(instance, workspace)
    const viewer = await instance.member(id, ['departments.view'])
    const stream = await server.openStream(id, viewer.session)
    await banPlayer(instance, workspace)
    await createRole({ name: 'Hidden', rank: '3', permissions: '' })
    await instance.request('POST', '/portal/api/api-keys', {
      session,
      body: { workspaceId: id, name: 'Hidden', permissions: '' },
    })
    expect(
      await resourcesBefore(stream, () => createDepartment(instance, workspace, 'Seen'), 'departments'),
    ).toEqual([])
  })

  test('learns that an endpoint was turned off, whatever their permissions', async () => {
    const workspace = await instance.workspace()
    const { setEndpointControl } = createWorkspaceRequests(instance, workspace)
    const viewer = await instance.member(workspace.id, [])
    const stream = await server.openStream(workspace.id, viewer.session)
    await setEndpointControl('events', 'off')
    await stream.next('workspaces')
    expect(listResources(stream)).toEqual([])
  })

  test('receives changes of drafts only with events.manage, and of an event when it is published or unpublished', async () => {
    const workspace = await instance.workspace()
    const { writeEvent, deleteEvent } = createWorkspaceRequests(instance, workspace)
    const viewer = await instance.member(workspace.id, ['events.view'])
    const manager = await instance.member(workspace.id, ['events.view', 'events.manage'])
    const [viewerStream, all] = [
      await server.openStream(workspace.id, viewer.session),
      await server.openStream(workspace.id, manager.session),
    ]
    const { id } = await writeEvent({ title: 'Draft', scheduledFor: inOneHour() })
    const draft = await all.next('events')
    await writeEvent({ id, published: true }, 'PATCH')
    expect(Number((await viewerStream.next('events')).sequence)).toBeGreaterThan(Number(draft.sequence))
    await writeEvent({ id, title: 'Other' }, 'PATCH')
    await viewerStream.next('events')
    await writeEvent({ id, published: false }, 'PATCH')
    const changeEvent = await viewerStream.next('events')
    await deleteEvent(id)
    const { id: second } = await writeEvent({
      title: 'Published',
      scheduledFor: inOneHour(),
      published: true,
    })
    expect(Number((await viewerStream.next('events')).sequence)).toBeGreaterThan(
      Number(changeEvent.sequence) + 1,
    )
    await deleteEvent(second)
    await viewerStream.next('events')
    // A draft that changes at the same time does not hide a visible change.
    await writeEvent({ title: 'Published too', scheduledFor: inOneHour(), published: true })
    await writeEvent({ title: 'Draft too', scheduledFor: inOneHour() })
    await viewerStream.next('events')
  })

  test('is checked against their current permissions, and receives changes of them', async () => {
    const workspace = await instance.workspace()
    const { setRolePermissions } = createWorkspaceRequests(instance, workspace)
    const viewer = await instance.member(workspace.id, ['departments.view'])
    const stream = await server.openStream(workspace.id, viewer.session)
    const setPermissions = async (set: Permission[]) => {
      await setRolePermissions(viewer.roleId, set)
      expect(await stream.next('members')).toMatchObject({ resource: 'members' })
    }
    await setPermissions(['moderation.view'])
    await createDepartment(instance, workspace, 'Not seen any more')
    await banPlayer(instance, workspace)
    await stream.next('moderation')
    expect(listResources(stream)).toEqual([])
    await setPermissions(['departments.view'])
    await banPlayer(instance, workspace, '156')
    expect(
      await resourcesBefore(stream, () => createDepartment(instance, workspace, 'Seen again'), 'departments'),
    ).toEqual([])
  })

  test('learns that their limits changed, and nothing of other changes of their role', async () => {
    const workspace = await instance.workspace()
    const { id, ownerSession: session } = workspace
    const moderator = await instance.member(id, ['departments.view', 'moderation.ban'])
    const stream = await server.openStream(id, moderator.session)
    const updateRole = async (change: Readonly<Record<string, string>>) => {
      const body = { workspaceId: id, id: moderator.roleId, ...change }
      expect((await instance.request('PATCH', '/portal/api/roles', { session, body })).status).toBe(200)
    }
    await updateRole({ bansPerHour: '2' })
    expect(await stream.next('members')).toMatchObject({ resource: 'members' })
    await updateRole({ name: 'Renamed' })
    expect(
      await resourcesBefore(stream, () => createDepartment(instance, workspace, 'Seen'), 'departments'),
    ).toEqual([])
  })

  test('who reads slowly receives each resource once on resuming, and blocks no other stream', async () => {
    const workspace = await instance.workspace()
    const fastStream = await server.openStream(workspace.id, workspace.ownerSession)
    const request = new Request(`${PUBLIC_URL}/portal/api/live?workspaceId=${workspace.id}`, {
      headers: { cookie: `reeve_session=${workspace.ownerSession}` },
    })
    const unreadResponse = await instance.fetch(request)
    let last = ''
    for (let player = 1; player <= 12; player++) {
      await banPlayer(instance, workspace, String(player))
      last = (await fastStream.next('moderation')).sequence
    }
    const slowStream = readLiveStream(unreadResponse)
    await slowStream.waitUntil(() => slowStream.events.at(-1)?.sequence === last)
    expect(slowStream.events.length).toBeLessThan(9)
    await slowStream.close()
  })
})

describe('a member who reconnects', () => {
  const openStreamSince = (workspace: Workspace, id: string, session = workspace.ownerSession) =>
    server.openStream(workspace.id, session, '', { 'last-event-id': id })

  test('receives each resource that changed in the meantime once, and nothing if nothing changed', async () => {
    const workspace = await instance.workspace()
    const { createRole } = createWorkspaceRequests(instance, workspace)
    const first = await server.openStream(workspace.id, workspace.ownerSession)
    const known = first.lastId()
    expect(first.events).toEqual([])
    await first.close()
    await banPlayer(instance, workspace)
    await banPlayer(instance, workspace, '156')
    await createRole({ name: 'New', rank: '3', permissions: '' })
    const resumedStream = await openStreamSince(workspace, known)
    await resumedStream.waitUntil(() => resumedStream.events.length >= 5)
    // The log does not tell whether an approval or a mention changed with a record.
    expect(resumedStream.events.map(({ resource }) => resource).sort()).toEqual([
      'inbox',
      'invitations',
      'members',
      'moderation',
      'roles',
    ])
    expect(Number(resumedStream.lastId())).toBe(Number(known) + 3)
    expect((await openStreamSince(workspace, resumedStream.lastId())).events).toEqual([])
    const resumedByQuery = await server.openStream(
      workspace.id,
      workspace.ownerSession,
      `&lastEventId=${known}`,
    )
    expect(listResources(resumedByQuery)).toEqual(['inbox', 'invitations', 'members', 'moderation', 'roles'])
  })

  test('receives a change of a published event, whatever of it changed, and none of a draft', async () => {
    const workspace = await instance.workspace()
    const { writeEvent } = createWorkspaceRequests(instance, workspace)
    const scheduledFor = new Date(instance.clock.now() + 3_600_000).toISOString()
    const { id } = await writeEvent({ title: 'Published', scheduledFor, published: true })
    const draft = await writeEvent({ title: 'Draft', scheduledFor })
    const viewer = await instance.member(workspace.id, ['events.view'])
    const first = await server.openStream(workspace.id, viewer.session)
    const known = first.lastId()
    await first.close()
    await writeEvent({ id: draft.id, title: 'Still a draft' }, 'PATCH')
    const withoutChanges = await openStreamSince(workspace, known, viewer.session)
    expect(withoutChanges.events).toEqual([])
    await withoutChanges.close()
    await writeEvent({ id, description: 'Bring a friend' }, 'PATCH')
    const resumed = await openStreamSince(workspace, known, viewer.session)
    await resumed.waitUntil(() => resumed.events.length > 0)
    expect(listResources(resumed)).toEqual(['events'])
  })

  test('learns that their own permissions changed in the meantime, whatever they may view', async () => {
    const workspace = await instance.workspace()
    const { setRolePermissions } = createWorkspaceRequests(instance, workspace)
    const viewer = await instance.member(workspace.id, ['events.view'])
    const first = await server.openStream(workspace.id, viewer.session)
    const known = first.lastId()
    await first.close()
    await setRolePermissions(viewer.roleId, ['events.view', 'departments.view'])
    expect(listResources(await openStreamSince(workspace, known, viewer.session))).toContain('members')
    await banPlayer(instance, workspace)
    const afterwards = (await openStreamSince(workspace, known)).lastId()
    expect((await openStreamSince(workspace, afterwards, viewer.session)).events).toEqual([])
  })

  test('receives every visible resource if the last id is unknown or too old', async () => {
    const workspace = await instance.workspace()
    const viewer = await instance.member(workspace.id, ['moderation.view', 'events.view'])
    for (const id of ['junk', '', '999999', '-1', '9'.repeat(40)]) {
      expect(
        listResources(await openStreamSince(workspace, id, await instance.session(workspace.ownerId))),
      ).toEqual(OWNER_RESOURCES)
      expect(
        listResources(await openStreamSince(workspace, id, await instance.session(viewer.accountId))),
      ).toEqual(['claims', 'events', 'inbox', 'members', 'moderation', 'workspaces'])
    }
    await advanceAuditSequence(instance, workspace.id, 1500)
    expect(listResources(await openStreamSince(workspace, '2'))).toEqual(OWNER_RESOURCES)
  })

  test('receives no hidden drafts, and every resource after a rollback', async () => {
    const workspace = await instance.workspace()
    const { writeEvent, workspaces } = createWorkspaceRequests(instance, workspace)
    const viewer = await instance.member(workspace.id, ['events.view'])
    const first = await server.openStream(workspace.id, viewer.session)
    const scheduledFor = new Date(instance.clock.now() + 3_600_000).toISOString()
    await writeEvent({ title: 'Draft', scheduledFor })
    expect((await openStreamSince(workspace, first.lastId(), viewer.session)).events).toEqual([])
    expect(listResources(await openStreamSince(workspace, first.lastId()))).toEqual(['events'])
    await writeEvent({ title: 'Open', scheduledFor, published: true })
    expect(listResources(await openStreamSince(workspace, first.lastId(), viewer.session))).toEqual([
      'events',
    ])
    const archive = (await workspaces({ id: workspace.id, archive: true })).body.archive
    const lastIdBeforeRestore = (await openStreamSince(workspace, first.lastId())).lastId()
    await workspaces({ id: workspace.id, fromArchive: archive.id })
    expect(listResources(await openStreamSince(workspace, lastIdBeforeRestore))).toEqual(OWNER_RESOURCES)
  })
})
