import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Permission, permissions } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { type EventsFixture, openEventsFixture, path } from './fixture.ts'

let instance: Instance
let fixture: EventsFixture

beforeAll(async () => {
  instance = await openInstance()
  fixture = await openEventsFixture(instance)
})
afterAll(() => instance.close())

describe('a caller without permission gets 403 and changes nothing', () => {
  const createRequestBase = () => ({ path, workspaceId: fixture.workspace.id })

  test('reading the list needs events.view', async () => {
    await fixture.createEvent({ published: true })
    const query = { workspaceId: fixture.workspace.id }
    await expectAccessRules(instance, {
      ...createRequestBase(),
      method: 'GET',
      query,
      permission: 'events.view',
    })
  })

  test('reading one needs events.view', async () => {
    const query = {
      workspaceId: fixture.workspace.id,
      id: (await fixture.createEvent({ published: true })).id,
    }
    await expectAccessRules(instance, {
      ...createRequestBase(),
      method: 'GET',
      query,
      permission: 'events.view',
    })
  })

  test('creating needs events.manage', async () => {
    const body = { workspaceId: fixture.workspace.id, title: 'A', scheduledFor: fixture.minutesFromNow(1) }
    await expectAccessRules(instance, {
      ...createRequestBase(),
      method: 'POST',
      body,
      permission: 'events.manage',
    })
  })

  test('creating a published event also needs events.publish', async () => {
    const scheduledFor = fixture.minutesFromNow(1)
    const body = { workspaceId: fixture.workspace.id, title: 'A', scheduledFor, published: true }
    const request = { ...createRequestBase(), method: 'POST', body, permission: 'events.manage' } as const
    await expectAccessRules(instance, { ...request, also: ['events.publish'] })
  })

  for (const method of ['POST', 'PATCH'] as const) {
    test(`${method} of an id needs events.manage`, async () => {
      const body = { workspaceId: fixture.workspace.id, id: (await fixture.createEvent()).id, title: 'B' }
      await expectAccessRules(instance, { ...createRequestBase(), method, body, permission: 'events.manage' })
    })
  }

  test('deleting needs events.manage', async () => {
    const query = { workspaceId: fixture.workspace.id, id: (await fixture.createEvent()).id }
    await expectAccessRules(instance, {
      ...createRequestBase(),
      method: 'DELETE',
      query,
      permission: 'events.manage',
    })
  })
})

describe('publishing', () => {
  const withoutPublish = () =>
    instance.key(
      fixture.workspace.id,
      permissions.filter((one) => one !== 'events.publish'),
    )

  test('needs events.publish to create a published event, publish or unpublish', async () => {
    const draft = await fixture.createEvent()
    const publishedEvent = await fixture.createEvent({ published: true })
    const key = await withoutPublish()
    const before = await readStoredRows(instance)
    for (const [method, body] of [
      ['POST', { title: 'A', scheduledFor: fixture.minutesFromNow(1), published: 'true' }],
      ['POST', { published: true }],
      ['POST', { id: draft.id, published: 1 }],
      ['PATCH', { id: draft.id, published: 'true', title: 'B' }],
      ['PATCH', { id: publishedEvent.id, published: false }],
    ] as const) {
      const response = await instance.request(method, fixture.toPath(), { key, body })
      expect([response.status, response.body.reason, response.body.permission]).toEqual([
        403,
        'missing_permission',
        'events.publish',
      ])
    }
    expect(await readStoredRows(instance)).toEqual(before)
  })

  test('is needed to change or delete a published event in any way', async () => {
    const { id } = await fixture.createEvent({ published: true })
    const key = await withoutPublish()
    const before = await readStoredRows(instance)
    for (const send of [
      () => instance.request('PATCH', fixture.toPath(), { key, body: { id, title: 'Defaced' } }),
      () => instance.request('POST', fixture.toPath(), { key, body: { id, published: true, title: 'B' } }),
      () =>
        instance.request('PATCH', fixture.toPath(), {
          key,
          body: { id, scheduledFor: fixture.minutesFromNow(9) },
        }),
      () => instance.request('DELETE', `${fixture.toPath()}&id=${id}`, { key }),
    ]) {
      const { status, body } = await send()
      expect([status, body.permission]).toEqual([403, 'events.publish'])
    }
    expect(await readStoredRows(instance)).toEqual(before)
  })

  test('is not needed to change or delete a draft', async () => {
    const draft = await fixture.createEvent()
    const key = await withoutPublish()
    for (const body of [
      { title: 'A', scheduledFor: fixture.minutesFromNow(1), published: 'false' },
      { id: draft.id, published: false, title: 'B' },
      { id: draft.id, scheduledFor: fixture.minutesFromNow(9) },
    ]) {
      expect((await instance.request('POST', fixture.toPath(), { key, body })).status).toBe(200)
    }
    const deleted = await instance.request('DELETE', `${fixture.toPath()}&id=${draft.id}`, { key })
    expect(deleted.status).toBe(200)
  })
})

