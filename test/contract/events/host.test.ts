import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createWorkspaceRequests } from '../workspaces/fixture.ts'
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

const readProblem = async (method: string, fields: Record<string, unknown>) => {
  const { status, body } = await fixture.writeEvent(method, fields)
  return [status, body.details?.[0]?.field]
}

describe('the end of an event', () => {
  test('can be set for every type, and is also its trainingEnd', async () => {
    const { minutesFromNow, createEvent, updateEvent } = fixture
    for (const eventType of ['event', 'training', 'shift', 'meeting', 'tryout', 'other']) {
      const event = await createEvent({ eventType, endsAt: minutesFromNow(2000) })
      expect(event).toMatchObject({ endsAt: minutesFromNow(2000), trainingEnd: minutesFromNow(2000) })
      expect(await updateEvent(event.id, { title: 'Still' })).toMatchObject({ endsAt: minutesFromNow(2000) })
      expect(await updateEvent(event.id, { endsAt: null })).toMatchObject({ endsAt: minutesFromNow(120) })
    }
  })

  test('must be after the start, and the same as trainingEnd if both are set', async () => {
    const { minutesFromNow } = fixture
    const event = { title: 'Patrol', scheduledFor: minutesFromNow(60) }
    const end = minutesFromNow(60)
    expect(await readProblem('POST', { ...event, endsAt: end })).toEqual([400, 'endsAt'])
    expect(await readProblem('POST', { ...event, trainingEnd: end })).toEqual([400, 'trainingEnd'])
    const both = { endsAt: minutesFromNow(90), trainingEnd: minutesFromNow(91) }
    expect(await readProblem('POST', { ...event, ...both })).toEqual([400, 'endsAt'])
    const same = { endsAt: minutesFromNow(90), trainingEnd: minutesFromNow(90) }
    expect((await fixture.writeEvent('POST', { ...event, ...same })).status).toBe(200)
  })
})

describe('the host of an event', () => {
  test('is a member with the name that they had when they were chosen, even after they leave', async () => {
    const { workspace, createEvent, updateEvent } = fixture
    const { accountId } = await instance.member(workspace.id, [])
    const event = await createEvent({ eventType: 'shift', hostAccountId: accountId })
    expect(event).toMatchObject({
      hostAccountId: accountId,
      trainingHost: expect.stringMatching(/^account /),
    })
    expect((await createWorkspaceRequests(instance, workspace).removeMember(accountId)).status).toBe(200)
    const host = { hostAccountId: accountId, trainingHost: event.trainingHost }
    expect(await updateEvent(event.id, { title: 'Later' })).toMatchObject(host)
    expect(await updateEvent(event.id, { hostAccountId: accountId })).toMatchObject(host)
    expect(
      await readProblem('POST', {
        title: 'New',
        scheduledFor: '2031-01-01T00:00:00Z',
        hostAccountId: accountId,
      }),
    ).toEqual([400, 'hostAccountId'])
  })

  test('can be a guest with any name, who takes the place of a member, or nobody', async () => {
    const { workspace, createEvent, updateEvent } = fixture
    const event = await createEvent({ hostAccountId: workspace.ownerId })
    const guest = { hostAccountId: null, trainingHost: 'Ossian' }
    expect(await updateEvent(event.id, { trainingHost: 'Ossian' })).toMatchObject(guest)
    expect(await updateEvent(event.id, { hostAccountId: null })).toMatchObject(guest)
    expect(await updateEvent(event.id, { hostAccountId: workspace.ownerId })).toMatchObject({
      hostAccountId: workspace.ownerId,
    })
    const nobody = { hostAccountId: null, trainingHost: null }
    expect(await updateEvent(event.id, { hostAccountId: null })).toMatchObject(nobody)
    await updateEvent(event.id, { hostAccountId: workspace.ownerId })
    expect(await updateEvent(event.id, { trainingHost: null })).toMatchObject(nobody)
  })

  test('is a member of the same workspace, and not also a guest', async () => {
    const other = await instance.workspace()
    const event = { title: 'Patrol', scheduledFor: fixture.minutesFromNow(60) }
    for (const host of [
      { hostAccountId: other.ownerId },
      { hostAccountId: 'nobody' },
      { hostAccountId: fixture.workspace.ownerId, trainingHost: 'Ossian' },
    ]) {
      expect(await readProblem('POST', { ...event, ...host })).toEqual([400, 'hostAccountId'])
    }
    expect(instance.unexpectedErrors).toEqual([])
  })
})
