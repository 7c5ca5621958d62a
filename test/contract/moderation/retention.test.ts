import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { databaseEvidenceStore } from '@reeve/api/images/evidence-store'
import { closeExpiredAppeals, deleteUnusedEvidence } from '@reeve/moderation'
import { createTestClock } from '../../support/clock.ts'
import { uploadEvidence } from '../../support/evidence-upload.ts'
import { imageBytes } from '../../support/images.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { openAppeals } from '../appeals/fixture.ts'
import { countRows, readCounters } from '../storage/fixture.ts'
import { openLadders } from './ladder-fixture.ts'
import { DAY, expectConsistentLog, NOON, openRetention, runAfter } from './retention-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOON) })
})
afterEach(() => expectConsistentLog(instance))
afterAll(() => instance.close())

describe('retention rules', () => {
  test('delete the records of each action after as many days as they say, and keep the others', async () => {
    const { actOk, listCases } = await openRetention(instance, { noteDays: 10, warnDays: 20 })
    for (const action of ['note', 'warn', 'kick']) await actOk({ action, userId: '1', reason: 'Text' })
    await runAfter(instance, 10)
    // The tenth day ends at noon, the run was at midnight before.
    expect(await listCases()).toEqual(['1', '2', '3'])
    await runAfter(instance, 1)
    expect(await listCases()).toEqual(['2', '3'])
    await runAfter(instance, 9)
    expect(await listCases()).toEqual(['2', '3'])
    await runAfter(instance, 1)
    expect(await listCases()).toEqual(['3'])
    await runAfter(instance, 1000)
    expect(await listCases()).toEqual(['3'])
  })

  test('count from the last change of a record, and of a ban that expired from its end', async () => {
    const { actOk, listCases } = await openRetention(instance, { noteDays: 5, banDays: 5 })
    const { id } = await actOk({ action: 'note', userId: '1', reason: 'Text' })
    await actOk({ action: 'ban', userId: '1', reason: 'Text', durationSeconds: String((4 * DAY) / 1000) })
    instance.clock.advance(4 * DAY)
    await actOk({ action: 'comment', id, value: 'Seen again' })
    await runAfter(instance, 4)
    expect(await listCases()).toEqual(['1', '2'])
    await runAfter(instance, 2)
    expect(await listCases()).toEqual([])
  })

  test('apply from the next midnight on, and never to another workspace', async () => {
    const other = await openRetention(instance)
    const { actOk, configure, listCases } = await openRetention(instance)
    for (const act of [other.actOk, actOk]) await act({ action: 'note', userId: '1', reason: 'Text' })
    instance.clock.advance(100 * DAY)
    await configure({ noteDays: 1 })
    await runAfter(instance, 0.4)
    expect(await listCases()).toEqual(['1'])
    await runAfter(instance, 0.2)
    expect(await listCases()).toEqual([])
    expect(await other.listCases()).toEqual(['1'])
    instance.clock.advance(0.4 * DAY)
  })

  test('that are removed again delete nothing, and an archived workspace keeps everything', async () => {
    const { id, key, actOk, configure, listCases } = await openRetention(instance, { noteDays: 1 })
    await actOk({ action: 'note', userId: '1', reason: 'Text' })
    await configure({ noteDays: null })
    await runAfter(instance, 10)
    expect(await listCases()).toEqual(['1'])
    await configure({ noteDays: 1 })
    const archive = (body: object) =>
      instance.request('POST', '/api/workspaces', { key, body: { id, ...body } })
    expect((await archive({ action: 'archive' })).status).toBe(200)
    await runAfter(instance, 10)
    expect((await archive({ action: 'restore' })).status).toBe(200)
    expect(await listCases()).toEqual(['1'])
    await runAfter(instance, 1)
    expect(await listCases()).toEqual([])
  })
})

