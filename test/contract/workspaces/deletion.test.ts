import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import type { Database } from '@reeve/db'
import { damageRows } from '../../support/damaged-rows.ts'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import { rejectionOf } from '../../support/rejection.ts'
import {
  countRows,
  createArchivedWorkspace,
  DAY,
  requestDeletion,
  runDeletionJob,
  UNDO_MS,
  undoDeletion,
} from './deletion-fixture.ts'
import { createWorkspaceRequests, expectIntactAuditChain, type Workspace } from './fixture.ts'
import { readEverything } from './read-everything.ts'

setDefaultTimeout(60_000)

const NAME = 'Harbour staff'
/** By how many commits each run gets further than the one before. */
const COMMITS_PER_RUN = 5

let instance: Instance
let operatorId: string
let operatorSession: string
let workspace: Workspace
beforeEach(async () => {
  instance = await openInstance()
  operatorId = await instance.account('operator', true)
  operatorSession = await instance.session(operatorId)
  workspace = await createArchivedWorkspace(instance)
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const request = (name = NAME, session = workspace.ownerSession) =>
  requestDeletion(instance, workspace, name, session)
const undo = (session = workspace.ownerSession) => undoDeletion(instance, workspace, session)
const readStatus = async () => {
  const { body } = await instance.request('GET', `/api/workspaces?id=${workspace.id}`, {
    session: workspace.ownerSession,
  })
  return [body.workspace?.status, body.workspace?.deleteAt]
}
const listActions = async () => {
  const { body } = await instance.request('GET', '/admin/api/audit?limit=5', { session: operatorSession })
  return body.entries
    .filter((entry: { targetId: string }) => entry.targetId === workspace.id)
    .map((entry: { action: string }) => entry.action)
}
const withoutRequestId = ({ status, body }: { status: number; body: object }) => ({
  status,
  ...body,
  requestId: '',
})

describe('the deletion of a workspace', () => {
  test('is requested by the owner, who types its name', async () => {
    const { session } = await instance.member(workspace.id, ['workspace.archive', 'workspace.restore'], 900)
    const rejected = [await request(NAME, session), await request('Harbour')]
    expect(rejected.map(({ status, body }) => [status, body.reason ?? body.details?.[0].field])).toEqual([
      [403, 'insufficient_rank'],
      [400, 'groupName'],
    ])
    expect(await readStatus()).toEqual(['archived', null])
    const { status, body } = await request()
    const deleteAt = new Date(instance.clock.now() + UNDO_MS).toISOString()
    expect([status, body.workspace.deleteAt]).toEqual([200, deleteAt])
    expect(await readStatus()).toEqual(['archived', deleteAt])
    expect((await request()).status).toBe(409)
  })

  test('is rejected while the workspace is in use, and needs a factor that was verified recently', async () => {
    const active = await instance.workspace('Active')
    const { status, body } = await requestDeletion(instance, active, 'Active')
    expect([status, body.error]).toEqual([409, 'Archive the workspace before you delete it.'])
    await instance.storage.query('update session set verified_at = 0')
    expect((await request()).body.reason).toBe('verification_required')
    await instance.storage.query('update session set verified_at = 253370764800000')
  })

  test('leaves it as an archived one until then', async () => {
    const before = await readEverything(instance, workspace.id, workspace)
    await request()
    expect(Object.keys(await readEverything(instance, workspace.id, workspace))).toEqual(Object.keys(before))
    const write = await instance.request('POST', '/api/moderation', {
      key: workspace.key,
      body: { workspaceId: workspace.id, action: 'note', userId: '1', reason: 'Late' },
    })
    expect([write.status, write.body.reason]).toEqual([403, 'workspace_archived'])
    const bans = await instance.request('GET', `/api/moderation?workspaceId=${workspace.id}&banList=true`, {
      key: workspace.key,
    })
    expect([bans.status, bans.body.bans.length > 0]).toEqual([200, true])
    const restored = await createWorkspaceRequests(instance, workspace).workspaces({
      id: workspace.id,
      archive: false,
    })
    expect([restored.status, restored.body.error]).toEqual([
      409,
      expect.stringContaining('Undo the deletion first.'),
    ])
  })

  test('can be undone by the owner and by operators, and by nobody else', async () => {
    const { session } = await instance.member(workspace.id, ['workspace.restore'], 900)
    expect((await undo()).status).toBe(409)
    await request()
    expect((await undo(session)).status).toBe(403)
    expect((await undo()).body.workspace).toMatchObject({ status: 'archived', deleteAt: null })
    await request()
    instance.clock.advance(UNDO_MS - 60_001)
    expect(await runDeletionJob(instance)).toEqual([])
    operatorSession = await instance.session(operatorId)
    const listed = await instance.request('GET', '/admin/api/workspaces?deleting=true', {
      session: operatorSession,
    })
    expect(listed.body.workspaces.map(({ id }: { id: string }) => id)).toEqual([workspace.id])
    const undone = await instance.request('POST', '/admin/api/workspaces/undelete', {
      session: operatorSession,
      body: { id: workspace.id },
    })
    expect([undone.status, undone.body.workspace.deleteAt]).toEqual([200, null])
    instance.clock.advance(DAY)
    expect(await runDeletionJob(instance)).toEqual([])
    const [undoneBy, requestedBy] = await listActions()
    expect([undoneBy, requestedBy]).toEqual(['workspaces.undo_deletion', 'workspaces.request_deletion'])
    await expectIntactAuditChain(instance)
  })
})

describe('after 30 days, a deleted workspace', () => {
  beforeEach(async () => {
    await request()
    instance.clock.advance(UNDO_MS)
    operatorSession = await instance.session(operatorId)
    workspace = { ...workspace, ownerSession: await instance.session(workspace.ownerId) }
  })

  test('leaves nothing in the database except that it was deleted', async () => {
    const tables = Object.keys(await countRows(instance, workspace.id))
    expect(tables).toEqual(expect.arrayContaining(['record', 'audit', 'usage', 'archive_part', 'saved_view']))
    expect(await runDeletionJob(instance)).toEqual([NAME])
    expect(await countRows(instance, workspace.id)).toEqual({})
    await instance.flush()
    expect(await countRows(instance, workspace.id)).toEqual({})
    const { body } = await instance.request('GET', '/admin/api/workspaces/deleted', {
      session: operatorSession,
    })
    const now = new Date(instance.clock.now()).toISOString()
    expect(body.deletedWorkspaces[0]).toMatchObject({ id: workspace.id, groupName: NAME, finishedAt: now })
    expect(await listActions()).toEqual(['workspaces.delete', 'workspaces.request_deletion'])
    await expectIntactAuditChain(instance)
  })

  test('is for everyone like one that never existed', async () => {
    const respond = async (id: string, key: string, session: string) =>
      Promise.all(
        [
          ['/api/moderation?banList=true&workspaceId=', { key }],
          ['/api/moderation?banList=true&workspaceId=', { session }],
          ['/api/workspaces?id=', { session }],
        ].map(async ([path, credentials]) =>
          withoutRequestId(await instance.request('GET', `${path}${id}`, credentials as object)),
        ),
      )
    await runDeletionJob(instance)
    const unknownKey = await instance.key((await instance.workspace()).id)
    const [withKey, ...withSession] = await respond(workspace.id, workspace.key, workspace.ownerSession)
    const [, ...never] = await respond(UNKNOWN_ID, unknownKey, workspace.ownerSession)
    expect(withKey).toMatchObject({ status: 401, reason: 'invalid_key' })
    expect(withSession).toEqual(never)
    const me = await instance.request('GET', '/portal/api/me', { session: workspace.ownerSession })
    expect([me.status, me.body.workspaces]).toEqual([200, []])
    const undone = await instance.request('POST', '/admin/api/workspaces/undelete', {
      session: operatorSession,
      body: { id: workspace.id },
    })
    expect(undone.status).toBe(404)
  })

  test('is deleted completely, also if the server is stopped again and again', async () => {
    const other = await createArchivedWorkspace(instance)
    const before = await readEverything(instance, other.id, other)
    const rowsBefore = await countRows(instance, other.id)
    let runs = 1
    for (let remaining = 1; remaining > 0; runs++) {
      const stop = new AbortController()
      let commits = 0
      const db: Database = {
        ...instance.db,
        write: (unit) => {
          commits += 1
          if (commits > runs * COMMITS_PER_RUN) stop.abort()
          return instance.db.write(unit)
        },
      }
      await runDeletionJob({ ...instance, db }, stop.signal)
      expect((await verifyAudit(instance.db.read, instance.ports)).faults).toEqual([])
      remaining = Object.keys(await countRows(instance, workspace.id)).length
    }
    expect(runs).toBeGreaterThan(5)
    expect(await readEverything(instance, other.id, other)).toEqual(before)
    const { api_key: _, usage: __, ...rows } = await countRows(instance, other.id)
    expect(rowsBefore).toMatchObject(rows)
  })
})

test('a workspace that cannot be deleted does not keep the others, the error names it, and it is deleted once it can be', async () => {
  await request()
  instance.clock.advance(1)
  const other = await createArchivedWorkspace(instance)
  expect((await requestDeletion(instance, other, NAME)).status).toBe(200)
  instance.clock.advance(UNDO_MS)
  const repair = await damageRows(instance, 'delete', 'record', workspace.id)
  expect((await rejectionOf(runDeletionJob(instance))).message).toContain(
    `the deletion of workspace ${workspace.id} failed`,
  )
  expect([await countRows(instance, other.id), (await countRows(instance, workspace.id)).record]).toEqual([
    {},
    expect.any(Number),
  ])
  await repair()
  await runDeletionJob(instance)
  expect(await countRows(instance, workspace.id)).toEqual({})
})
