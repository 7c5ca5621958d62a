import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { createTestClock } from '../../support/clock.ts'
import { damageRows, failStatements } from '../../support/damaged-rows.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { createAttacker } from '../audit/attacks.ts'
import { expectExactCounters } from '../storage/fixture.ts'
import { DAY, expectConsistentLog, NOON, openRetention, runAfter } from './retention-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOON) })
})
afterEach(() => expectConsistentLog(instance))
afterAll(() => instance.close())

describe('a run', () => {
  test('is one entry of the audit log with counts and no ids', async () => {
    const { actOk, readAudit } = await openRetention(instance, { noteDays: 1, warnDays: 1 })
    for (let count = 0; count < 45; count++) await actOk({ action: 'note', userId: '1', reason: 'Text' })
    const { id } = await actOk({ action: 'warn', userId: '1', reason: 'Text' })
    await runAfter(instance, 3)
    await runAfter(instance, 1)
    const entries = await readAudit('retention.delete')
    expect(entries).toMatchObject([
      { actorKind: 'system', before: { records: '46', notes: '45', warnings: '1' }, after: null },
    ])
    expect(JSON.stringify(entries)).not.toContain(id)
  })

  test('removes the texts of what it deletes from the responses of the last day, and leaves those about other records', async () => {
    const { actOk, act, workspaceId } = await openRetention(instance, { noteDays: 1 })
    const deleted = await actOk({ action: 'note', userId: '1', reason: 'Lives in Elm Street' })
    const kept = await actOk({ action: 'warn', userId: '1', reason: 'Rude' })
    instance.clock.advance(3 * DAY)
    // Nothing changes, so the record is as old as before.
    const edit = ({ id, reason }: Record<string, string>) =>
      act({ action: 'edit', id, reason }, { headers: { 'idempotency-key': `edit ${id}` } })
    const [first, other] = [await edit(deleted), await edit(kept)]
    expect(first.text).toContain('Elm Street')
    await runAfter(instance, 0)
    expect(JSON.stringify(await readStoredRows(instance)).includes('Elm Street')).toBe(false)
    const retry = await edit(deleted)
    expect([retry.status, retry.body.code, retry.body.error]).toEqual([
      404,
      'not_found',
      'The record was deleted.',
    ])
    expect((await edit(kept)).body).toEqual(other.body)
    await expectExactCounters(instance, workspaceId)
  })

  test('that is interrupted continues, deletes nothing twice, and is one entry', async () => {
    const { actOk, listCases, readAudit } = await openRetention(instance, { noteDays: 1 })
    for (let count = 0; count < 50; count++) await actOk({ action: 'note', userId: '1', reason: 'Text' })
    const stop = new AbortController()
    const forget = instance.db.onChange(() => stop.abort())
    await runAfter(instance, 3, stop.signal)
    forget()
    const left = (await listCases()).length
    expect(left).toBeLessThan(50)
    expect(left).toBeGreaterThan(0)
    expect(await readAudit('retention.delete')).toEqual([])
    await expectConsistentLog(instance)
    await runAfter(instance, 0)
    expect(await listCases()).toEqual([])
    expect(await readAudit('retention.delete')).toMatchObject([{ before: { records: '50' } }])
  })

  test('that fails in one workspace is complete in the others, and its error names the workspace', async () => {
    const workspaces = []
    for (let count = 0; count < 3; count++) {
      const workspace = await openRetention(instance, { noteDays: 1 })
      await workspace.actOk({ action: 'note', userId: '1', reason: 'Text' })
      workspaces.push(workspace)
    }
    // Workspaces are in the order of their ids, in which they were created.
    const [damaged, ...others] = workspaces as [(typeof workspaces)[0], ...typeof workspaces]
    const repair = await damageRows(instance, 'delete', 'record', damaged.workspaceId)
    await runAfter(instance, 1)
    expect((await rejectionOf(runAfter(instance, 2))).message).toContain(damaged.workspaceId)
    expect(await damaged.listCases()).toHaveLength(1)
    for (const other of others) expect(await other.listCases()).toEqual([])
    await repair()
    await runAfter(instance, 0)
    expect(await damaged.listCases()).toEqual([])
  })

  test('that always times out in a workspace is complete in the others, and its error names the workspace', async () => {
    const workspaces = []
    for (let count = 0; count < 2; count++) {
      const workspace = await openRetention(instance, { noteDays: 1 })
      await workspace.actOk({ action: 'note', userId: '1', reason: 'Text' })
      workspaces.push(workspace)
    }
    const [slow, other] = workspaces as [(typeof workspaces)[0], (typeof workspaces)[0]]
    await runAfter(instance, 1)
    const db = failStatements(instance.db, (id) => id === slow.workspaceId)
    expect(await rejectionOf(runAfter({ ...instance, db }, 2))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(slow.workspaceId),
    })
    expect([await slow.listCases(), await other.listCases()]).toEqual([['1'], []])
    await runAfter(instance, 0)
    expect(await slow.listCases()).toEqual([])
  })

  test('deletes what the preview has said', async () => {
    const { actOk, configure, listCases, preview } = await openRetention(instance)
    for (const action of ['note', 'note', 'warn', 'kick', 'mute', 'ban'])
      await actOk({ action, userId: '1', reason: 'Text' })
    await actOk({ action: 'unmute', userId: '1' })
    instance.clock.advance(9 * DAY)
    await actOk({ action: 'note', userId: '1', reason: 'New' })
    const rules = { noteDays: '5', warnDays: '5', muteDays: '5', banDays: '5' }
    expect(await preview(rules)).toMatchObject({
      ...{ notes: '2', warnings: '1', kicks: '0', mutes: '1', bans: '0', total: '4' },
      at: new Date(Math.ceil(instance.ports.now() / DAY) * DAY).toISOString(),
    })
    expect(await preview({})).toMatchObject({ total: '0' })
    await configure(rules)
    await runAfter(instance, 1)
    expect(await listCases()).toEqual(['4', '6', '7'])
  })
})

