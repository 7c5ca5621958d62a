import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listening } from '../../support/follow.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { quota } from '../../support/states.ts'
import { callsIn } from '../workspaces/world.ts'
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

describe('a change', () => {
  test('that one member makes is heard by another, with its number', async () => {
    const workspace = await instance.workspace()
    const other = await instance.member(workspace.id, ['moderation.view'])
    const follower = await server.follow(workspace.id, other.session)
    const { body } = await ban(instance, workspace)
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
      [() => ban(instance, workspace), ['moderation']],
      [() => department(instance, workspace, 'Public relations'), ['departments']],
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
    await department(instance, workspace, 'Taken')
    const follower = await server.follow(workspace.id, workspace.ownerSession)
    expect((await department(instance, workspace, 'Taken')).status).toBe(409)
    await instance.db
      .write(async (tx) => {
        tx.announce({ kind: 'department', workspaceId: workspace.id, id: 'none' })
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect(await toldBefore(follower, () => ban(instance, workspace), 'moderation')).toEqual([])
  })

  test('of another workspace is never told', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    const follower = await server.follow(workspace.id, workspace.ownerSession)
    await department(instance, other, 'Foreign')
    expect(await toldBefore(follower, () => ban(instance, workspace), 'moderation')).toEqual([])
  })

  test('that is one of many in a short time is told with them: five times a second at the most', async () => {
    const workspace = await instance.workspace()
    const follower = await server.follow(workspace.id, workspace.ownerSession)
    const begun = performance.now()
    let last = ''
    for (let player = 1; player <= 150; player++) {
      last = (await ban(instance, workspace, String(player))).body.record.sequence
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
