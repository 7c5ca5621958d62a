import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { idLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { findDifferences } from '../../support/log-differences.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'
import { readLastJob } from '../../support/workspace-jobs.ts'
import { type ErasureFixture, openErasureFixture } from './erasure-fixture.ts'
import type { Fields } from './fixture.ts'

/** IDs of players that are also a case number, a duration, a year, and a word in what people wrote about something else. */
const PLAYERS = ['3', '86400', '2026', '261']
const NAME = 'Thistledown'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const createMap = (entries: readonly Fields[]) => new Map(entries.map((entry) => [entry.id, entry]))

/** Stores what is about others, with the numbers of the player in it. */
async function storeOthers({ workspaceId, session, key, ban, actOk, post, timeFromNow }: ErasureFixture) {
  await ban('700', { reason: 'Alt of 3, 86400, 2026 and 261' })
  await ban('701', { durationSeconds: '86400' })
  const third = await ban('702', { evidence: '261', severity: 'low' })
  await actOk({ action: 'comment', id: third.id, value: '2026' })
  await actOk({ action: 'unban', id: third.id, reason: '3' })
  const event = {
    title: 'Season 261 kickoff',
    description: '2026, at 3',
    scheduledFor: timeFromNow(3_600_000),
  }
  const created = (await post('/api/events', { ...event, published: 'true' })).event
  const department = (await post('/api/departments', { name: 'Team 2026' })).department
  await post('/api/webhooks', { name: 'Bot 261', url: 'https://example.com/3', events: 'record.created' })
  await post('/portal/api/roles', { name: 'Host 3', rank: '3', permissions: 'moderation.view' })
  await post('/portal/api/invitations', { note: 'For season 261' })
  await post('/portal/api/pinned-notes', { userId: '700', text: 'Asked for 3 days' })
  const filters = 'caseNumber=3,261&from=2026-01-01'
  const view = { list: 'records', name: 'First cases', filters, shared: 'true' }
  await post('/portal/api/saved-views', view)
  const players = async (accountId: string, userIds: string) => {
    const body = { workspaceId, accountId, userIds }
    const { status, text } = await instance.request('PATCH', '/portal/api/members/players', { session, body })
    expect(status, text).toBe(200)
  }
  await players((await instance.member(workspaceId, ['moderation.view'], 1)).accountId, '700')
  return { third, event: created, department, key }
}

for (const mode of ['erase', 'pseudonymise'])
  test.each(PLAYERS)(
    `after ${mode} of player %s, what is about others is whole, also where it has the same number`,
    async (player) => {
      const fixture = await openErasureFixture(instance)
      const { workspaceId, session, get, getRecord, ban, actOk, post, erase, faults } = fixture
      const listEntries = async () =>
        createMap(
          (
            await instance.request('GET', `/portal/api/audit?workspaceId=${workspaceId}&limit=100`, {
              session,
            })
          ).body.entries,
        )
      const read = async (path: string) =>
        (await instance.request('GET', `${path}?workspaceId=${workspaceId}`, { session })).body
      const { third } = await storeOthers(fixture)
      // A fixture stores a member and a role that no request has created.
      const differences = await findDifferences(instance, workspaceId)
      const ofOthers = await listEntries()
      const others = (await get()).body.records
      const views = await read('/portal/api/saved-views')

      await ban(player, { userUsername: NAME, reason: `${NAME} cheats` })
      const byPlayer = { actorPlatformUserId: player, actorUsername: NAME }
      const acted = await actOk({ action: 'note', userId: '700', reason: 'Seen', ...byPlayer })
      await post('/portal/api/saved-views', {
        ...{ list: 'records', name: 'Watched', filters: `userId=700,${player}`, shared: 'true' },
      })
      await erase(player, mode)

      expect(await findDifferences(instance, workspaceId)).toEqual(differences)
      expect(await faults()).toEqual([])
      const entries = await listEntries()
      for (const [id, entry] of ofOthers) expect(entries.get(id)).toEqual(entry)
      expect((await get()).body.records).toEqual(expect.arrayContaining(others))
      expect((await read('/portal/api/saved-views')).savedViews).toEqual(views.savedViews)
      expect((await getRecord(acted.id)).record).toMatchObject({
        ...{ actorPlatformUserId: null, actorUsername: null, reason: 'Seen' },
      })
      // Nothing of the player is left.
      const log = [...entries.values()].filter(({ id }) => !ofOthers.has(id))
      expect(JSON.stringify(log)).not.toContain(NAME)
      const named = log.filter((entry) => JSON.stringify(entry.changes).includes(`"${player}"`))
      expect(named).toEqual([])

      // Still found: a change of what the log has kept.
      await instance.storage.query(
        `update record set duration_seconds = 60, revoke_reason = null where id = ${idLiteral(third.id)}`,
      )
      await instance.storage.query(
        `update event set title = 'Kickoff' where workspace_id = ${idLiteral(workspaceId)}`,
      )
      // Reads of the instance see it after its next write.
      await ban('703')
      expect(await findDifferences(instance, workspaceId)).toEqual([
        ['record', 'revokeReason', 'durationSeconds'],
        ...differences,
        ['event', 'title'],
      ])
    },
  )

test('what programs are still to receive about others has the same content after an erasure', async () => {
  const fixture = await openErasureFixture(instance)
  const { act, erase, post, timeFromNow } = fixture
  const deliveries = openDeliveries(instance)
  const receiver = startReceiver()
  await createWebhookCaller(instance, fixture).create(receiver.url, 'record.created,event.published')
  const headers = { 'idempotency-key': 'ban of 700' }
  const requestBan = () =>
    act({ action: 'ban', userId: '700', reason: 'Spam', durationSeconds: '86400' }, { headers })
  const { record } = (await requestBan()).body
  await post('/api/events', { title: 'Season', scheduledFor: timeFromNow(3_600_000), published: 'true' })
  receiver.respondWith(() => new Response('Try later, 1', { status: 503 }))
  await deliveries.sendAllDue()
  receiver.received.length = 0
  for (const player of ['1', '86400', '2026']) await erase(player, 'erase')
  expect((await requestBan()).body.record).toEqual(record)
  receiver.respondWith(() => new Response(''))
  instance.clock.advance(3_600_000)
  await deliveries.sendAllDue()
  receiver.stop()
  const bodies = receiver.received.map(({ body }) => body.data)
  expect(bodies).toContainEqual(
    expect.objectContaining({ record: expect.objectContaining({ id: record.id }) }),
  )
  expect(bodies).toContainEqual(
    expect.objectContaining({ event: expect.objectContaining({ title: 'Season' }) }),
  )
})

test('the cases that mention the player are those whose texts do, also after a line break', async () => {
  const { ban, actOk, erase } = await openErasureFixture(instance)
  const { id } = await ban('700')
  await actOk({ action: 'comment', id, value: 'Alts:\n7122' })
  const other = await ban('701', { reason: '71 22', evidence: 'https://example.com' })
  // The author and the time of a comment are numbers, too.
  await actOk({ action: 'comment', id: other.id, value: 'Seen' })
  expect(await erase('7122', 'erase')).toMatchObject({ mentionedInCases: ['1'] })
})

test('a roll-back to an archive from before, and a copy of it, have what is about others as it was', async () => {
  const fixture = await openErasureFixture(instance)
  const { id, session, ban, actOk, erase, faults, post } = fixture
  /** Without what a copy has of its own. */
  const list = async (workspaceId: string) => {
    const path = `/api/moderation?workspaceId=${workspaceId}&limit=50`
    const { records } = (await instance.request('GET', path, { session })).body
    return records.map((record: Fields) => ({ ...record, workspaceId: id, appealCode: '', message: '' }))
  }
  await storeOthers(fixture)
  const others = await list(id)
  const differences = await findDifferences(instance, id)
  const byPlayer = { actorPlatformUserId: '3', actorUsername: NAME }
  await ban('3', { userUsername: NAME })
  const lifted = await ban('704', { durationSeconds: '3', ...byPlayer })
  await actOk({ action: 'unban', id: lifted.id, reason: '3', ...byPlayer })
  const workspaces = (body: Fields) => post('/api/workspaces', { workspaceId: undefined, ...body })
  const { archive } = await workspaces({ id, archive: 'true' })
  await workspaces({ id, archive: 'false' })
  await erase('3', 'erase')
  await workspaces({ id, archive: 'true' })
  const { workspace: copy } = await workspaces({ groupName: 'Copy', fromArchive: archive.id })
  await workspaces({ id, fromArchive: archive.id })
  expect(await readLastJob(instance, { id, ownerSession: session })).toMatchObject({ state: 'succeeded' })
  for (const workspaceId of [id, copy.id]) {
    const [restored, ...kept] = await list(workspaceId)
    expect(restored).toMatchObject({ userId: '704', durationSeconds: '3', actorUsername: null })
    expect(kept).toEqual(others)
  }
  expect([await findDifferences(instance, id), await findDifferences(instance, copy.id)]).toEqual([
    differences,
    [],
  ])
  expect(await faults()).toEqual([])
})
