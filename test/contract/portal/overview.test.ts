import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { replay } from '../../support/replay.ts'
import { pushedOn, quota } from '../../support/states.ts'
import { callsIn, type Workspace } from '../workspaces/world.ts'

const HOUR = 3_600_000

let instance: Instance
const path = '/portal/api/overview'

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

async function read(
  { id, ownerSession }: Pick<Workspace, 'id' | 'ownerSession'>,
  query: Record<string, string> = {},
) {
  const search = new URLSearchParams({ workspaceId: id, ...query })
  return instance.call('GET', `${path}?${search}`, { session: ownerSession })
}
const overviewOf = async (workspace: Workspace, query?: Record<string, string>) =>
  (await read(workspace, query)).body
const as = ({ id }: Workspace, { session }: { session: string }) => ({ id, ownerSession: session })
const time = (fromNow: number) => new Date(instance.clock.now() + fromNow).toISOString()

describe('the overview', () => {
  test('of a new workspace shows that nothing is there, and that no step is done', async () => {
    const workspace = await instance.workspace()
    const { status, body } = await read(workspace)
    expect(status).toBe(200)
    expect(body).toEqual({
      inForce: { bans: '0', mutes: '0' },
      done: { since: time(-24 * HOUR), complete: 'true', actions: [], actors: [] },
      nextEvents: [],
      usage: { calls: '0', quota: null },
      endpoints: [],
      // The workspaces of the tests are made with a key.
      firstSteps: {
        member: 'false',
        role: 'false',
        apiKey: 'true',
        record: 'false',
        department: 'false',
        event: 'false',
      },
    })
  })

  test('counts bans and mutes that are in force at that very moment', async () => {
    const workspace = await instance.workspace()
    const { moderate } = callsIn(instance, workspace)
    const restrain = (action: string, userId: string, durationSeconds = 'permanent') =>
      moderate({ action, userId, reason: 'Because', durationSeconds })
    await restrain('ban', '1')
    await restrain('ban', '1')
    await restrain('ban', '2', '60')
    await restrain('ban', '3')
    await moderate({ action: 'unban', userId: '3' })
    await restrain('mute', '1', '120')
    await moderate({ action: 'note', userId: '9', reason: 'Seen' })
    expect((await overviewOf(workspace)).inForce).toEqual({ bans: '2', mutes: '1' })
    instance.clock.advance(60_000)
    expect((await overviewOf(workspace)).inForce).toEqual({ bans: '1', mutes: '1' })
    instance.clock.advance(60_000)
    expect((await overviewOf(workspace)).inForce).toEqual({ bans: '1', mutes: '0' })
  })

  test('tells what moderation did since a moment, by action and by whom, the most first', async () => {
    const workspace = await instance.workspace()
    const { moderate, department } = callsIn(instance, workspace)
    const member = await instance.member(workspace.id, ['moderation.warn'])
    await moderate({ action: 'kick', userId: '9', reason: 'Yesterday' })
    instance.clock.advance(25 * HOUR)
    await moderate({ action: 'ban', userId: '1', reason: 'One', durationSeconds: '60' })
    await moderate({ action: 'ban', userId: '1', reason: 'Instead' })
    await moderate({ action: 'unban', userId: '1' })
    await department({ name: 'Not moderation' })
    const session = await instance.session(member.accountId)
    instance.clock.advance(HOUR)
    await instance.call('POST', '/api/moderation', {
      session,
      body: { workspaceId: workspace.id, action: 'warn', userId: '2', reason: 'Spam' },
    })
    const { done } = await overviewOf(workspace)
    expect(done).toEqual({
      since: time(-24 * HOUR),
      complete: 'true',
      actions: [
        { action: 'ban', count: '2' },
        { action: 'warn', count: '1' },
        { action: 'unban', count: '1' },
      ],
      actors: [
        { actorKind: 'api_key', actorId: expect.any(String), actorName: expect.any(String), count: '3' },
        { actorKind: 'account', actorId: member.accountId, actorName: expect.any(String), count: '1' },
      ],
    })
    const since = time(-HOUR / 2)
    const later = (await overviewOf(workspace, { since })).done
    expect([later.since, later.actions]).toEqual([since, [{ action: 'warn', count: '1' }]])
  })

  test('says so where too much was done to count all of it', async () => {
    const workspace = await instance.workspace()
    const { moderate } = callsIn(instance, workspace)
    await moderate({ action: 'note', userId: '1', reason: 'Early' })
    await pushedOn(instance, workspace.id, 5000)
    await moderate({ action: 'warn', userId: '1', reason: 'Late' })
    expect((await overviewOf(workspace)).done).toMatchObject({
      complete: 'false',
      actions: [{ action: 'warn', count: '1' }],
    })
    instance.clock.advance(1)
    expect((await overviewOf(workspace, { since: time(0) })).done.complete).toBe('true')
  })

  test('shows the next five events that have not ended, soonest first, drafts to those who manage', async () => {
    const workspace = await instance.workspace()
    const { event } = callsIn(instance, workspace)
    const make = (title: string, fromNow: number, more: object = {}) =>
      event({ title, scheduledFor: time(fromNow), published: true, ...more })
    await make('Over', -2 * HOUR)
    await make('Live', -HOUR / 2)
    await make('Long', -50 * HOUR, { eventType: 'training', trainingEnd: time(HOUR) })
    await make('Draft', HOUR, { published: false })
    for (const hours of [9, 8, 7, 6]) await make(`In ${hours}`, hours * HOUR)
    const titles = (body: { nextEvents: { title: string }[] }) => body.nextEvents.map(({ title }) => title)
    expect(titles(await overviewOf(workspace))).toEqual(['Long', 'Live', 'Draft', 'In 6', 'In 7'])
    const viewer = await instance.member(workspace.id, ['events.view'])
    const seen = (await read(as(workspace, viewer))).body
    expect(titles(seen)).toEqual(['Long', 'Live', 'In 6', 'In 7', 'In 8'])
    expect(seen.nextEvents[1]).toEqual({
      id: expect.any(String),
      title: 'Live',
      eventType: 'event',
      scheduledFor: time(-HOUR / 2),
      endsAt: time(HOUR / 2),
      published: 'true',
    })
  })

  test('shows the usage beside the quota, and the endpoints that are not on', async () => {
    const workspace = await instance.workspace()
    const { control } = callsIn(instance, workspace)
    await quota(instance, workspace.id, 500)
    await control('events', 'off', 'Back soon')
    await control('departments', 'read_only')
    await control('workspaces', 'on')
    const { usage, endpoints } = await overviewOf(workspace)
    expect(usage).toEqual({ calls: '3', quota: '500' })
    expect(endpoints).toEqual([
      { endpoint: 'departments', mode: 'read_only', message: null },
      { endpoint: 'events', mode: 'off', message: 'Back soon' },
    ])
  })

  test('ticks off each first step while it is done', async () => {
    const workspace = await instance.workspace()
    const { moderate, department, event, role } = callsIn(instance, workspace)
    const steps = async (reader = workspace as Pick<Workspace, 'id' | 'ownerSession'>) =>
      (await read(reader)).body.firstSteps
    const none = { member: 'false', role: 'false', record: 'false', department: 'false', event: 'false' }
    expect(await steps()).toMatchObject(none)
    await role({ name: 'First', rank: '3', permissions: '' })
    expect(await steps()).toMatchObject({ ...none, role: 'true' })
    const viewer = await instance.member(workspace.id, ['events.view', 'departments.view'])
    expect(await steps()).toMatchObject({ ...none, role: 'true', member: 'true' })
    await moderate({ action: 'note', userId: '1', reason: 'Seen' })
    const made = await department({ name: 'First' })
    await event({ title: 'Draft', scheduledFor: time(HOUR) })
    expect(await steps()).toMatchObject({ record: 'true', department: 'true', event: 'true' })
    await department({ id: made.id, action: 'delete' })
    expect(await steps()).toMatchObject({ department: 'false' })
    expect(await steps(as(workspace, viewer))).toEqual({
      member: null,
      role: null,
      apiKey: null,
      record: null,
      department: 'false',
      event: 'false',
    })
    const keys = await instance.call('GET', `/portal/api/api-keys?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
    for (const { id } of keys.body.apiKeys ?? keys.body.keys) {
      await instance.call('POST', '/portal/api/api-keys/revoke', {
        session: workspace.ownerSession,
        body: { workspaceId: workspace.id, id },
      })
    }
    expect(await steps()).toMatchObject({ apiKey: 'false' })
  })

  test('shows each part only to those who may see it', async () => {
    const workspace = await instance.workspace()
    const nothing = { inForce: null, done: null, nextEvents: null, usage: null, endpoints: null }
    const steps = { member: null, role: null, apiKey: null, record: null, department: null, event: null }
    const parts = [
      ['moderation.view', ['inForce', 'done'], ['record']],
      ['events.view', ['nextEvents'], ['event']],
      ['usage.view', ['usage'], []],
      ['endpoint_controls.view', ['endpoints'], []],
      ['members.view', [], ['member']],
      ['roles.view', [], ['role']],
      ['api_keys.manage', [], ['apiKey']],
      ['departments.view', [], ['department']],
      ['audit.view', [], []],
    ] as const
    for (const [permission, shown, done] of parts) {
      const member = await instance.member(workspace.id, [permission])
      const { firstSteps, ...body } = (await read(as(workspace, member))).body
      const visible = (names: readonly string[]) =>
        Object.fromEntries(names.map((name) => [name, expect.anything()]))
      expect(body).toEqual({ ...nothing, ...visible(shown) })
      expect(firstSteps).toEqual({ ...steps, ...visible(done) })
    }
  })

  test('holds nothing of another workspace', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    const { moderate, event, control } = callsIn(instance, other)
    await moderate({ action: 'ban', userId: '1', reason: 'Theirs' })
    await event({ title: 'Theirs', scheduledFor: time(HOUR), published: true })
    await control('events', 'off')
    expect(await overviewOf(workspace)).toMatchObject({
      inForce: { bans: '0', mutes: '0' },
      done: { actions: [], actors: [] },
      nextEvents: [],
      endpoints: [],
      firstSteps: { record: 'false', event: 'false' },
    })
  })

  test('refuses a time that is none', async () => {
    const { status, body } = await read(await instance.workspace(), { since: 'yesterday' })
    expect([status, body.details[0].field]).toEqual([400, 'since'])
  })

  test('is for members signed in', async () => {
    const workspace = await instance.workspace()
    await replay(instance, {
      method: 'GET',
      path,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: null,
    })
    expect(instance.failures).toEqual([])
  })
})
