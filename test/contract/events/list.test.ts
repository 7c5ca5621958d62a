import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
import { openScene, path, type Scene } from './scene.ts'

let instance: Instance
let scene: Scene

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  scene = await openScene(instance)
})
afterAll(() => instance.close())

describe('listing', () => {
  test('goes soonest first, page after page, each once, however many begin at once', async () => {
    for (const minutes of [30, 10, 20, 10, 10, 40, 10]) {
      await scene.create({ title: String(minutes), scheduledFor: scene.inMinutes(minutes) })
    }
    for (const limit of ['1', '2', '3', '7']) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await scene.read({ limit, ...(cursor === null ? {} : { cursor }) })
        seen.push(...page.body.events.map((one: { id: string }) => one.id))
        cursor = page.body.nextCursor
      } while (cursor !== null && seen.length < 10)
      expect([seen.length, new Set(seen).size]).toEqual([7, 7])
      expect(seen).toEqual((await scene.read()).body.events.map((one: { id: string }) => one.id))
    }
    expect(await scene.titles()).toEqual(['10', '10', '10', '10', '20', '30', '40'])
  })

  test('from a moment on, up to another one, and both', async () => {
    for (const minutes of [4, 3, 2, 1]) {
      await scene.create({ title: String(minutes), scheduledFor: scene.inMinutes(minutes) })
    }
    expect(await scene.titles({ from: scene.inMinutes(2) })).toEqual(['2', '3', '4'])
    expect(await scene.titles({ to: scene.inMinutes(3) })).toEqual(['1', '2'])
    expect(await scene.titles({ from: scene.inMinutes(2), to: scene.inMinutes(3) })).toEqual(['2'])
    const { body } = await scene.read({ limit: '1' })
    const cursor: string = body.nextCursor
    expect(await scene.titles({ cursor, from: scene.inMinutes(3) })).toEqual(['3', '4'])
    expect(await scene.titles({ cursor, from: scene.inMinutes(1) })).toEqual(['2', '3', '4'])
  })

  test('by type, by whether they are published, and by all of these at once', async () => {
    await scene.create({ title: 'draft shift', eventType: 'shift' })
    await scene.create({ title: 'shift', eventType: 'shift', published: true })
    await scene.create({ title: 'meeting', eventType: 'meeting', published: true })
    expect((await scene.titles({ eventType: 'shift' })).sort()).toEqual(['draft shift', 'shift'])
    expect(await scene.titles({ published: 'false' })).toEqual(['draft shift'])
    expect((await scene.titles({ published: 'true' })).sort()).toEqual(['meeting', 'shift'])
    expect(
      await scene.titles({
        eventType: 'shift',
        published: '1',
        status: 'scheduled',
        to: scene.inMinutes(61),
      }),
    ).toEqual(['shift'])
    expect(await scene.titles({ published: 'true', status: 'draft' })).toEqual([])
  })

  test('answers the same under the legacy prefix, and HEAD without the body', async () => {
    await scene.create()
    const search = `?workspaceId=${scene.workspace.id}`
    const legacy = await instance.call('GET', `${LEGACY_PREFIX}/events${search}`, scene.as)
    expect(legacy.text).toBe((await scene.read()).text)
    const head = await instance.call('HEAD', path + search, scene.as)
    expect([head.status, head.text]).toEqual([200, ''])
  })
})