describe('after the clock was ahead and was set back', () => {
  const AHEAD_DAYS = 25

  test('records are deleted once a day as before', async () => {
    const { actOk, listCases } = await openRetention(instance, { noteDays: 1 })
    await runAfter(instance, AHEAD_DAYS)
    instance.clock.advance(-AHEAD_DAYS * DAY)
    await actOk({ action: 'note', userId: '1', reason: 'Text' })
    await runAfter(instance, 3)
    expect(await listCases()).toEqual([])
  })

  test('a run that was interrupted deletes nothing more too early, and is one entry', async () => {
    const { workspaceId, actOk, listCases, readAudit } = await openRetention(instance, { noteDays: 10 })
    for (let count = 0; count < 50; count++) await actOk({ action: 'note', userId: '1', reason: 'Text' })
    const stop = new AbortController()
    const forget = instance.db.onChange((change) => {
      if (change.workspaceId === workspaceId) stop.abort()
    })
    await runAfter(instance, AHEAD_DAYS, stop.signal)
    forget()
    const left = await listCases()
    expect(left.length).toBeLessThan(50)
    await runAfter(instance, 1 - AHEAD_DAYS)
    expect(await listCases()).toEqual(left)
    const deleted = String(50 - left.length)
    expect(await readAudit('retention.delete')).toMatchObject([{ before: { records: deleted } }])
    await expectConsistentLog(instance)
    await runAfter(instance, 11)
    expect(await listCases()).toEqual([])
  })

  test('rules that were changed before apply from the next midnight on', async () => {
    const { actOk, configure, listCases } = await openRetention(instance)
    instance.clock.advance(AHEAD_DAYS * DAY)
    await configure({ noteDays: '1' })
    await runAfter(instance, -AHEAD_DAYS)
    await actOk({ action: 'note', userId: '1', reason: 'Text' })
    await runAfter(instance, 0)
    expect(await listCases()).toEqual(['1'])
    await runAfter(instance, 3)
    expect(await listCases()).toEqual([])
  })
})

describe('programs', () => {
  test('that follow the changes have missed nothing, and read the snapshot if they were away too long', async () => {
    const { workspaceId, key, actOk } = await openRetention(instance, { banDays: 1 })
    const follow = async (path: string) =>
      (await instance.request('GET', `/api/changes${path}workspaceId=${workspaceId}`, { key })).body
    await actOk({ action: 'ban', userId: '1', reason: 'Text' })
    const away = await follow('/snapshot?')
    await actOk({ action: 'unban', userId: '1' })
    const current = await follow('/snapshot?')
    await runAfter(instance, 3)
    expect(await follow(`?since=${current.sequence}&epoch=${current.epoch}&`)).toMatchObject({ changes: [] })
    expect(await follow(`?since=${away.sequence}&epoch=${away.epoch}&`)).toMatchObject({
      code: 'cursor_gone',
    })
    expect((await follow('/snapshot?')).sanctions).toEqual([])
  })
})