describe('drafts', () => {
  test('are visible with events.manage, and do not exist for anyone else', async () => {
    const own = await openEventsFixture(instance)
    const draft = await own.createEvent({ title: 'Secret' })
    await own.createEvent({ title: 'Open', published: true })
    const keyOf = (...set: Permission[]) => instance.key(own.workspace.id, set)
    const manager = { key: await keyOf('events.view', 'events.manage') }
    const viewer = { key: await keyOf('events.view', 'events.publish') }
    expect((await own.listTitles({}, manager)).sort()).toEqual(['Open', 'Secret'])
    expect((await own.readEvents({ id: draft.id }, manager)).status).toBe(200)
    expect(await own.listTitles({}, viewer)).toEqual(['Open'])
    for (const query of [
      { published: 'false' },
      { status: 'draft' },
      { status: 'draft', published: 'true' },
    ]) {
      expect((await own.readEvents(query as Record<string, string>, viewer)).body).toEqual({
        events: [],
        nextCursor: null,
      })
    }
    const readEvent = async (id: string) => {
      const { status, body } = await own.readEvents({ id }, viewer)
      return { status, ...body, requestId: '' }
    }
    expect(await readEvent(draft.id)).toEqual(await readEvent('0198c0de-dead-7000-8000-00000000dead'))
    expect((await own.readEvents({ limit: '1' }, viewer)).body.nextCursor).toBeNull()
  })
})

describe("another workspace's event", () => {
  test('is not found, with the same response as for an id that does not exist', async () => {
    const otherFixture = await openEventsFixture(instance)
    const { id } = await fixture.createEvent({ published: true })
    const before = await readStoredRows(instance)
    const readResponses = async (target: string) => {
      const body = {
        id: target,
        title: 'Mine',
        scheduledFor: otherFixture.minutesFromNow(1),
        published: false,
      }
      const calls = [
        otherFixture.readEvents({ id: target }),
        instance.request('DELETE', otherFixture.toPath({ id: target }), otherFixture.credentials),
        otherFixture.writeEvent('POST', body),
        otherFixture.writeEvent('PATCH', body),
      ]
      return (await Promise.all(calls)).map(({ status, body }) => ({ status, ...body, requestId: '' }))
    }
    const actual = await readResponses(id)
    expect(actual).toEqual(await readResponses('0198c0de-dead-7000-8000-00000000dead'))
    expect(new Set(actual.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['404 not_found']))
    expect(await readStoredRows(instance)).toEqual(before)
  })

  test("appears in no other workspace's list, whatever the cursor", async () => {
    const otherFixture = await openEventsFixture(instance)
    await fixture.createEvent()
    await fixture.createEvent()
    const { nextCursor } = (await fixture.readEvents({ limit: '1' })).body
    for (const query of [{}, { cursor: nextCursor }])
      expect((await otherFixture.readEvents(query)).body).toEqual({ events: [], nextCursor: null })
  })
})
