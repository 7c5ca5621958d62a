import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { permissions } from '@reeve/core'
import { allowAppealFiles } from '../../support/appeal-files.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type EvidenceFixture, openEvidenceFixture } from '../evidence-files/fixture.ts'
import { readCounters } from '../storage/fixture.ts'
import { type BatchFixture, openBatchFixture } from './batch-fixture.ts'

let instance: Instance
let fixture: BatchFixture
let files: EvidenceFixture
let raider: Awaited<ReturnType<Instance['member']>>

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openBatchFixture(instance)
  files = await openEvidenceFixture(instance, fixture)
  raider = await instance.member(fixture.id, permissions)
  await allowAppealFiles(instance, fixture)
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const raid = (body: Record<string, string>) => fixture.actAs(raider.session, body)

/** Attaches a file as the owner, or as the raider. @returns its ID */
async function attach(id: string, text: string, session = files.session): Promise<string> {
  const { status, body, text: message } = await files.upload(id, `${text}.txt`, text, { session })
  if (status !== 200) throw new Error(message)
  return body.file.id
}

const createUndo = (since: string) => ({
  action: 'undo',
  actorUserId: raider.accountId,
  since,
  reason: 'Raid',
})

/** Previews an undo of the raider, which must be right, and runs it. */
async function undo(since: string) {
  const { preview } = await fixture.sendOk({ ...createUndo(since), dryRun: 'true' })
  const done = await fixture.runBatch(createUndo(since))
  const { succeeded, unchanged, failed } = done.batch
  expect([preview.succeeded, preview.unchanged, preview.failed]).toEqual([succeeded, unchanged, failed])
  return done
}

const listFiles = async (id: string): Promise<string[]> =>
  (await fixture.getRecord(id)).record.evidenceFiles.map((file: { id: string }) => file.id)

/** The colleague attaches a file to the ban of one player, and the other player sends one with an appeal. */
async function addFiles() {
  const [first] = await fixture.listActiveBans('1')
  const [second] = await fixture.listActiveBans('2')
  const ownFile = await attach(first.id, 'screenshot')
  await fixture.appeal(second)
  await fixture.sendAppealFile(second, 'chat.log', 'He says so')
  const [playersFile] = await listFiles(second.id)
  return async () => {
    for (const [{ id }, fileId] of [
      [first, ownFile],
      [second, String(playersFile)],
    ] as const) {
      expect((await fixture.getRecord(id)).record.status).toBe('revoked')
      expect(await listFiles(id)).toEqual([fileId])
      expect((await files.download(fileId)).status).toBe(200)
    }
  }
}

describe('a ban with a file that a colleague has attached, or the player has sent', () => {
  test('is revoked by an undo, and the ban that it replaced comes back', async () => {
    const old = await fixture.ban('1')
    instance.clock.advance(1000)
    const since = fixture.timeFromNow()
    for (const userId of ['1', '2']) await raid({ action: 'ban', userId, reason: 'raid' })
    const expectRevoked = await addFiles()
    const { batch } = await undo(since)
    expect([batch.state, batch.failed]).toEqual(['succeeded', '0'])
    expect(await fixture.listActiveBans()).toMatchObject([{ id: old.id }])
    await expectRevoked()
  })

  test('is revoked by the reversal of its batch', async () => {
    const bans = { action: 'ban', userIds: '1,2', reason: 'raid' }
    const { batch } = await fixture.runBatch(bans, { session: raider.session })
    const expectRevoked = await addFiles()
    expect((await fixture.reverse(batch.id)).batch).toMatchObject({ succeeded: '2', failed: '0' })
    expect(await fixture.listActiveBans()).toEqual([])
    await expectRevoked()
  })

  test('is left alone if somebody has edited it, too', async () => {
    const since = fixture.timeFromNow()
    const { id } = await raid({ action: 'ban', userId: '1', reason: 'raid' })
    await attach(id, 'screenshot')
    await fixture.actOk({ action: 'edit', id, reason: 'Confirmed by video' })
    const { results } = await undo(since)
    expect(results).toMatchObject([
      { target: id, message: expect.stringContaining('Somebody has changed this record since') },
    ])
    expect(await fixture.listActiveBans('1')).toMatchObject([{ id }])
  })
})