describe('the rules', () => {
  test('are read and changed by those who may, and the audit log has each change', async () => {
    const { workspaceId, configure, read, readAudit } = await openRetention(instance)
    const { retention } = (await configure({ noteDays: '365', warnDays: 730 })).body
    expect(retention).toEqual({
      ...{ workspaceId, noteDays: '365', warnDays: '730', kickDays: null, muteDays: null, banDays: null },
      nextRunAt: new Date(Math.ceil(instance.ports.now() / DAY) * DAY).toISOString(),
      version: '2',
    })
    expect((await configure({ noteDays: null }, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await configure({ noteDays: null })).body.retention).toMatchObject({
      noteDays: null,
      warnDays: '730',
    })
    expect((await read('/api/moderation/retention')).retention.version).toBe('3')
    expect(await readAudit('retention.configure')).toMatchObject([
      { before: { noteDays: '365' }, after: { noteDays: null } },
      { after: { noteDays: '365', warnDays: '730' } },
    ])
    const viewer = await instance.key(workspaceId, ['moderation.view'])
    expect((await configure({ noteDays: 1 }, { key: viewer })).body).toMatchObject({
      permission: 'moderation.configure',
    })
  })

  test('have 1 to 3650 days', async () => {
    const { configure } = await openRetention(instance)
    for (const noteDays of ['0', '3651', '-1', 'x', ''])
      expect((await configure({ noteDays })).body).toMatchObject({ details: [{ field: 'noteDays' }] })
    expect((await configure({})).status).toBe(400)
  })

  test('are in archives: a copy has them, and a roll-back brings them back with the records', async () => {
    const { id, ownerId, actOk, configure, listCases, read } = await openRetention(instance, { noteDays: 3 })
    await actOk({ action: 'note', userId: '1', reason: 'Text' })
    const session = await instance.session(ownerId)
    const workspaces = async (body: object) =>
      (await instance.request('POST', '/api/workspaces', { session: await instance.session(ownerId), body }))
        .body
    const { archive } = await workspaces({ id, action: 'archive' })
    const copy = await workspaces({ fromArchive: archive.id, groupName: 'Copy' })
    const path = `/api/moderation/retention?workspaceId=${copy.workspace.id}`
    expect((await instance.request('GET', path, { session })).body.retention).toMatchObject({ noteDays: '3' })
    await workspaces({ id, action: 'restore' })
    await runAfter(instance, 5)
    expect(await listCases()).toEqual([])
    await configure({ noteDays: null })
    await workspaces({ id, action: 'archive' })
    await workspaces({ id, fromArchive: archive.id })
    expect(await listCases()).toEqual(['1'])
    expect((await read('/api/moderation/retention')).retention).toMatchObject({ noteDays: '3' })
    await expectConsistentLog(instance)
    await runAfter(instance, 1)
    expect(await listCases()).toEqual([])
  })
})

test('the log still shows that somebody else removed changes: more than were deleted, or after the last run', async () => {
  const attacked = await openInstance({ clock: createTestClock(NOON) })
  const attacker = createAttacker(attacked)
  const { workspaceId, actOk } = await openRetention(attacked, { noteDays: 1 })
  await actOk({ action: 'note', userId: '1', reason: 'Text' })
  const kept = await actOk({ action: 'warn', userId: '1', reason: 'Text' })
  await runAfter(attacked, 3)
  const blank = async (id: string) => {
    const row = (await attacker.listRows(workspaceId)).find(({ target_id }) => target_id === id)
    if (!row) throw new Error('the record is not in the log')
    await attacker.blankChanges(workspaceId, row)
    return (await verifyAudit(attacked.db.read, attacked.ports)).faults
  }
  const later = await actOk({ action: 'warn', userId: '1', reason: 'Text' })
  const unexplained = [{ workspaceId, fault: expect.stringContaining('no later redaction or deletion') }]
  expect(await blank(kept.id)).toMatchObject(unexplained)
  expect(await blank(later.id)).toMatchObject(unexplained)
  await attacked.close()
})
