import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Permission, permissions } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { stored } from '../../support/stored.ts'
import { openScene, path, type Scene } from './scene.ts'

let instance: Instance
let scene: Scene

beforeAll(async () => {
  instance = await openInstance()
  scene = await openScene(instance)
})
afterAll(() => instance.close())

describe('who may not is told so, and nothing is changed', () => {
  const about = () => ({ path, workspaceId: scene.workspace.id })

  test('reading the list needs events.view', async () => {
    await scene.create({ published: true })
    const query = { workspaceId: scene.workspace.id }
    await replay(instance, { ...about(), method: 'GET', query, permission: 'events.view' })
  })

  test('reading one needs events.view', async () => {
    const query = { workspaceId: scene.workspace.id, id: (await scene.create({ published: true })).id }
    await replay(instance, { ...about(), method: 'GET', query, permission: 'events.view' })
  })

  test('creating needs events.manage', async () => {
    const body = { workspaceId: scene.workspace.id, title: 'A', scheduledFor: scene.inMinutes(1) }
    await replay(instance, { ...about(), method: 'POST', body, permission: 'events.manage' })
  })

  test('creating a published event needs events.publish besides', async () => {
    const scheduledFor = scene.inMinutes(1)
    const body = { workspaceId: scene.workspace.id, title: 'A', scheduledFor, published: true }
    const request = { ...about(), method: 'POST', body, permission: 'events.manage' } as const
    await replay(instance, { ...request, also: ['events.publish'] })
  })

  for (const method of ['POST', 'PATCH'] as const) {
    test(`${method} of an id needs events.manage`, async () => {
      const body = { workspaceId: scene.workspace.id, id: (await scene.create()).id, title: 'B' }
      await replay(instance, { ...about(), method, body, permission: 'events.manage' })
    })
  }

  test('deleting needs events.manage', async () => {
    const query = { workspaceId: scene.workspace.id, id: (await scene.create()).id }
    await replay(instance, { ...about(), method: 'DELETE', query, permission: 'events.manage' })
  })
})

describe('publishing', () => {
  const withoutPublish = () =>
    instance.key(
      scene.workspace.id,
      permissions.filter((one) => one !== 'events.publish'),
    )

  test('is for those who may: no one else creates published, publishes or takes back', async () => {
    const draft = await scene.create()
    const live = await scene.create({ published: true })
    const key = await withoutPublish()
    const before = await stored(instance)
    for (const [method, body] of [
      ['POST', { title: 'A', scheduledFor: scene.inMinutes(1), published: 'true' }],
      ['POST', { published: true }],
      ['POST', { id: draft.id, published: 1 }],
      ['PATCH', { id: draft.id, published: 'true', title: 'B' }],
      ['PATCH', { id: live.id, published: false }],
    ] as const) {
      const answer = await instance.call(method, scene.at(), { key, body })
      expect([answer.status, answer.body.reason, answer.body.permission]).toEqual([
        403,
        'missing_permission',
        'events.publish',
      ])
    }
    expect(await stored(instance)).toEqual(before)
  })

  test('is not what it is to send back how it stands, or to change the rest', async () => {
    const draft = await scene.create()
    const live = await scene.create({ published: true })
    const key = await withoutPublish()
    for (const body of [
      { title: 'A', scheduledFor: scene.inMinutes(1), published: 'false' },
      { id: draft.id, published: false, title: 'B' },
      { id: live.id, published: true, title: 'B' },
      { id: live.id, scheduledFor: scene.inMinutes(9) },
    ]) {
      expect((await instance.call('POST', scene.at(), { key, body })).status).toBe(200)
    }
  })
})

describe('drafts', () => {
  test('are seen by those who manage events, and to others are as if they were not', async () => {
    const own = await openScene(instance)
    const draft = await own.create({ title: 'Secret' })
    await own.create({ title: 'Open', published: true })
    const keyOf = (...set: Permission[]) => instance.key(own.workspace.id, set)
    const manager = { key: await keyOf('events.view', 'events.manage') }
    const viewer = { key: await keyOf('events.view', 'events.publish') }
    expect((await own.titles({}, manager)).sort()).toEqual(['Open', 'Secret'])
    expect((await own.read({ id: draft.id }, manager)).status).toBe(200)
    expect(await own.titles({}, viewer)).toEqual(['Open'])
    for (const query of [
      { published: 'false' },
      { status: 'draft' },
      { status: 'draft', published: 'true' },
    ]) {
      expect((await own.read(query as Record<string, string>, viewer)).body).toEqual({
        events: [],
        nextCursor: null,
      })
    }
    const answerTo = async (id: string) => {
      const { status, body } = await own.read({ id }, viewer)
      return { status, ...body, requestId: '' }
    }
    expect(await answerTo(draft.id)).toEqual(await answerTo('0198c0de-dead-7000-8000-00000000dead'))
    expect((await own.read({ limit: '1' }, viewer)).body.nextCursor).toBeNull()
  })
})

describe("another workspace's event", () => {
  test('is not found, never forbidden, and answered exactly as one that never was', async () => {
    const other = await openScene(instance)
    const { id } = await scene.create({ published: true })
    const before = await stored(instance)
    const answers = async (target: string) => {
      const body = { id: target, title: 'Mine', scheduledFor: other.inMinutes(1), published: false }
      const calls = [
        other.read({ id: target }),
        instance.call('DELETE', other.at({ id: target }), other.as),
        other.write('POST', body),
        other.write('PATCH', body),
      ]
      return (await Promise.all(calls)).map(({ status, body }) => ({ status, ...body, requestId: '' }))
    }
    const seen = await answers(id)
    expect(seen).toEqual(await answers('0198c0de-dead-7000-8000-00000000dead'))
    expect(new Set(seen.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['404 not_found']))
    expect(await stored(instance)).toEqual(before)
  })

  test('is in no list but its own, whatever cursor is brought along', async () => {
    const other = await openScene(instance)
    await scene.create()
    await scene.create()
    const { nextCursor } = (await scene.read({ limit: '1' })).body
    for (const query of [{}, { cursor: nextCursor }])
      expect((await other.read(query)).body).toEqual({ events: [], nextCursor: null })
  })
})
