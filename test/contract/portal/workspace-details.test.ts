import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { expectAccessRules } from '../../support/access-rules.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import type { Workspace } from '../workspaces/fixture.ts'

let instance: Instance
const path = '/portal/api/workspace'
const ROBLOX = 'https://www.roblox.com/users/{id}/profile'

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const patch = ({ id, ownerSession }: Workspace, fields: object, headers: Record<string, string> = {}) =>
  instance.request('PATCH', path, {
    session: ownerSession,
    body: { workspaceId: id, ...fields },
    headers,
  })
const post = (session: string, body: object) => instance.request('POST', '/api/workspaces', { session, body })
const readWorkspace = async ({ id, key }: Workspace) =>
  (await instance.request('GET', `/api/workspaces?id=${id}`, { key })).body.workspace

describe('the profile link of a workspace', () => {
  test('is none at first, can be set and cleared, and is shown to members and in the public API', async () => {
    const workspace = await instance.workspace()
    const member = await instance.member(workspace.id, [])
    const readAsMember = async () =>
      (await instance.request('GET', '/portal/api/me', { session: member.session })).body.workspaces[0]
        .profileUrl
    expect((await readWorkspace(workspace)).profileUrl).toBe(null)
    const { status, body } = await patch(workspace, { profileUrl: `  ${ROBLOX} ` })
    expect([status, body.workspace?.profileUrl, body.workspace?.version]).toEqual([200, ROBLOX, '2'])
    expect((await readWorkspace(workspace)).profileUrl).toBe(ROBLOX)
    expect(await readAsMember()).toBe(ROBLOX)
    await patch(workspace, { groupName: 'Day shift' })
    expect(await readWorkspace(workspace)).toMatchObject({ groupName: 'Day shift', profileUrl: ROBLOX })
    await patch(workspace, { profileUrl: null })
    expect(await readAsMember()).toBe(null)
    expect(instance.unexpectedErrors).toEqual([])
  })

  test('is rejected, naming the field, unless it is an https URL with {id} once after the host name', async () => {
    const workspace = await instance.workspace()
    const cases = {
      'https://example.com/users': 'must contain {id} exactly once, where the player’s ID goes',
      'https://example.com/{id}/{id}': 'must contain {id} exactly once, where the player’s ID goes',
      'http://example.com/{id}':
        'must be an https URL without credentials or spaces, at most 2000 characters',
      'javascript:alert({id})': 'must be an https URL without credentials or spaces, at most 2000 characters',
      'https://me:secret@example.com/{id}':
        'must be an https URL without credentials or spaces, at most 2000 characters',
      'https://{id}.example.com/': 'must have {id} after the host name',
      'https://example.com:{id}/': 'must have {id} after the host name',
    }
    for (const [profileUrl, message] of Object.entries(cases)) {
      const { status, body } = await patch(workspace, { profileUrl })
      expect([profileUrl, status, body.details]).toEqual([
        profileUrl,
        400,
        [{ field: 'profileUrl', message }],
      ])
    }
    for (const profileUrl of ['', `https://example.com/${'x'.repeat(600)}{id}`]) {
      const { status, body } = await patch(workspace, { profileUrl })
      expect([status, body.details?.[0]?.field]).toEqual([400, 'profileUrl'])
    }
    expect(await readWorkspace(workspace)).toMatchObject({ profileUrl: null, version: '1' })
  })

  test('is not overwritten by someone who has seen an older version, and an unchanged one is no change', async () => {
    const workspace = await instance.workspace()
    await patch(workspace, { profileUrl: ROBLOX })
    const stale = await patch(workspace, { profileUrl: null }, { 'if-match': '"1"' })
    expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch'])
    expect((await patch(workspace, { profileUrl: ROBLOX })).body.workspace.version).toBe('2')
  })

  test('is in the audit log, before and after', async () => {
    const workspace = await instance.workspace()
    await patch(workspace, { profileUrl: ROBLOX })
    const search = new URLSearchParams({ workspaceId: workspace.id, action: 'workspaces.update' })
    const { body } = await instance.request('GET', `/portal/api/audit?${search}`, {
      session: workspace.ownerSession,
    })
    const [entry] = body.entries
    const changes = typeof entry.changes === 'string' ? JSON.parse(entry.changes) : entry.changes
    expect(changes).toMatchObject({ before: { profileUrl: null }, after: { profileUrl: ROBLOX } })
  })

  test('is archived: a copy and a rolled back workspace have it', async () => {
    const workspace = await instance.workspace()
    const { id, ownerSession } = workspace
    await patch(workspace, { profileUrl: ROBLOX })
    const { archive } = (await post(ownerSession, { id, action: 'archive' })).body
    const copy = (await post(ownerSession, { fromArchive: archive.id })).body.workspace
    expect(
      (await readWorkspace({ ...workspace, id: copy.id, key: await instance.key(copy.id) })).profileUrl,
    ).toBe(ROBLOX)
    await post(ownerSession, { id, action: 'restore' })
    await patch(workspace, { profileUrl: 'https://example.com/players?id={id}' })
    await post(ownerSession, { id, action: 'archive' })
    await post(ownerSession, { id, fromArchive: archive.id })
    expect((await readWorkspace(workspace)).profileUrl).toBe(ROBLOX)
  })

  test('requires workspace.rename', async () => {
    const workspace = await instance.workspace()
    await expectAccessRules(instance, {
      method: 'PATCH',
      path,
      who: 'session',
      workspaceId: workspace.id,
      body: { workspaceId: workspace.id, profileUrl: ROBLOX },
      permission: 'workspace.rename',
    })
    expect(instance.unexpectedErrors).toEqual([])
  })
})
