import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rotateSecretKey } from '@reeve/api/secret-key/check-value'
import { rekeyAudit } from '@reeve/audit'
import { anonymousActor, permissions } from '@reeve/core'
import { createKeyDeriver } from '@reeve/core/keys'
import { createPseudonym, hashPlayer, openPlayerKey } from '@reeve/core/player-hashes'
import { compareRecords, type RecordDifference } from '@reeve/moderation'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { idLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'
import { openErasureFixture } from './erasure-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const PLAYER = '7654321098'

test('an erasure removes the player as who lifted or revoked the records of others, also in earlier versions', async () => {
  const { ban, actOk, erase, get, id: workspaceId, key } = await openErasureFixture(instance)
  const byPlayer = { actorPlatformUserId: PLAYER, actorUsername: 'Thistledown' }
  const byOther = { actorPlatformUserId: `${PLAYER}1`, actorUsername: 'Fern' }
  const reverse = async (userId: string) => {
    const send = async (fields: object) => {
      const body = { workspaceId, reason: 'Mistake', ...fields }
      const response = await instance.request('POST', '/api/moderation/batches', { key, body })
      return response.body.batch.id
    }
    const id = await send({ action: 'unban', userIds: userId, ...byPlayer })
    await send({ action: 'reverse', id })
  }
  const both = await ban('261', byPlayer)
  await actOk({ action: 'unban', id: both.id, ...byPlayer })
  const restored = await ban('262', byOther)
  await reverse('262')
  const again = await ban('263')
  await reverse('263')
  await actOk({ action: 'unban', id: again.id, ...byOther })

  expect(await erase(PLAYER, 'erase')).toMatchObject({ actors: '3' })

  const nobody = { revokedByUsername: null, revokedByPlatformUserId: null }
  const other = { revokedByUsername: 'Fern', revokedByPlatformUserId: `${PLAYER}1` }
  const read = async ({ id }: { id: string }) => (await get({ id })).body
  expect((await read(both)).record).toMatchObject({ ...nobody, actorUsername: null, status: 'revoked' })
  const ofRestored = await read(restored)
  expect(ofRestored.record).toMatchObject({ ...nobody, actorUsername: 'Fern' })
  expect(ofRestored.versions).toMatchObject([nobody, { ...nobody, status: 'revoked' }])
  const ofAgain = await read(again)
  expect(ofAgain.record).toMatchObject(other)
  expect(ofAgain.versions).toMatchObject([nobody, { ...nobody, status: 'revoked' }, nobody])
  const differences: RecordDifference[] = []
  await compareRecords(instance.db.read, { onDifference: (difference) => differences.push(difference) })
  expect(differences).toEqual([])
})

describe('programs', () => {
  test('receive which records were erased, without the player, also if they were slow', async () => {
    const fixture = await openErasureFixture(instance)
    const deliveries = openDeliveries(instance)
    const receiver = startReceiver()
    const { create } = createWebhookCaller(instance, fixture)
    await create(receiver.url, 'record.created,record.erased,record.updated')
    const { id } = await fixture.ban(PLAYER, { userUsername: 'Thistledown' })
    await deliveries.sendAllDue()
    expect(receiver.received.map(({ body }) => body.data.record.userId)).toEqual([PLAYER])
    await fixture.actOk({ action: 'edit', id, reason: 'Edited' })
    await fixture.erase(PLAYER, 'erase')
    receiver.received.length = 0
    await deliveries.sendAllDue()
    receiver.stop()
    const events = receiver.received.map(({ body }) => ({ type: body.type, record: body.data.record }))
    expect(events).toContainEqual({ type: 'record.erased', record: { id, workspaceId: fixture.id } })
    expect(JSON.stringify(events)).not.toMatch(/7654321098|Thistledown|Edited/)
    const rows = await instance.storage.query(
      `select * from delivery where workspace_id = ${idLiteral(fixture.id)}`,
    )
    expect(JSON.stringify(rows)).not.toMatch(/7654321098|Thistledown|Edited/)
  })

  test('find a ban under a pseudonym with the new key after the secret key was rotated', async () => {
    const own = await openInstance()
    const { ban, erase, get, id } = await openErasureFixture(own)
    const record = await ban(PLAYER)
    await erase(PLAYER, 'pseudonymise')
    const { userId } = (await get({ id: record.id })).body.record
    const to = { ...own.ports, deriveKey: createKeyDeriver(new Uint8Array(32).fill(7)) }
    await rotateSecretKey(own.db, own.ports, to)
    await rekeyAudit(own.db, to, { ...anonymousActor, permissions: new Set(permissions) })
    const [row] = await own.storage.query<{ pseudonym_key: string; erasure_key: string }>(
      `select pseudonym_key, erasure_key from workspace where id = ${idLiteral(id)}`,
    )
    const sealed = row?.pseudonym_key ?? ''
    const key = openPlayerKey(to, 'pseudonyms', id, sealed)
    expect(key && createPseudonym(key, PLAYER)).toBe(userId)
    expect(openPlayerKey(own.ports, 'pseudonyms', id, sealed)).toBeNull()
    // By which restores recognize the player.
    const [erasure] = await own.storage.query<{ user_hashes: string }>(
      `select user_hashes from erasure where workspace_id = ${idLiteral(id)}`,
    )
    const erasureKey = openPlayerKey(to, 'erasures', id, row?.erasure_key ?? '')
    expect(JSON.parse(erasure?.user_hashes ?? '')).toEqual([erasureKey && hashPlayer(erasureKey, PLAYER)])
    await own.close()
  })
})

test('a redacted record that is assigned leaves a valid audit log', async () => {
  const { id, actOk, post, faults } = await openErasureFixture(instance)
  const record = await actOk({ action: 'note', userId: PLAYER, reason: 'Ask first' })
  const { accountId } = await instance.member(id, ['moderation.view'])
  await post('/portal/api/assignments', { recordId: record.id, accountId })
  await actOk({ action: 'redact', id: record.id, reason: 'Asked to' })
  expect(await faults()).toEqual([])
})

test('somebody who does not outrank a member cannot erase the player who they are', async () => {
  const { id, post, session } = await openErasureFixture(instance)
  const equal = await instance.member(id, ['moderation.erase', 'moderation.view'], 10)
  const staff = await instance.member(id, ['moderation.view'], 10)
  const players = await instance.request('PATCH', '/portal/api/members/players', {
    session,
    body: { workspaceId: id, accountId: staff.accountId, userIds: PLAYER },
  })
  expect(players.status).toBe(200)
  const { body } = await instance.request('POST', '/api/moderation/erasures', {
    session: equal.session,
    body: { workspaceId: id, userId: PLAYER, confirmUserId: PLAYER, mode: 'erase', reason: 'On request' },
  })
  expect(body).toMatchObject({ code: 'forbidden', reason: 'insufficient_rank' })
  const reason = '<img src=x onerror=hit()>'
  const { erasure } = await post('/api/moderation/erasures', {
    ...{ userId: PLAYER, confirmUserId: PLAYER, mode: 'erase', reason },
  })
  expect(erasure.reason).toBe(reason)
})

test('the download of a player has everything that is stored about them, and nothing about others', async () => {
  const { id, ban, actOk, post, session, key } = await openErasureFixture(instance)
  const record = await ban(PLAYER, { userUsername: 'Thistledown' })
  await actOk({ action: 'edit', id: record.id, reason: 'Edited' })
  await ban('261', { reason: 'Of another' })
  await post('/api/appeals', { code: record.appealCode, message: 'It was my brother.' }, { key })
  await post('/portal/api/pinned-notes', { userId: PLAYER, text: 'Watch' })
  const path = `/portal/api/player-data.json?workspaceId=${id}&userId=${PLAYER}`
  const { body, headers, text } = await instance.request('GET', path, { session })
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="player-.*\.json"$/)
  expect(body).toMatchObject({
    userId: PLAYER,
    records: [{ id: record.id, reason: 'Edited', versions: [{ reason: 'Exploiting' }] }],
    appeals: [{ recordId: record.id, messages: [{ author: 'player', text: 'It was my brother.' }] }],
    pinnedNotes: [{ text: 'Watch' }],
    links: [],
    names: ['Thistledown'],
    linkedAccounts: [],
  })
  expect(text).not.toContain('Of another')
  const viewer = await instance.member(id, ['moderation.view'])
  expect((await instance.request('GET', path, { session: viewer.session })).status).toBe(403)
})

test.each(['erase', 'pseudonymise'])(
  'the page of a player names the linked ones, and nobody who was erased (%s), even if linked again',
  async (mode) => {
    const { id, ban, erase, post, session } = await openErasureFixture(instance)
    const record = await ban(PLAYER, { userUsername: 'Thistledown' })
    const link = () =>
      post('/api/moderation/links', {
        userId: '300',
        linkedUserId: PLAYER,
        confidence: 'high',
        reason: 'Voice',
      })
    const read = () =>
      instance.request('GET', `/portal/api/players?workspaceId=${id}&userId=300`, { session })
    await link()
    expect((await read()).body).toMatchObject({
      links: [{ linkedUserId: PLAYER }],
      linkedPlayers: [
        { userId: PLAYER, userUsername: 'Thistledown', ban: { id: record.id, reason: 'Exploiting' } },
      ],
    })
    await erase(PLAYER, mode)
    await link()
    const { body, text } = await read()
    expect(body.links).toMatchObject([{ linkedUserId: PLAYER }])
    expect(text).not.toContain('Thistledown')
  },
)
