import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import { joinWorkspace } from '../../support/join-workspace.ts'
import { createWorkspaceRequests, type Workspace } from '../workspaces/fixture.ts'

const HOUR = 3_600_000
const path = '/portal/api/search'
const nothing = {
  cases: [],
  members: [],
  roles: [],
  departments: [],
  events: [],
  apiKeys: [],
  invitations: [],
}

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const send = ({ id, ownerSession }: Pick<Workspace, 'id' | 'ownerSession'>, query: Record<string, string>) =>
  instance.request('GET', `${path}?${new URLSearchParams({ workspaceId: id, ...query })}`, {
    session: ownerSession,
  })

async function find(workspace: Pick<Workspace, 'id' | 'ownerSession'>, q: string) {
  const { status, body, text } = await send(workspace, { q })
  expect(status, text).toBe(200)
  return body
}

const time = (offsetMs: number) => new Date(instance.clock.now() + offsetMs).toISOString()

/** One object of every kind, whose name contains “Nyla” in some spelling. */
async function fillWorkspace(workspace: Workspace) {
  const { moderate, writeDepartment, writeEvent, createRole } = createWorkspaceRequests(instance, workspace)
  const asOwner = async (target: string, body: object) => {
    const response = await instance.request('POST', target, {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, ...body },
    })
    expect(response.status, response.text).toBe(200)
    return response.body
  }
  const username = `Nyla ${workspace.id}`
  const accountId = await instance.account(username)
  await joinWorkspace(instance, workspace, { username })
  const record = await moderate({
    action: 'ban',
    userId: '261',
    userUsername: 'Builderman',
    reason: 'Exploiting',
  })
  const role = await createRole({ name: 'Guards of NYLA', rank: '5' })
  const department = await writeDepartment({ name: 'Nýla relations', color: '#3366ff' })
  const event = await writeEvent({ title: 'Party at Ñyla', scheduledFor: time(HOUR), published: 'true' })
  const draft = await writeEvent({ title: 'Nyla draft', scheduledFor: time(2 * HOUR) })
  const { apiKey } = await asOwner('/portal/api/api-keys', {
    name: 'Nyla’s server',
    permissions: 'events.view',
  })
  const { invitation } = await asOwner('/portal/api/invitations', { note: 'For a friend of Nyla' })
  return { username, accountId, record, role, department, event, draft, apiKey, invitation }
}

