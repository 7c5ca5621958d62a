import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { yieldToEventLoop } from '@reeve/db'
import { listAllWorkspaces } from '@reeve/workspaces'
import { type Instance, openInstance, UNKNOWN_ID } from '../../support/instance.ts'
import { readLastJob, stopAfter } from '../../support/workspace-jobs.ts'
import { archiveWorkspace, createWorkspaceRequests, type Workspace } from './fixture.ts'
import { cancelJob, queueJob, readContentRows } from './job-fixture.ts'

let instance: Instance
beforeEach(async () => {
  instance = await openInstance({ finishesJobs: false, workspacesPerAccount: 2 })
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

/** The transactions of a copy before the last one, at least. */
const MOST_OF_A_COPY = 12

describe('a copy that is not complete', () => {
  test('is not visible anywhere, but counts for the limit of workspaces', async () => {
    const operator = await instance.session(await instance.account('Operator', true))
    const job = await queueJob.copy(instance)
    const { workspace, body } = job
    const newId = String(body.workspace?.id)
    const session = workspace.ownerSession
    const readAll = async () => [
      (await instance.request('GET', '/api/workspaces', { session })).body.workspaces,
      (await instance.request('GET', '/portal/api/me', { session })).body.workspaces,
      (await instance.request('GET', '/api/endpoint-controls', { session })).body.controls,
      (await instance.request('GET', '/admin/api/workspaces', { session: operator })).body.workspaces,
      (await instance.request('GET', '/admin/api/instance', { session: operator })).body.instance.workspaces,
      (await listAllWorkspaces(instance.db.read)).workspaces,
    ]
    const isVisible = async () => JSON.stringify(await readAll()).includes(newId)
    const count = (await readAll())[4]
    for (let turn = 0; turn < MOST_OF_A_COPY; turn++) {
      await instance.runJobs(stopAfter(2))
      if ((await readLastJob(instance, workspace)).state === 'succeeded') break
      expect(await isVisible()).toBe(false)
      expect((await readAll())[4]).toBe(count)
      for (const path of ['/api/moderation?banList=true&', '/api/workspaces?', '/portal/api/live?']) {
        const query = `workspaceId=${newId}&id=${newId}`
        const url = path.startsWith('/api/workspaces')
          ? `${path}id=${newId}`
          : `${path}${query.split('&')[0]}`
        const { status, body: error } = await instance.request('GET', url, { session })
        expect([status, error.reason]).toEqual([403, 'not_a_member'])
      }
    }
    const { body: limited } = await instance.request('POST', '/api/workspaces', {
      session,
      body: { groupName: 'Third' },
    })
    expect(limited.code).toBe('conflict')
    await instance.runJobs()
    expect(await isVisible()).toBe(true)
    expect((await readAll())[4]).toBe(String(Number(count) + 1))
  }, 60_000)

  test('no longer counts once it is cancelled', async () => {
    const job = await queueJob.copy(instance)
    await instance.runJobs(stopAfter(4))
    expect((await cancelJob(instance, job)).status).toBe(200)
    const { status } = await instance.request('POST', '/api/workspaces', {
      session: job.workspace.ownerSession,
      body: { groupName: 'Second' },
    })
    expect(status).toBe(200)
  })

  test('fails and leaves nothing behind if the caller has lost the permission meanwhile', async () => {
    const workspace = await instance.workspace()
    const archive = await archiveWorkspace(instance, workspace)
    const { session, accountId } = await instance.member(workspace.id, permissions)
    const { workspaces } = createWorkspaceRequests(instance, workspace)
    expect((await workspaces({ fromArchive: archive.id }, { session })).status).toBe(200)
    const removed = await createWorkspaceRequests(instance, workspace).removeMember(accountId)
    expect(removed.status).toBe(200)
    const before = await readContentRows(instance)
    await instance.runJobs()
    expect(await readLastJob(instance, workspace)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('no longer has access to the workspace'),
    })
    expect(await readContentRows(instance)).toEqual(before)
    expect(await instance.storage.query('select id from workspace where hidden is not null')).toEqual([])
  })
})

test('a ban check during a roll-back never misses a player who is banned before and after it', async () => {
  const workspace = await instance.workspace()
  const { moderate, workspaces } = createWorkspaceRequests(instance, workspace)
  const players = Array.from({ length: 120 }, (_, index) => `player-${index}`)
  await Promise.all(players.map((userId) => moderate({ action: 'ban', userId, reason: 'First' })))
  const archive = await archiveWorkspace(instance, workspace)
  await workspaces({ id: workspace.id, archive: false })
  // Every player gets another ban, which the roll-back replaces with the first one.
  await Promise.all(players.map((userId) => moderate({ action: 'ban', userId, reason: 'Second' })))
  await archiveWorkspace(instance, workspace)
  await workspaces({ id: workspace.id, fromArchive: archive.id })
  const reasons = new Set<string>()
  let mixedChecks = 0
  const check = async () => {
    const path = `/api/moderation?workspaceId=${workspace.id}&banList=true&limit=200&userId=${players.join()}`
    const { body } = await instance.request('GET', path, { key: workspace.key })
    expect(body.bans.map((ban: { userId: string }) => ban.userId).sort()).toEqual([...players].sort())
    const seen = new Set<string>(body.bans.map((ban: { reason: string }) => ban.reason))
    if (seen.size === 2) mixedChecks += 1
    for (const reason of seen) reasons.add(reason)
    await yieldToEventLoop()
  }
  // During each transaction, and after it.
  while ((await readLastJob(instance, workspace)).finishedAt === null) {
    let isRunning = true
    const step = instance.runJobs(stopAfter(2)).finally(() => {
      isRunning = false
    })
    while (isRunning) await check()
    await step
    await check()
  }
  expect(await readLastJob(instance, workspace)).toMatchObject({ kind: 'roll_back', state: 'succeeded' })
  expect([...reasons].sort()).toEqual(['First', 'Second'])
  // The checks took place while the roll-back replaced the bans.
  expect(mixedChecks).toBeGreaterThan(0)
}, 60_000)

describe('deleting an archive', () => {
  const remove = ({ id, ownerSession }: Workspace, archiveId: string, session = ownerSession) =>
    instance.request('DELETE', `/portal/api/archive?workspaceId=${id}&id=${archiveId}`, { session })

  test('removes it with its bytes, and records who did', async () => {
    const workspace = await instance.workspace()
    const archive = await archiveWorkspace(instance, workspace)
    const { status, body } = await remove(workspace, archive.id)
    expect([status, body.archive.id]).toEqual([200, archive.id])
    const list = `/api/workspaces?id=${workspace.id}&archives=true`
    const { archives } = (await instance.request('GET', list, { key: workspace.key })).body
    expect(archives).toEqual([])
    expect((await remove(workspace, archive.id)).status).toBe(404)
    const copied = await createWorkspaceRequests(instance, workspace).workspaces({ fromArchive: archive.id })
    expect(copied.status).toBe(404)
    await instance.runJobs()
    const { archive: rows, archive_part: parts } = await readContentRows(instance)
    expect([rows, parts]).toEqual([[], []])
    const log = `/portal/api/audit?workspaceId=${workspace.id}&action=archives.delete`
    const { entries } = (await instance.request('GET', log, { session: workspace.ownerSession })).body
    expect(entries).toMatchObject([{ targetId: archive.id, actorId: workspace.ownerId }])
    expect(JSON.stringify(entries[0])).toContain(archive.sha256)
  })

  test('is refused while a job reads or writes it, and names the job', async () => {
    const { workspace, id, body } = await queueJob.roll_back(instance)
    const { archiveId, newArchiveId } = await readLastJob(instance, workspace)
    expect(newArchiveId).toBe(String(body.archive?.id))
    for (const used of [archiveId, newArchiveId]) {
      const { status, body: error } = await remove(workspace, String(used))
      expect([status, error.error]).toEqual([
        409,
        `A job uses this archive (job ${id}). Wait for it, or cancel it.`,
      ])
    }
    await instance.runJobs()
    expect((await remove(workspace, String(archiveId))).status).toBe(200)
  })

  test('requires workspace.archive, and finds no archive of another workspace', async () => {
    const workspace = await instance.workspace()
    const archive = await archiveWorkspace(instance, workspace)
    const { session } = await instance.member(
      workspace.id,
      permissions.filter((one) => one !== 'workspace.archive'),
    )
    const rejected = await remove(workspace, archive.id, session)
    expect([rejected.status, rejected.body.permission]).toEqual([403, 'workspace.archive'])
    const other = await instance.workspace()
    for (const id of [archive.id, UNKNOWN_ID]) expect((await remove(other, id)).status).toBe(404)
  })
})
