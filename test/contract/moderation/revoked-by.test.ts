import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type BatchFixture, openBatchFixture } from './batch-fixture.ts'
import type { Fields } from './fixture.ts'

let instance: Instance
let fixture: BatchFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openBatchFixture(instance)
})
afterAll(() => instance.close())

const ON_BEHALF = { actorPlatformUserId: '156', actorUsername: 'clockwork' }
const BY_PERSON = { revokedByUsername: 'clockwork', revokedByPlatformUserId: '156' }
const BY_NOBODY = { revokedBy: null, revokedByUsername: null, revokedByPlatformUserId: null }

describe('a record that an API key lifts or revokes for a person names the person and the key', () => {
  test.each([
    ['ban', 'unban'],
    ['mute', 'unmute'],
    ['warn', 'revoke'],
  ])('%s by %s', async (action, end) => {
    const record = await fixture.actOk({ action, userId: '1', reason: 'Spam' })
    expect(record).toMatchObject(BY_NOBODY)
    const ended = await fixture.actOk({ action: end, id: record.id, reason: 'Mistake', ...ON_BEHALF })
    expect(ended).toMatchObject({ ...BY_PERSON, revokedBy: record.actorUserId, actorPlatformUserId: null })
    const { record: read, versions } = await fixture.getRecord(record.id)
    expect(read).toEqual(ended)
    expect(versions).toMatchObject([BY_NOBODY])
    expect((await fixture.get({ userId: '1' })).body.records).toMatchObject([BY_PERSON])
  })

  test('also in a batch, in the ban history, and in the CSV and JSON Lines', async () => {
    await fixture.ban('1')
    await fixture.runBatch({ action: 'unban', userIds: '1', reason: 'Mistake', ...ON_BEHALF })
    expect((await fixture.get({ banHistory: 'true', userId: '1' })).body.history).toMatchObject([BY_PERSON])
    const { ownerSession: session, id } = fixture
    const download = async (file: string): Promise<string> =>
      (await instance.request('GET', `/portal/api/${file}?workspaceId=${id}`, { session })).text
    const csv = (await download('moderation.csv')).trimEnd().split('\r\n')
    const [names = [], cells = []] = csv.map((line) => line.split(','))
    expect(Object.keys(BY_PERSON).map((name) => cells[names.indexOf(name)])).toEqual(['clockwork', '156'])
    expect(JSON.parse(await download('records.jsonl'))).toMatchObject({ ...BY_PERSON, versions: [BY_NOBODY] })
  })
})

test('without a person, the name is that of the account or API key', async () => {
  const { record: ofKey } = await fixture.getRecord((await fixture.ban('1')).id)
  const { revokedByUsername, ...byKey } = await fixture.actOk({ action: 'unban', userId: '1' })
  expect(byKey).toMatchObject({ revokedBy: ofKey.actorUserId, revokedByPlatformUserId: null })
  expect(revokedByUsername).toBe(ofKey.actorUsername)
  const member = await instance.member(fixture.id, permissions)
  const warning = await fixture.actAs(member.session, { action: 'warn', userId: '1', reason: 'Spam' })
  const revoked = await fixture.actAs(member.session, { action: 'revoke', id: warning.id, reason: 'No' })
  expect(revoked).toMatchObject({
    revokedBy: member.accountId,
    revokedByUsername: warning.actorUsername,
    revokedByPlatformUserId: null,
  })
})

test('a reversal removes the person from the record, its version keeps it, and reversing that brings it back', async () => {
  const record = await fixture.ban('1')
  const { batch } = await fixture.runBatch({
    ...{ action: 'unban', userIds: '1', reason: 'Mistake' },
    ...ON_BEHALF,
  })
  const reversal = await fixture.reverse(batch.id)
  const restored = await fixture.getRecord(record.id)
  expect(restored.record).toMatchObject({ status: 'active', ...BY_NOBODY })
  expect(restored.versions).toMatchObject([BY_NOBODY, BY_PERSON])
  await fixture.reverse(reversal.batch.id)
  const { record: again, versions } = await fixture.getRecord(record.id)
  expect(again).toMatchObject({ status: 'revoked', ...BY_PERSON })
  expect(versions.map(({ revokedByUsername }: Fields) => revokedByUsername)).toEqual([
    null,
    'clockwork',
    null,
  ])
  expect(await fixture.compareWithLog()).toEqual([])
})