describe('the undo of an attached file', () => {
  test('deletes it and keeps those of others; its reversal does not list it again', async () => {
    const { id } = await files.createRecord()
    const earlier = await attach(id, 'earlier')
    instance.clock.advance(1000)
    const since = fixture.timeFromNow()
    const before = (await readCounters(instance, fixture.id)).evidence
    const theirs = await attach(id, 'raid', raider.session)
    await raid({ action: 'edit', id, reason: 'raid' })
    const later = await attach(id, 'later')
    const { batch } = await undo(since)
    expect(batch).toMatchObject({ succeeded: '1', failed: '0' })
    expect((await fixture.getRecord(id)).record).toMatchObject({
      reason: 'Spamming',
      evidenceFiles: [{}, {}],
    })
    expect(await listFiles(id)).toEqual([earlier, later])
    expect((await files.download(theirs)).status).toBe(404)
    expect((await files.download(later)).status).toBe(200)
    expect((await readCounters(instance, fixture.id)).evidence).toBe(before + 'later'.length)
    await fixture.reverse(batch.id)
    expect((await fixture.getRecord(id)).record.reason).toBe('raid')
    expect(await listFiles(id)).toEqual([earlier, later])
    const again = await attach(id, 'raid')
    expect(new TextDecoder().decode(await files.readBytes(again))).toBe('raid')
  })

  test('requires the permission to remove files', async () => {
    const { id } = await files.createRecord()
    const since = fixture.timeFromNow()
    const theirs = await attach(id, 'raid', raider.session)
    const { session } = await instance.member(fixture.id, ['moderation.bulk', 'moderation.edit'])
    const { results } = await fixture.runBatch(createUndo(since), { session })
    expect(results).toMatchObject([{ state: 'failed', message: 'Missing permission: moderation.evidence.' }])
    expect((await files.download(theirs)).status).toBe(200)
  })
})

describe('the undo of a removed file', () => {
  test('says that it cannot be restored, and lists none without content: it can be attached again', async () => {
    const [only, edited] = [await files.createRecord('1'), await files.createRecord('2')]
    const removed: string[] = []
    for (const { id } of [only, edited]) removed.push(await attach(id, 'clip'))
    instance.clock.advance(1000)
    const since = fixture.timeFromNow()
    await files.remove(only.id, String(removed[0]), raider.session)
    await files.remove(edited.id, String(removed[1]), raider.session)
    await raid({ action: 'edit', id: edited.id, reason: 'raid' })
    const { session } = await instance.member(fixture.id, ['moderation.bulk', 'moderation.edit'])
    const { results } = await fixture.runBatch(createUndo(since), { session })
    expect(results.find(({ target }: { target: string }) => target === only.id)).toMatchObject({
      state: 'failed',
      message: 'A removed file cannot be restored.',
    })
    expect((await fixture.getRecord(edited.id)).record.reason).toBe('Spamming')
    for (const { id } of [only, edited]) {
      expect(await listFiles(id)).toEqual([])
      const again = await attach(id, 'clip')
      expect(await listFiles(id)).toEqual([again])
      expect(new TextDecoder().decode(await files.readBytes(again))).toBe('clip')
    }
  })

  test('changes nothing if the actor had attached it', async () => {
    const { id } = await files.createRecord()
    const since = fixture.timeFromNow()
    await files.remove(id, await attach(id, 'raid', raider.session), raider.session)
    expect((await undo(since)).results).toMatchObject([{ state: 'unchanged' }])
    expect(await listFiles(id)).toEqual([])
  })
})