describe('a record that is still needed is kept, whatever its age:', () => {
  test('a ban or mute in force, until it ends', async () => {
    const { actOk, listCases } = await openRetention(instance, { banDays: 1, muteDays: 1 })
    await actOk({ action: 'ban', userId: '1', reason: 'Text' })
    await actOk({ action: 'mute', userId: '1', reason: 'Text', durationSeconds: String((50 * DAY) / 1000) })
    await runAfter(instance, 30)
    expect(await listCases()).toEqual(['1', '2'])
    await runAfter(instance, 30)
    expect(await listCases()).toEqual(['1'])
    await actOk({ action: 'unban', userId: '1' })
    await runAfter(instance, 2)
    expect(await listCases()).toEqual([])
  })

  test('one that counts in a ladder, until its window ends', async () => {
    const { choose, id, key, preview } = await openLadders(instance)
    const body = { workspaceId: id, warnDays: 1, muteDays: 1 }
    expect((await instance.request('POST', '/api/moderation/retention', { key, body })).status).toBe(200)
    // The warning decays after 10 days, the mute counts for the 30 days of the window.
    await choose('1')
    await choose('1')
    const listActions = async () => {
      const path = `/api/moderation?workspaceId=${id}&userId=1`
      const { records } = (await instance.request('GET', path, { key })).body
      return records.map(({ action }: { action: string }) => action)
    }
    await runAfter(instance, 9)
    expect(await listActions()).toEqual(['mute', 'warn'])
    expect(await preview('1')).toMatchObject({ count: '2' })
    await runAfter(instance, 3)
    expect(await listActions()).toEqual(['mute'])
    await runAfter(instance, 20)
    expect(await listActions()).toEqual([])
  })

  test('a ban with an open appeal, until the appeal is closed', async () => {
    const { workspaceId, key, ban, submit } = await openAppeals(instance)
    const rules = { workspaceId, banDays: 3 }
    expect((await instance.request('POST', '/api/moderation/retention', { key, body: rules })).status).toBe(
      200,
    )
    const record = await ban({ userId: '1', durationSeconds: String((2 * DAY) / 1000) })
    expect((await submit(record.appealCode)).status).toBe(200)
    const countBans = async () =>
      (await instance.request('GET', `/api/moderation?workspaceId=${workspaceId}`, { key })).body.records
        .length
    await runAfter(instance, 10)
    expect(await countBans()).toBe(1)
    // Cleanup closes appeals whose ban has expired.
    await closeExpiredAppeals(instance.db, instance.ports)
    await runAfter(instance, 1)
    expect(await countBans()).toBe(0)
  })

  test('one that is pinned or assigned, until somebody takes that back', async () => {
    const { workspaceId, ownerId, actOk, listCases } = await openRetention(instance, { noteDays: 1 })
    const pinned = await actOk({ action: 'note', userId: '1', reason: 'Text' })
    const assigned = await actOk({ action: 'note', userId: '2', reason: 'Text' })
    const session = await instance.session(ownerId)
    const send = async (method: string, path: string, body: object) =>
      instance.request(method, path, { session, body: { workspaceId, ...body } })
    const pin = await send('POST', '/portal/api/pinned-notes', { recordId: pinned.id })
    expect(pin.status).toBe(200)
    const assign = { recordId: assigned.id, accountId: ownerId }
    expect((await send('POST', '/portal/api/assignments', assign)).status).toBe(200)
    await runAfter(instance, 10)
    expect(await listCases()).toEqual(['1', '2'])
  })

  test('one that is assigned, until the person leaves', async () => {
    const { workspaceId, ownerId, actOk, listCases } = await openRetention(instance, { noteDays: 1 })
    const asOwner = async () => ({ session: await instance.session(ownerId) })
    const { id: recordId } = await actOk({ action: 'note', userId: '1', reason: 'Text' })
    const { accountId } = await instance.member(workspaceId, ['moderation.view'])
    const body = { workspaceId, recordId, accountId }
    const assigned = await instance.request('POST', '/portal/api/assignments', { ...(await asOwner()), body })
    expect(assigned.status).toBe(200)
    await runAfter(instance, 10)
    expect(await listCases()).toEqual(['1'])
    const member = new URLSearchParams({ workspaceId, accountId })
    const removed = await instance.request('DELETE', `/portal/api/members?${member}`, await asOwner())
    expect(removed.status).toBe(200)
    await runAfter(instance, 1)
    expect(await listCases()).toEqual([])
  })
})

test('everything that belongs to a record goes with it, and what is counted stays exact', async () => {
  const { workspaceId, ownerId, actOk, listCases, read } = await openRetention(instance, {
    warnDays: 2,
    banDays: 2,
  })
  const session = await instance.session(ownerId)
  const secret = 'Zanzibar'
  const warning = await actOk({ action: 'warn', userId: '77', userUsername: `${secret}7`, reason: secret })
  await actOk({ action: 'edit', id: warning.id, reason: `${secret} again` })
  await actOk({ action: 'comment', id: warning.id, value: `${secret} <@${ownerId}>` })
  await actOk({ action: 'evidence', id: warning.id, value: `https://${secret}.example/` })
  const upload = { session, workspaceId, id: warning.id, name: `${secret}.png` }
  expect((await uploadEvidence(instance, upload, imageBytes('png'))).status).toBe(200)
  const ban = await actOk({
    ...{ action: 'ban', userId: '77', userUsername: `${secret}7`, reason: secret, durationSeconds: '60' },
  })
  await instance.request('POST', '/api/appeals', {
    key: await instance.key(workspaceId, ['appeals.submit']),
    body: { workspaceId, code: ban.appealCode, message: `${secret} was not me` },
  })
  await actOk({ action: 'unban', userId: '77', reason: secret })
  await actOk({ action: 'note', userId: '8', reason: 'Kept' })
  expect((await readCounters(instance, workspaceId)).evidence).toBeGreaterThan(0)
  await runAfter(instance, 4)
  // The files no longer count, before cleanup deletes their bytes.
  expect((await readCounters(instance, workspaceId)).evidence).toBe(0)
  await deleteUnusedEvidence(instance.db, instance.ports, databaseEvidenceStore)
  expect(await listCases()).toEqual(['3'])
  expect(JSON.stringify(await readStoredRows(instance))).not.toContain(secret)
  const counters = await readCounters(instance, workspaceId)
  expect(counters).toEqual(await countRows(instance, workspaceId))
  const { days } = await read('/api/moderation/insights', {
    from: new Date(instance.ports.now() - 30 * DAY).toISOString(),
    to: new Date(instance.ports.now()).toISOString(),
  })
  expect(
    days.filter(({ day: _, ...counts }: Record<string, string>) =>
      Object.values(counts).some((count) => count !== '0'),
    ),
  ).toEqual([])
  expect((await read('/portal/api/players', { q: secret })).players).toEqual([])
  expect((await read('/api/moderation', { id: warning.id })).code).toBe('not_found')
  // The number of a case is never used again.
  expect((await actOk({ action: 'note', userId: '8', reason: 'Next' })).caseNumber).toBe('4')
})
