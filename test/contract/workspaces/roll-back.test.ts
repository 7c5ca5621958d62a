import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Permission, permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { stored } from '../../support/stored.ts'
import { callsIn, everyAnswer, expectWholeAudit, filled, keysOf, sealed, type Workspace } from './world.ts'

let instance: Instance

beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const handOver = statement<{ workspaceId: string; accountId: string }>()((sql, p) =>
  sql.updateTable('workspace').set({ owner_id: p.accountId }).where('id', '=', p.workspaceId),
)
const handOverRole = statement<{ workspaceId: string; accountId: string; roleId: string }>()((sql, p) =>
  sql
    .updateTable('member_role')
    .set({ account_id: p.accountId })
    .where('workspace_id', '=', p.workspaceId)
    .where('role_id', '=', p.roleId),
)

describe('rolling a workspace back', () => {
  /** Changes a bit of everything. */
  async function change(workspace: Workspace) {
    const calls = callsIn(instance, workspace)
    const as = { key: workspace.key }
    const at = `workspaceId=${workspace.id}&limit=200`
    const { events } = (await instance.call('GET', `/api/events?${at}`, as)).body
    const { departments } = (await instance.call('GET', `/api/departments?${at}`, as)).body
    const { records } = (await instance.call('GET', `/api/moderation?${at}`, as)).body
    await calls.control('events', 'on')
    await calls.control('departments', 'on')
    await calls.control('workspaces', 'on')
    await calls.dropEvent(events[0].id)
    await calls.event({ id: events[1].id, title: 'Other' }, 'PATCH')
    await calls.department({ id: departments[0].id, action: 'delete' })
    await calls.department({ name: departments[0].name })
    await calls.staff(departments[1].id, [workspace.ownerId], workspace.ownerId)
    await calls.moderate({ action: 'unban', userId: '6' })
    await calls.moderate({ action: 'ban', userId: '6', reason: 'Again' })
    await calls.moderate({ action: 'ban', userId: '4', reason: 'Again' })
    await calls.moderate({ action: 'comment', id: records[0].id, value: 'Later' })
    const { roleId } = await instance.member(workspace.id, ['departments.manage'], 3)
    await calls.grant(roleId, [])
    const { members } = (
      await instance.call('GET', `/portal/api/members?${at}`, { session: workspace.ownerSession })
    ).body
    const other = members.find((one: { accountId: string }) => one.accountId !== workspace.ownerId)
    await calls.dismiss(other.accountId)
    await calls.workspaces({ id: workspace.id, groupName: 'Renamed since' })
  }

  test('answers every read as when it was archived, and what it held meanwhile is sealed', async () => {
    const workspace = await filled(instance)
    const { workspaces } = callsIn(instance, workspace)
    const before = await everyAnswer(instance, workspace.id, workspace)
    const archive = await sealed(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    await change(workspace)
    const meanwhile = await everyAnswer(instance, workspace.id, workspace)
    expect(meanwhile).not.toEqual(before)
    await sealed(instance, workspace)

    const { body, text } = await workspaces({ id: workspace.id, fromArchive: archive.id })
    expect(body.workspace, text).toMatchObject({
      id: workspace.id,
      groupName: 'Harbour staff',
      status: 'active',
      ownerId: workspace.ownerId,
    })
    expect(await everyAnswer(instance, workspace.id, workspace)).toEqual(before)
    await expectWholeAudit(instance)

    // And forward again, by the archive that was sealed on the way.
    await sealed(instance, workspace)
    const forward = await workspaces({ id: workspace.id, fromArchive: body.archive.id, groupName: 'Forward' })
    expect(forward.body.workspace, forward.text).toMatchObject({ groupName: 'Forward', status: 'active' })
    expect(await everyAnswer(instance, workspace.id, workspace)).toEqual(meanwhile)
    await expectWholeAudit(instance)
  })

  test('keeps the API keys, and goes on counting cases and changes', async () => {
    const workspace = await filled(instance)
    const { workspaces, moderate } = callsIn(instance, workspace)
    const archive = await sealed(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    const last = (await moderate({ action: 'note', userId: '9', reason: 'Last' })) as unknown as Record<
      string,
      string
    >
    const keys = await instance.db.read.all(keysOf, { workspaceId: workspace.id })
    await sealed(instance, workspace)
    await workspaces({ id: workspace.id, fromArchive: archive.id })
    expect(await instance.db.read.all(keysOf, { workspaceId: workspace.id })).toEqual(keys)
    const next = (await moderate({ action: 'note', userId: '9', reason: 'Next' })) as unknown as Record<
      string,
      string
    >
    expect(Number(next.caseNumber)).toBe(Number(last.caseNumber) + 1)
    expect(Number(next.sequence)).toBeGreaterThan(Number(last.sequence))
  })

  test('leaves the ownership where it is', async () => {
    const workspace = await filled(instance)
    const { workspaces } = callsIn(instance, workspace)
    const archive = await sealed(instance, workspace)
    const heir = await instance.member(workspace.id, [], 1)
    await instance.db.write(async (tx) => {
      await tx.run(handOver, { workspaceId: workspace.id, accountId: heir.accountId })
      await tx.run(handOverRole, {
        workspaceId: workspace.id,
        accountId: heir.accountId,
        roleId: workspace.ownerRoleId,
      })
    })
    const { body, text } = await workspaces({ id: workspace.id, fromArchive: archive.id }, heir)
    expect(body.workspace?.ownerId, text).toBe(heir.accountId)
    const read = (session: string) =>
      instance.call('GET', `/api/departments?workspaceId=${workspace.id}`, { session })
    expect((await read(heir.session)).status).toBe(200)
    expect((await read(workspace.ownerSession)).body.reason).toBe('missing_permission')
  })

  test('gives nobody more than the caller may grant', async () => {
    const workspace = await filled(instance)
    const { workspaces, grant } = callsIn(instance, workspace)
    const set: Permission[] = ['workspace.restore', 'workspace.archive', 'moderation.redact']
    const admin = await instance.member(workspace.id, set, 30)
    const archive = await sealed(instance, workspace)
    await workspaces({ id: workspace.id, archive: false })
    await grant(admin.roleId, ['workspace.restore', 'workspace.archive'])
    await sealed(instance, workspace)
    const before = await stored(instance)
    const refused = await workspaces({ id: workspace.id, fromArchive: archive.id }, admin)
    expect([refused.status, refused.body.reason, refused.body.permission]).toEqual([
      403,
      'missing_permission',
      'moderation.redact',
    ])
    expect(await stored(instance)).toEqual(before)
    const key = await instance.key(workspace.id, set, { rank: 30 })
    expect((await workspaces({ id: workspace.id, fromArchive: archive.id }, { key })).status).toBe(200)
  })

  test('brings nobody back at or above the rank of the caller', async () => {
    const workspace = await filled(instance)
    const { workspaces, dismiss } = callsIn(instance, workspace)
    const peer = await instance.member(workspace.id, [], 30)
    const archive = await sealed(instance, workspace)
    await dismiss(peer.accountId)
    const key = await instance.key(workspace.id, permissions, { rank: 30 })
    const refused = await workspaces({ id: workspace.id, fromArchive: archive.id }, { key })
    expect([refused.status, refused.body.reason]).toEqual([403, 'insufficient_rank'])
    const owner = { session: workspace.ownerSession }
    expect((await workspaces({ id: workspace.id, fromArchive: archive.id }, owner)).status).toBe(200)
  })

  test('of another workspace is not found, also for an owner of both', async () => {
    const workspace = await filled(instance)
    const archive = await sealed(instance, workspace)
    const as = { session: workspace.ownerSession }
    const { workspaces } = callsIn(instance, workspace)
    const other = (await workspaces({ groupName: 'Other' }, as)).body.workspace
    await workspaces({ id: other.id, archive: true }, as)
    const answer = await workspaces({ id: other.id, fromArchive: archive.id }, as)
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })
})
