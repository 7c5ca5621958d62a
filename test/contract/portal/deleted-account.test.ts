import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import { deleteAccountById } from '../../support/delete-account.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import {
  archiveWorkspace,
  createWorkspaceRequests,
  expectIntactAuditChain,
  type Workspace,
} from '../workspaces/fixture.ts'
import { PATH } from './operator-account-requests.ts'

const accountRow = statement<{ id: string }>()((sql, p) =>
  sql
    .selectFrom('account')
    .select(['password_hash', 'email', 'user_handle', 'is_operator'])
    .where('id', '=', p.id),
)

let instance: Instance
let workspace: Workspace
let operatorId: string
let operatorSession: string

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  operatorId = await instance.account('Operator', true)
  operatorSession = await instance.session(operatorId)
})
afterAll(() => instance.close())

const deleteById = (id: string) => deleteAccountById(instance, id)

const operator = (method: string, path: string, body?: object) =>
  instance.request(method, path, { session: operatorSession, ...(body === undefined ? {} : { body }) })

describe('a deleted account', () => {
  test('can be deleted by the person it belongs to, who no longer has access then, but not by the owner of a workspace', async () => {
    const member = await instance.member(workspace.id, [], 5)
    const remove = (session: string) =>
      instance.request('POST', '/portal/api/account/delete', { session, body: {} })
    expect((await remove(workspace.ownerSession)).body.error).toContain('Transfer every workspace')
    expect((await remove(operatorSession)).body.error).toContain('the last operator')
    expect((await remove(member.session)).status).toBe(200)
    expect((await instance.request('GET', '/portal/api/me', { session: member.session })).status).toBe(401)
    expect((await operator('GET', `/admin/api/accounts?id=${member.accountId}`)).status).toBe(404)
  })

  test('is deleted by an operator, with what it could sign in with and the chosen API keys, but not while it owns a workspace', async () => {
    const member = await instance.member(workspace.id, permissions, 900)
    const created = await instance.request('POST', '/portal/api/api-keys', {
      session: member.session,
      body: { workspaceId: workspace.id, name: 'Of a member', permissions: 'departments.view' },
    })
    const { apiKey, secret } = created.body
    const path = (id: string, keys = '') => `/admin/api/accounts?id=${id}&revokeKeyIds=${keys}`
    const owner = await operator('DELETE', path(workspace.ownerId))
    expect([owner.status, owner.body.error]).toEqual([
      409,
      expect.stringContaining('Transfer every workspace'),
    ])
    expect((await operator('DELETE', path(operatorId))).status).toBe(409)
    const stranger = { session: member.session }
    expect((await instance.request('DELETE', path(member.accountId), stranger)).status).toBe(403)
    expect((await operator('DELETE', path(member.accountId, apiKey.id))).status).toBe(200)
    expect((await instance.request('GET', '/portal/api/me', stranger)).status).toBe(401)
    const withKey = { key: secret }
    const url = `/api/departments?workspaceId=${workspace.id}`
    expect((await instance.request('GET', url, withKey)).body.reason).toBe('key_revoked')
    expect((await operator('GET', `/admin/api/accounts?id=${member.accountId}`)).status).toBe(404)
    expect(await instance.db.read.all(accountRow, { id: member.accountId })).toEqual([
      { password_hash: null, email: null, user_handle: null, is_operator: 0 },
    ])
    expect((await operator('DELETE', path(member.accountId))).status).toBe(404)
  })

  test('is in no list, is not counted, and cannot be changed or given a password', async () => {
    const readCount = async () => (await operator('GET', '/admin/api/instance')).body.instance.accounts
    const before = await readCount()
    const id = await instance.account('Zoë')
    await deleteById(id)
    expect(await readCount()).toBe(before)
    for (const query of ['', '?disabled=true', '?q=zoë'])
      expect(JSON.stringify((await operator('GET', PATH + query)).body)).not.toContain(id)
    for (const response of [
      await operator('GET', `${PATH}?id=${id}`),
      await operator('PATCH', PATH, { id, disabled: 'false' }),
      await operator('POST', `${PATH}/password`, { id, password: 'a long enough secret' }),
    ]) {
      expect(response.status).toBe(404)
    }
    expect(await instance.account('zoë')).not.toBe(id)
    await expectIntactAuditChain(instance)
  })

  test('is not restored from an archive that contains it as a member', async () => {
    const { accountId } = await instance.member(workspace.id, ['moderation.view'])
    const archive = await archiveWorkspace(instance, workspace)
    await deleteById(accountId)
    const { body } = await createWorkspaceRequests(instance, workspace).workspaces(
      { fromArchive: archive.id },
      { session: workspace.ownerSession },
    )
    const members = await instance.request(
      'GET',
      `/portal/api/members?workspaceId=${body.workspace.id}&limit=200`,
      { session: workspace.ownerSession },
    )
    const ids = members.body.members.map((member: { accountId: string }) => member.accountId)
    expect(ids).toContain(workspace.ownerId)
    expect(ids).not.toContain(accountId)
  })

  test('filters records by the person who created them, as before', async () => {
    const other = await instance.workspace()
    const { accountId, session } = await instance.member(other.id, ['moderation.note', 'moderation.view'])
    await instance.request('POST', '/api/moderation', {
      session,
      body: { workspaceId: other.id, action: 'note', userId: '7', reason: 'Greeted' },
    })
    const list = () =>
      instance.request('GET', `/api/moderation?workspaceId=${other.id}&actorUserId=${accountId}`, {
        key: other.key,
      })
    const before = await list()
    expect(before.body.records).toHaveLength(1)
    await deleteById(accountId)
    expect((await list()).body.records).toEqual(before.body.records)
    expect((await instance.request('GET', '/portal/api/me', { session })).status).toBe(401)
  })

  test('was neither the owner of a workspace nor the last operator: those are refused, and nothing changes', async () => {
    const before = await readStoredRows(instance)
    await expect(deleteById(workspace.ownerId)).rejects.toThrow(
      'Transfer every workspace to another member first.',
    )
    await expect(deleteById(operatorId)).rejects.toThrow('This is the last operator who can sign in.')
    expect(await readStoredRows(instance)).toEqual(before)
  })
})
