import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { liveResources } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { startStreamServer } from '../../support/live-stream.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'
import {
  banPlayer,
  createDepartment,
  listResources,
  OWNER_RESOURCES,
  resourcesBefore,
} from './live-changes.ts'
import { openChangesOfEveryKind } from './live-kinds.ts'

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

describe('a change', () => {
  test('by one member reaches another, with its sequence number', async () => {
    const workspace = await instance.workspace()
    const otherMember = await instance.member(workspace.id, ['moderation.view'])
    const stream = await server.openStream(workspace.id, otherMember.session)
    const { body } = await banPlayer(instance, workspace)
    const { sequence } = body.record
    expect(await stream.next('moderation')).toEqual({ resource: 'moderation', sequence, id: sequence })
  })

  test('of every kind names the resources that show it', async () => {
    const other = await openInstance({ finishesJobs: false })
    const otherServer = startStreamServer(other)
    const { id, ownerId, changes } = await openChangesOfEveryKind(other)
    const named = new Set<string>()
    for (const [kind, expected] of Object.entries(changes)) {
      for (const [change, resources] of expected) {
        const stream = await otherServer.openStream(id, await other.session(ownerId))
        await change()
        await stream.waitUntil(() => stream.events.length >= resources.length)
        expect({ kind, resources: listResources(stream) }).toEqual({ kind, resources: [...resources] })
        for (const resource of resources) named.add(resource)
        await stream.close()
        await other.runJobs()
        await other.runImports()
      }
    }
    await otherServer.close()
    await other.close()
    expect([...named].sort()).toEqual(liveResources.toSorted())
  }, 60_000)

  test('that is rejected or rolled back is not sent', async () => {
    const workspace = await instance.workspace()
    await createDepartment(instance, workspace, 'Taken')
    const stream = await server.openStream(workspace.id, workspace.ownerSession)
    expect((await createDepartment(instance, workspace, 'Taken')).status).toBe(409)
    await instance.db
      .write(async (tx) => {
        tx.announce({ kind: 'department', workspaceId: workspace.id, id: 'none' })
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect(await resourcesBefore(stream, () => banPlayer(instance, workspace), 'moderation')).toEqual([])
  })

  test('in another workspace is never sent', async () => {
    const [workspace, otherMember] = [await instance.workspace(), await instance.workspace()]
    const stream = await server.openStream(workspace.id, workspace.ownerSession)
    await createDepartment(instance, otherMember, 'Foreign')
    expect(await resourcesBefore(stream, () => banPlayer(instance, workspace), 'moderation')).toEqual([])
  })

  test('in a burst is sent with the others, at most five times a second', async () => {
    const workspace = await instance.workspace()
    const stream = await server.openStream(workspace.id, workspace.ownerSession)
    const startedAt = performance.now()
    let last = ''
    for (let player = 1; player <= 150; player++) {
      last = (await banPlayer(instance, workspace, String(player))).body.record.sequence
    }
    await stream.waitUntil(() => stream.events.at(-1)?.sequence === last)
    const maxEvents = Math.ceil((performance.now() - startedAt) / 200) + 1
    expect(stream.events.length).toBeLessThanOrEqual(maxEvents)
    expect(stream.events.length).toBeLessThan(150)
  })

  test('by a rollback names every resource that it may have changed', async () => {
    const workspace = await instance.workspace()
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    const { id } = workspace
    const archive = (await workspaces({ id, archive: true })).body.archive
    const stream = await server.openStream(id, workspace.ownerSession)
    expect((await workspaces({ id, fromArchive: archive.id })).status).toBe(200)
    const changed = OWNER_RESOURCES.filter((one) => !['erasures', 'imports'].includes(one))
    await stream.waitUntil(() => listResources(stream).length >= changed.length)
    expect(listResources(stream)).toEqual(changed)
  })
})