describe('a search', () => {
  test('finds members, roles, departments, events, keys and invitations, whatever the case and accents', async () => {
    const workspace = await instance.workspace()
    const { username, accountId, role, department, event, draft, apiKey, invitation } =
      await fillWorkspace(workspace)
    const expected = {
      cases: [],
      members: [{ accountId, username }],
      roles: [{ id: role.id, name: 'Guards of NYLA', color: null }],
      departments: [{ id: department.id, name: 'Nýla relations', color: '#3366ff' }],
      events: [
        {
          id: draft.id,
          title: 'Nyla draft',
          eventType: 'event',
          scheduledFor: time(2 * HOUR),
          published: 'false',
        },
        {
          id: event.id,
          title: 'Party at Ñyla',
          eventType: 'event',
          scheduledFor: time(HOUR),
          published: 'true',
        },
      ],
      apiKeys: [{ id: apiKey.id, name: 'Nyla’s server', hint: apiKey.hint, ended: 'false' }],
      invitations: [{ id: invitation.id, note: 'For a friend of Nyla', expiresAt: invitation.expiresAt }],
    }
    for (const q of ['nyla', 'NYLA', 'ñýlà', ' nyla '])
      expect([q, await find(workspace, q)]).toEqual([q, expected])
    expect(await find(workspace, 'nylas')).toEqual(nothing)
  })

  test('finds a case by its number or id, and nothing else by number alone', async () => {
    const workspace = await instance.workspace()
    const { record } = await fillWorkspace(workspace)
    const cases = [
      { id: record.id, caseNumber: '1', action: 'ban', userId: '261', userUsername: 'Builderman' },
    ]
    for (const q of ['1', '#1', ' # 1', 'case 1', 'Case #1', record.id, record.id.toUpperCase()])
      expect([q, (await find(workspace, q)).cases]).toEqual([q, cases])
    for (const q of ['2', '#', '1.5', '-1', '999999999999999', '9999999999999999', UNKNOWN_ID])
      expect([q, (await find(workspace, q)).cases]).toEqual([q, []])
  })

  test('returns at most five of a kind: whole names first, then beginnings, then words, then parts', async () => {
    const workspace = await instance.workspace()
    const { writeDepartment } = createWorkspaceRequests(instance, workspace)
    for (const name of ['Commodores', 'Modding', 'The mods', 'Mod', 'All moderators', 'Amodal', 'Zz mod'])
      await writeDepartment({ name })
    const names = (await find(workspace, 'mod')).departments.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['Mod', 'Modding', 'All moderators', 'The mods', 'Zz mod'])
    const several = (await find(workspace, 'mod all')).departments.map(({ name }: { name: string }) => name)
    expect(several).toEqual(['All moderators'])
  })

  test('lists upcoming events before past ones, each closest to now first', async () => {
    const workspace = await instance.workspace()
    const { writeEvent } = createWorkspaceRequests(instance, workspace)
    const start = instance.clock.now()
    for (const hours of [5, 30, 1, 20]) {
      const scheduledFor = new Date(start + hours * HOUR).toISOString()
      await writeEvent({ title: `Shift ${hours}`, scheduledFor, published: 'true' })
    }
    instance.clock.advance(10 * HOUR)
    const titles = (await find(workspace, 'shift')).events.map(({ title }: { title: string }) => title)
    expect(titles).toEqual(['Shift 20', 'Shift 30', 'Shift 5', 'Shift 1'])
  })

  test('finds keys by their last characters, and shows which ones have ended', async () => {
    const workspace = await instance.workspace()
    const { apiKey } = await fillWorkspace(workspace)
    await instance.request('POST', '/portal/api/api-keys/revoke', {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, id: apiKey.id },
    })
    expect((await find(workspace, apiKey.hint)).apiKeys).toEqual([
      { id: apiKey.id, name: 'Nyla’s server', hint: apiKey.hint, ended: 'true' },
    ])
  })

  test('omits deleted departments, expired invitations and former members', async () => {
    const workspace = await instance.workspace()
    const { department, accountId } = await fillWorkspace(workspace)
    const { writeDepartment, removeMember } = createWorkspaceRequests(instance, workspace)
    await writeDepartment({ id: department.id, action: 'delete' })
    await removeMember(accountId)
    instance.clock.advance(8 * 24 * HOUR)
    expect(
      await find({ ...workspace, ownerSession: await instance.session(workspace.ownerId) }, 'nyla'),
    ).toMatchObject({ departments: [], members: [], invitations: [] })
  })

  test('takes wildcards and quotes literally', async () => {
    const workspace = await instance.workspace()
    const { writeDepartment } = createWorkspaceRequests(instance, workspace)
    await writeDepartment({ name: '100% "real" _' })
    for (const q of ['0%', '"real"', '_']) expect((await find(workspace, q)).departments).toHaveLength(1)
    for (const q of ['%r', '1_0', "'"]) expect(await find(workspace, q)).toEqual(nothing)
  })

  test('needs a text of 1 to 100 characters', async () => {
    const workspace = await instance.workspace()
    for (const query of [{}, { q: '' }, { q: 'x'.repeat(101) }])
      expect((await send(workspace, query as Record<string, string>)).status).toBe(400)
  })
})

describe('a search shows', () => {
  test('each member only what their permissions allow', async () => {
    const workspace = await instance.workspace()
    const { event, draft } = await fillWorkspace(workspace)
    const kinds: readonly (readonly [Permission, string, string])[] = [
      ['moderation.view', '1', 'cases'],
      ['members.view', 'nyla', 'members'],
      ['roles.view', 'nyla', 'roles'],
      ['departments.view', 'nyla', 'departments'],
      ['events.view', 'nyla', 'events'],
      ['api_keys.manage', 'nyla', 'apiKeys'],
      ['members.manage', 'nyla', 'invitations'],
    ]
    for (const [permission, q, kind] of kinds) {
      const { session } = await instance.member(workspace.id, [permission])
      const found = await find({ ...workspace, ownerSession: session }, q)
      expect([permission, Object.keys(found).filter((name) => found[name].length > 0)]).toEqual([
        permission,
        [kind],
      ])
    }
    const viewer = await instance.member(workspace.id, ['events.view'])
    const manager = await instance.member(workspace.id, ['events.view', 'events.manage'])
    const findEventIds = async (session: string) =>
      (await find({ ...workspace, ownerSession: session }, 'nyla')).events.map(({ id }: { id: string }) => id)
    expect(await findEventIds(viewer.session)).toEqual([event.id])
    expect(await findEventIds(manager.session)).toEqual([draft.id, event.id])
  })

  test('nothing of another workspace', async () => {
    const other = await instance.workspace()
    const { record, apiKey } = await fillWorkspace(other)
    const workspace = await instance.workspace()
    for (const q of ['nyla', '#1', record.id, apiKey.hint, other.id])
      expect([q, await find(workspace, q)]).toEqual([q, nothing])
  })

  test('nothing to callers without access', async () => {
    const workspace = await instance.workspace()
    await expectAccessRules(instance, {
      method: 'GET',
      path,
      query: { workspaceId: workspace.id, q: 'nyla' },
      workspaceId: workspace.id,
      permission: null,
      who: 'session',
    })
  })
})
