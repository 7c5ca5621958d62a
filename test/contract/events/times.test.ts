import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openScene, type Scene } from './scene.ts'

let instance: Instance
let scene: Scene

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  scene = await openScene(instance)
})
afterAll(() => instance.close())

describe('the times of a training', () => {
  test('follow scheduledFor as long as they are not set, wherever it moves', async () => {
    const made = await scene.create({ eventType: 'training' })
    expect(made).toMatchObject({
      trainingStart: scene.inMinutes(60),
      trainingEnd: scene.inMinutes(120),
      endsAt: scene.inMinutes(120),
    })
    expect(await scene.update(made.id, { scheduledFor: scene.inMinutes(600) })).toMatchObject({
      trainingStart: scene.inMinutes(600),
      trainingEnd: scene.inMinutes(660),
      endsAt: scene.inMinutes(660),
    })
  })

  test('stay once they are set, until null lets them follow again', async () => {
    const set = { trainingStart: scene.inMinutes(70), trainingEnd: scene.inMinutes(75) }
    const made = await scene.create({ eventType: 'training', ...set })
    expect(made).toMatchObject({ ...set, endsAt: set.trainingEnd })
    const moved = await scene.update(made.id, { scheduledFor: scene.inMinutes(600) })
    expect(moved).toMatchObject({ ...set, endsAt: set.trainingEnd })
    expect(await scene.update(made.id, { trainingStart: null, trainingEnd: null })).toMatchObject({
      trainingStart: scene.inMinutes(600),
      trainingEnd: scene.inMinutes(660),
    })
  })

  test('end an hour after the start where only the start is set', async () => {
    const made = await scene.create({ eventType: 'training', trainingStart: scene.inMinutes(90) })
    expect(made).toMatchObject({ trainingEnd: scene.inMinutes(150), endsAt: scene.inMinutes(150) })
  })

  test('are shown of other events only where they are set, and come with the type', async () => {
    const made = await scene.create({ trainingEnd: scene.inMinutes(200) })
    expect(made).toMatchObject({ trainingStart: null, trainingEnd: scene.inMinutes(200) })
    expect(made.endsAt).toBe(made.trainingEnd)
    const training = await scene.update(made.id, { eventType: 'training', trainingEnd: null })
    expect(training).toMatchObject({ trainingStart: scene.inMinutes(60), trainingEnd: scene.inMinutes(120) })
    const shift = await scene.update(made.id, { eventType: 'shift' })
    expect(shift).toMatchObject({ trainingStart: null, trainingEnd: null, endsAt: scene.inMinutes(120) })
  })
})

describe('the status', () => {
  test('is draft until published, then goes by the clock, to the millisecond', async () => {
    const made = await scene.create({ scheduledFor: scene.inMinutes(1) })
    const status = async () => (await scene.read({ id: made.id })).body.event.status
    expect(made.status).toBe('draft')
    expect((await scene.update(made.id, { published: 'true' })).status).toBe('scheduled')
    instance.clock.advance(59_999)
    expect(await status()).toBe('scheduled')
    instance.clock.advance(1)
    expect(await status()).toBe('live')
    instance.clock.advance(3_599_999)
    expect(await status()).toBe('live')
    instance.clock.advance(1)
    expect(await status()).toBe('ended')
    expect((await scene.update(made.id, { published: 'false' })).status).toBe('draft')
  })

  test('finds in a list exactly the events that show it', async () => {
    for (const published of [true, false]) {
      for (const scheduled of [-120, -60, -59, -1, 0, 1, 90]) {
        for (const training of [
          {},
          { eventType: 'training', trainingStart: scene.inMinutes(scheduled + 30) },
          { trainingEnd: scene.inMinutes(scheduled + 100) },
          {
            trainingStart: scene.inMinutes(scheduled - 200),
            trainingEnd: scene.inMinutes(scheduled - 100),
          },
        ]) {
          await scene.create({ published, scheduledFor: scene.inMinutes(scheduled), ...training })
        }
      }
    }
    const all = (await scene.read({ limit: '200' })).body.events
    expect(new Set(all.map(({ status }: { status: string }) => status)).size).toBe(4)
    for (const status of ['draft', 'scheduled', 'live', 'ended']) {
      const expected = all.filter((one: { status: string }) => one.status === status)
      expect((await scene.read({ limit: '200', status })).body.events).toEqual(expected)
    }
  })
})
