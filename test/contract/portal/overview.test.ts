import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { quota } from '../../support/workspace-states.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'

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
  return instance.request('GET', `${path}?${search}`, { session: ownerSession })
}
const readOverview = async (workspace: Workspace, query?: Record<string, string>) =>
  (await read(workspace, query)).body
const asMember = ({ id }: Workspace, { session }: { session: string }) => ({ id, ownerSession: session })
const time = (offsetMs: number) => new Date(instance.clock.now() + offsetMs).toISOString()

describe('the overview', () => {
  test('of a new workspace is empty, with no first step done', async () => {
    const workspace = await instance.workspace()
    const { status, body } = await read(workspace)
    expect(status).toBe(200)
    expect(body).toEqual({
      inForce: { bans: '0', mutes: '0', nextExpiryAt: null },
      done: {
        from: expect.any(String),
        to: expect.any(String),
        count: '0',
        actions: [],
        actors: [],
        days: expect.any(Array),
      },
      nextEvents: [],
      usage: { calls: '0', quota: null },
      endpoints: [],
      webhooks: [],
      keysToConfirm: '0',
      orphanedKeys: '0',
      // Test workspaces are created with an API key.
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

  test('counts the bans and mutes that are in force at the time, and says when the next one ends', async () => {
    const workspace = await instance.workspace()
    const { moderate } = createWorkspaceRequests(instance, workspace)
    const createSanction = (action: string, userId: string, durationSeconds = 'permanent') =>
      moderate({ action, userId, reason: 'Because', durationSeconds })
    await createSanction('ban', '1')
    await createSanction('ban', '1')
    await createSanction('ban', '2', '60')
    await createSanction('ban', '3')
    await moderate({ action: 'unban', userId: '3' })
    await createSanction('mute', '1', '120')
    await moderate({ action: 'note', userId: '9', reason: 'Seen' })
    const start = instance.clock.now()
    const readSanctions = async () => (await readOverview(workspace)).inForce
    const firstEnd = new Date(start + 60_000).toISOString()
    expect(await readSanctions()).toEqual({ bans: '2', mutes: '1', nextExpiryAt: firstEnd })
    instance.clock.advance(60_000)
    const secondEnd = new Date(start + 120_000).toISOString()
    expect(await readSanctions()).toEqual({ bans: '1', mutes: '1', nextExpiryAt: secondEnd })
    instance.clock.advance(60_000)
    expect(await readSanctions()).toEqual({ bans: '1', mutes: '0', nextExpiryAt: null })
  })

  test('shows the next five events that have not ended, soonest first, with drafts only for event managers', async () => {
    const workspace = await instance.workspace()
    const { writeEvent } = createWorkspaceRequests(instance, workspace)
    const make = (title: string, offsetMs: number, more: object = {}) =>
      writeEvent({ title, scheduledFor: time(offsetMs), published: true, ...more })
    await make('Over', -2 * HOUR)
    await make('Live', -HOUR / 2)
    await make('Long', -50 * HOUR, { eventType: 'training', trainingEnd: time(HOUR) })
    await make('Draft', HOUR, { published: false })
    for (const hours of [9, 8, 7, 6]) await make(`In ${hours}`, hours * HOUR)
    const titles = (body: { nextEvents: { title: string }[] }) => body.nextEvents.map(({ title }) => title)
    expect(titles(await readOverview(workspace))).toEqual(['Long', 'Live', 'Draft', 'In 6', 'In 7'])
    const viewer = await instance.member(workspace.id, ['events.view'])
    const overview = (await read(asMember(workspace, viewer))).body
    expect(titles(overview)).toEqual(['Long', 'Live', 'In 6', 'In 7', 'In 8'])
    expect(overview.nextEvents[1]).toEqual({
      id: expect.any(String),
      title: 'Live',
      eventType: 'event',
      scheduledFor: time(-HOUR / 2),
      endsAt: time(HOUR / 2),
      published: 'true',
    })
  })

  test('shows an event that takes place now also two months after its start', async () => {
    const workspace = await instance.workspace()
    const { writeEvent } = createWorkspaceRequests(instance, workspace)
    const twoMonthsAgo = time(-60 * 24 * HOUR)
    const season = { scheduledFor: twoMonthsAgo, eventType: 'training', trainingEnd: time(HOUR) }
    await writeEvent({ title: 'Season', published: true, ...season })
    expect((await readOverview(workspace)).nextEvents).toMatchObject([{ title: 'Season' }])
  })

  test('shows usage with the quota, and the endpoints that are not on', async () => {
    const workspace = await instance.workspace()
    const { setEndpointControl } = createWorkspaceRequests(instance, workspace)
    await quota(instance, workspace.id, 500)
    await setEndpointControl('events', 'off', 'Back soon')
    await setEndpointControl('departments', 'read_only')
    await setEndpointControl('workspaces', 'on')
    const { usage, endpoints } = await readOverview(workspace)
    expect(usage).toEqual({ calls: '3', quota: '500' })
    expect(endpoints).toEqual([
      { endpoint: 'departments', mode: 'read_only', message: null },
      { endpoint: 'events', mode: 'off', message: 'Back soon' },
    ])
  })

  test('shows each first step as done until what it created is removed', async () => {
    const workspace = await instance.workspace()
    const { moderate, writeDepartment, writeEvent, createRole } = createWorkspaceRequests(instance, workspace)
    const readFirstSteps = async (caller = workspace as Pick<Workspace, 'id' | 'ownerSession'>) =>
      (await read(caller)).body.firstSteps
    const noSteps = { member: 'false', role: 'false', record: 'false', department: 'false', event: 'false' }
    expect(await readFirstSteps()).toMatchObject(noSteps)
    await createRole({ name: 'First', rank: '3', permissions: '' })
    expect(await readFirstSteps()).toMatchObject({ ...noSteps, role: 'true' })
    const viewer = await instance.member(workspace.id, ['events.view', 'departments.view'])
    expect(await readFirstSteps()).toMatchObject({ ...noSteps, role: 'true', member: 'true' })
    await moderate({ action: 'note', userId: '1', reason: 'Seen' })
    const createdDepartment = await writeDepartment({ name: 'First' })
    await writeEvent({ title: 'Draft', scheduledFor: time(HOUR) })
    expect(await readFirstSteps()).toMatchObject({ record: 'true', department: 'true', event: 'true' })
    await writeDepartment({ id: createdDepartment.id, action: 'delete' })
    expect(await readFirstSteps()).toMatchObject({ department: 'false' })
    expect(await readFirstSteps(asMember(workspace, viewer))).toEqual({
      member: null,
      role: null,
      apiKey: null,
      record: null,
      department: 'false',
      event: 'false',
    })
    const keys = await instance.request('GET', `/portal/api/api-keys?workspaceId=${workspace.id}`, {
      session: workspace.ownerSession,
    })
    for (const { id } of keys.body.apiKeys ?? keys.body.keys) {
      await instance.request('POST', '/portal/api/api-keys/revoke', {
        session: workspace.ownerSession,
        body: { workspaceId: workspace.id, id },
      })
    }
    expect(await readFirstSteps()).toMatchObject({ apiKey: 'false' })
  })

  test('shows each part only to members with its permission', async () => {
    const workspace = await instance.workspace()
    const emptyOverview = {
      inForce: null,
      done: null,
      nextEvents: null,
      usage: null,
      endpoints: null,
      webhooks: null,
      keysToConfirm: null,
      orphanedKeys: null,
    }
    const hiddenSteps = {
      member: null,
      role: null,
      apiKey: null,
      record: null,
      department: null,
      event: null,
    }
    const parts = [
      ['moderation.view', ['inForce', 'done'], ['record']],
      ['events.view', ['nextEvents'], ['event']],
      ['usage.view', ['usage'], []],
      ['endpoint_controls.view', ['endpoints'], []],
      ['members.view', [], ['member']],
      ['roles.view', [], ['role']],
      ['webhooks.manage', ['webhooks'], []],
      ['api_keys.manage', ['keysToConfirm', 'orphanedKeys'], ['apiKey']],
      ['departments.view', [], ['department']],
      ['audit.view', [], []],
    ] as const
    for (const [permission, visibleParts, steps] of parts) {
      const member = await instance.member(workspace.id, [permission])
      const { firstSteps, ...body } = (await read(asMember(workspace, member))).body
      const listVisible = (names: readonly string[]) =>
        Object.fromEntries(names.map((name) => [name, expect.anything()]))
      expect(body).toEqual({ ...emptyOverview, ...listVisible(visibleParts) })
      expect(firstSteps).toEqual({ ...hiddenSteps, ...listVisible(steps) })
    }
  })

  test('contains nothing of another workspace', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    const { moderate, writeEvent, setEndpointControl } = createWorkspaceRequests(instance, other)
    await moderate({ action: 'ban', userId: '1', reason: 'Theirs' })
    await writeEvent({ title: 'Theirs', scheduledFor: time(HOUR), published: true })
    await setEndpointControl('events', 'off')
    expect(await readOverview(workspace)).toMatchObject({
      inForce: { bans: '0', mutes: '0', nextExpiryAt: null },
      done: { actions: [], actors: [] },
      nextEvents: [],
      endpoints: [],
      keysToConfirm: '0',
      firstSteps: { record: 'false', event: 'false' },
    })
  })

  test("requires a member's session", async () => {
    const workspace = await instance.workspace()
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      who: 'session',
      workspaceId: workspace.id,
      query: { workspaceId: workspace.id },
      permission: null,
    })
    expect(instance.unexpectedErrors).toEqual([])
  })
})
