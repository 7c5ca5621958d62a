import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { advanceAuditSequence, quota } from '../../support/workspace-states.ts'
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
const overviewOf = async (workspace: Workspace, query?: Record<string, string>) =>
  (await read(workspace, query)).body
const toReader = ({ id }: Workspace, { session }: { session: string }) => ({ id, ownerSession: session })
const time = (offsetMs: number) => new Date(instance.clock.now() + offsetMs).toISOString()

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
    expect((await overviewOf(workspace)).inForce).toEqual({ bans: '2', mutes: '1' })
    instance.clock.advance(60_000)
    expect((await overviewOf(workspace)).inForce).toEqual({ bans: '1', mutes: '1' })
    instance.clock.advance(60_000)
    expect((await overviewOf(workspace)).inForce).toEqual({ bans: '1', mutes: '0' })
  })

  test('tells what moderation did since a moment, by action and by whom, the most first', async () => {
    const workspace = await instance.workspace()
    const { moderate, writeDepartment } = createWorkspaceRequests(instance, workspace)
    const member = await instance.member(workspace.id, ['moderation.warn'])
    await moderate({ action: 'kick', userId: '9', reason: 'Yesterday' })
    instance.clock.advance(25 * HOUR)
    await moderate({ action: 'ban', userId: '1', reason: 'One', durationSeconds: '60' })
    await moderate({ action: 'ban', userId: '1', reason: 'Instead' })
    await moderate({ action: 'unban', userId: '1' })
    await writeDepartment({ name: 'Not moderation' })
    const session = await instance.session(member.accountId)
    instance.clock.advance(HOUR)
    await instance.request('POST', '/api/moderation', {
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
    const { moderate } = createWorkspaceRequests(instance, workspace)
    await moderate({ action: 'note', userId: '1', reason: 'Early' })
    await advanceAuditSequence(instance, workspace.id, 5000)
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
    const { writeEvent } = createWorkspaceRequests(instance, workspace)
    const make = (title: string, offsetMs: number, more: object = {}) =>
      writeEvent({ title, scheduledFor: time(offsetMs), published: true, ...more })
    await make('Over', -2 * HOUR)
    await make('Live', -HOUR / 2)
    await make('Long', -50 * HOUR, { eventType: 'training', trainingEnd: time(HOUR) })
    await make('Draft', HOUR, { published: false })
    for (const hours of [9, 8, 7, 6]) await make(`In ${hours}`, hours * HOUR)
    const titles = (body: { nextEvents: { title: string }[] }) => body.nextEvents.map(({ title }) => title)
    expect(titles(await overviewOf(workspace))).toEqual(['Long', 'Live', 'Draft', 'In 6', 'In 7'])
    const viewer = await instance.member(workspace.id, ['events.view'])
    const overview = (await read(toReader(workspace, viewer))).body
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

  test('shows the usage beside the quota, and the endpoints that are not on', async () => {
    const workspace = await instance.workspace()
    const { setEndpointControl } = createWorkspaceRequests(instance, workspace)
    await quota(instance, workspace.id, 500)
    await setEndpointControl('events', 'off', 'Back soon')
    await setEndpointControl('departments', 'read_only')
    await setEndpointControl('workspaces', 'on')
    const { usage, endpoints } = await overviewOf(workspace)
    expect(usage).toEqual({ calls: '3', quota: '500' })
    expect(endpoints).toEqual([
      { endpoint: 'departments', mode: 'read_only', message: null },
      { endpoint: 'events', mode: 'off', message: 'Back soon' },
    ])
  })

  test('ticks off each first step while it is done', async () => {
    const workspace = await instance.workspace()
    const { moderate, writeDepartment, writeEvent, createRole } = createWorkspaceRequests(instance, workspace)
    const readFirstSteps = async (reader = workspace as Pick<Workspace, 'id' | 'ownerSession'>) =>
      (await read(reader)).body.firstSteps
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
    expect(await readFirstSteps(toReader(workspace, viewer))).toEqual({
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

  test('shows each part only to those who may see it', async () => {
    const workspace = await instance.workspace()
    const emptyOverview = { inForce: null, done: null, nextEvents: null, usage: null, endpoints: null }
    const readFirstSteps = {
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
      ['api_keys.manage', [], ['apiKey']],
      ['departments.view', [], ['department']],
      ['audit.view', [], []],
    ] as const
    for (const [permission, visibleParts, done] of parts) {
      const member = await instance.member(workspace.id, [permission])
      const { firstSteps, ...body } = (await read(toReader(workspace, member))).body
      const listVisible = (names: readonly string[]) =>
        Object.fromEntries(names.map((name) => [name, expect.anything()]))
      expect(body).toEqual({ ...emptyOverview, ...listVisible(visibleParts) })
      expect(firstSteps).toEqual({ ...readFirstSteps, ...listVisible(done) })
    }
  })

  test('holds nothing of another workspace', async () => {
    const [workspace, other] = [await instance.workspace(), await instance.workspace()]
    const { moderate, writeEvent, setEndpointControl } = createWorkspaceRequests(instance, other)
    await moderate({ action: 'ban', userId: '1', reason: 'Theirs' })
    await writeEvent({ title: 'Theirs', scheduledFor: time(HOUR), published: true })
    await setEndpointControl('events', 'off')
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
