import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type EventsFixture, openEventsFixture } from './fixture.ts'

let instance: Instance
let fixture: EventsFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openEventsFixture(instance)
})
afterAll(() => instance.close())

describe('the times of a training', () => {
  test('follow scheduledFor until they are set', async () => {
    const created = await fixture.createEvent({ eventType: 'training' })
    expect(created).toMatchObject({
      trainingStart: fixture.minutesFromNow(60),
      trainingEnd: fixture.minutesFromNow(120),
      endsAt: fixture.minutesFromNow(120),
    })
    expect(
      await fixture.updateEvent(created.id, { scheduledFor: fixture.minutesFromNow(600) }),
    ).toMatchObject({
      trainingStart: fixture.minutesFromNow(600),
      trainingEnd: fixture.minutesFromNow(660),
      endsAt: fixture.minutesFromNow(660),
    })
  })

  test('stay once they are set, and follow again after null', async () => {
    const set = { trainingStart: fixture.minutesFromNow(70), trainingEnd: fixture.minutesFromNow(75) }
    const created = await fixture.createEvent({ eventType: 'training', ...set })
    expect(created).toMatchObject({ ...set, endsAt: set.trainingEnd })
    const rescheduled = await fixture.updateEvent(created.id, { scheduledFor: fixture.minutesFromNow(600) })
    expect(rescheduled).toMatchObject({ ...set, endsAt: set.trainingEnd })
    expect(await fixture.updateEvent(created.id, { trainingStart: null, trainingEnd: null })).toMatchObject({
      trainingStart: fixture.minutesFromNow(600),
      trainingEnd: fixture.minutesFromNow(660),
    })
  })

  test('end an hour after the start if only the start is set', async () => {
    const created = await fixture.createEvent({
      eventType: 'training',
      trainingStart: fixture.minutesFromNow(90),
    })
    expect(created).toMatchObject({
      trainingEnd: fixture.minutesFromNow(150),
      endsAt: fixture.minutesFromNow(150),
    })
  })

  test('of other events are returned only if they are set, and with defaults once the type is training', async () => {
    const created = await fixture.createEvent({ trainingEnd: fixture.minutesFromNow(200) })
    expect(created).toMatchObject({ trainingStart: null, trainingEnd: fixture.minutesFromNow(200) })
    expect(created.endsAt).toBe(created.trainingEnd)
    const training = await fixture.updateEvent(created.id, { eventType: 'training', trainingEnd: null })
    expect(training).toMatchObject({
      trainingStart: fixture.minutesFromNow(60),
      trainingEnd: fixture.minutesFromNow(120),
    })
    const changedType = await fixture.updateEvent(created.id, { eventType: 'shift' })
    expect(changedType).toMatchObject({
      trainingStart: null,
      trainingEnd: null,
      endsAt: fixture.minutesFromNow(120),
    })
  })
})

describe('the status', () => {
  test('is draft until published, then follows the clock, to the millisecond', async () => {
    const created = await fixture.createEvent({ scheduledFor: fixture.minutesFromNow(1) })
    const status = async () => (await fixture.readEvents({ id: created.id })).body.event.status
    expect(created.status).toBe('draft')
    expect((await fixture.updateEvent(created.id, { published: 'true' })).status).toBe('scheduled')
    instance.clock.advance(59_999)
    expect(await status()).toBe('scheduled')
    instance.clock.advance(1)
    expect(await status()).toBe('live')
    instance.clock.advance(3_599_999)
    expect(await status()).toBe('live')
    instance.clock.advance(1)
    expect(await status()).toBe('ended')
    expect((await fixture.updateEvent(created.id, { published: 'false' })).status).toBe('draft')
  })

  test('as a filter finds exactly the events with that status', async () => {
    for (const published of [true, false]) {
      for (const scheduled of [-120, -60, -59, -1, 0, 1, 90]) {
        for (const training of [
          {},
          { eventType: 'training', trainingStart: fixture.minutesFromNow(scheduled + 30) },
          { trainingEnd: fixture.minutesFromNow(scheduled + 100) },
          {
            trainingStart: fixture.minutesFromNow(scheduled - 200),
            trainingEnd: fixture.minutesFromNow(scheduled - 100),
          },
        ]) {
          await fixture.createEvent({
            published,
            scheduledFor: fixture.minutesFromNow(scheduled),
            ...training,
          })
        }
      }
    }
    const all = (await fixture.readEvents({ limit: '200' })).body.events
    expect(new Set(all.map(({ status }: { status: string }) => status)).size).toBe(4)
    for (const status of ['draft', 'scheduled', 'live', 'ended']) {
      const expected = all.filter((event: { status: string }) => event.status === status)
      expect((await fixture.readEvents({ limit: '200', status })).body.events).toEqual(expected)
    }
  })
})
