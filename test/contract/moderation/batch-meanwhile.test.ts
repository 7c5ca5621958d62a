import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { stopAfter } from '../../support/workspace-jobs.ts'
import { type BatchFixture, openBatchFixture } from './batch-fixture.ts'

let instance: Instance
let fixture: BatchFixture

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openBatchFixture(instance)
})
afterAll(() => instance.close())

interface Result {
  readonly target: string
  readonly state: string
  readonly code: string | null
  readonly message: string | null
}

const toOutcomes = (results: readonly Result[]) =>
  Object.fromEntries(results.map(({ target, state, message }) => [target, message ?? state]))

const CHECK = 'Nothing was done: check the case, then try again.'

describe('what others change between the preview of a batch and the turn of a target', () => {
  test('is neither replaced nor shortened: the result says which case it is, and a new preview shows it', async () => {
    const temporary = { durationSeconds: '3600' }
    for (const player of ['moved', 'lifted', 'kept', 'commented', 'ended'])
      await fixture.ban(player, temporary)
    const request = {
      action: 'ban',
      userIds: 'new,taken,moved,lifted,kept,commented,ended,elsewhere',
      durationSeconds: '60',
      reason: 'Raid',
    }
    const { preview } = await fixture.sendOk({ ...request, dryRun: 'true' })
    expect(preview).toMatchObject({ succeeded: '8', failed: '0' })

    const theirs = await fixture.ban('taken')
    const [moved] = await fixture.listActiveBans('moved')
    await fixture.actOk({ action: 'extend', id: moved.id, value: '86400' })
    const [lifted] = await fixture.listActiveBans('lifted')
    await fixture.actOk({ action: 'unban', userId: 'lifted' })
    const [commented] = await fixture.listActiveBans('commented')
    for (const value of ['1', '2', '3', '4', '5'])
      await fixture.actOk({ action: 'comment', id: commented.id, value })
    await fixture.ban('elsewhere')
    await fixture.actOk({ action: 'unban', userId: 'elsewhere' })

    const { batch, results } = await fixture.runBatch({ ...request, sequence: preview.sequence })
    const name = theirs.actorUsername
    const toMessage = (what: string, { caseNumber }: { caseNumber: string }) =>
      `In the meantime, ${what}: case ${caseNumber} by ${name}. ${CHECK}`
    expect(toOutcomes(results)).toEqual({
      new: 'succeeded',
      taken: toMessage('this player got another ban', theirs),
      moved: toMessage('the end of the ban of this player was changed', moved),
      lifted: toMessage('the ban of this player was lifted', lifted),
      kept: 'succeeded',
      commented: 'succeeded',
      ended: 'succeeded',
      elsewhere: 'succeeded',
    })
    expect(batch).toMatchObject({ state: 'succeeded', succeeded: '5', failed: '3' })
    expect(await fixture.listActiveBans('taken')).toMatchObject([{ id: theirs.id, expiresAt: null }])
    expect(await fixture.listActiveBans('lifted')).toEqual([])

    const left = { ...request, userIds: 'taken,moved,lifted' }
    const again = await fixture.sendOk({ ...left, dryRun: 'true' })
    expect(again.preview.results).toMatchObject([
      { replacesCaseNumber: theirs.caseNumber },
      { replacesCaseNumber: moved.caseNumber },
      { replacesCaseNumber: null },
    ])
    const repeated = await fixture.runBatch({ ...left, sequence: again.preview.sequence })
    expect(repeated.batch).toMatchObject({ succeeded: '3', failed: '0' })
  })

  test('is left alone without a preview, from the start on, and after an interruption', async () => {
    const userIds = Array.from({ length: 12 }, (_, index) => `player${index}`)
    const last = 'player11'
    const { id } = await fixture.queue({ action: 'ban', userIds, durationSeconds: '60', reason: 'Raid' })
    await instance.runJobs(stopAfter(6))
    expect(Number((await fixture.readBatch(id)).batch.succeeded)).toBeGreaterThan(0)
    const theirs = await fixture.ban(last)
    await instance.runJobs()
    const { batch, results } = await fixture.readBatch(id)
    expect(batch).toMatchObject({ state: 'succeeded', succeeded: '11', failed: '1' })
    expect(results.at(-1)).toMatchObject({ target: last, state: 'failed', code: 'conflict' })
    expect(await fixture.listActiveBans(last)).toMatchObject([{ id: theirs.id }])
  })

  test('is not lifted', async () => {
    const old = await fixture.ban('1', { durationSeconds: '3600' })
    await fixture.ban('2')
    const request = { action: 'unban', userIds: '1,2' }
    const { preview } = await fixture.sendOk({ ...request, dryRun: 'true' })
    const theirs = await fixture.ban('1')
    expect(theirs.id).not.toBe(old.id)
    const { results } = await fixture.runBatch({ ...request, sequence: preview.sequence })
    expect(results).toMatchObject([{ state: 'failed', code: 'conflict' }, { state: 'succeeded' }])
    expect(await fixture.listActiveBans()).toMatchObject([{ id: theirs.id }])
  })

  test('names no case to who may not view it', async () => {
    const key = await instance.key(fixture.id, ['moderation.bulk', 'moderation.ban', 'moderation.unban'])
    const request = { action: 'ban', userIds: '1', reason: 'Raid' }
    const { preview } = await fixture.sendOk({ ...request, dryRun: 'true' }, { key })
    await fixture.ban('1')
    const { results } = await fixture.runBatch({ ...request, sequence: preview.sequence }, { key })
    expect(results[0].message).toBe(`In the meantime, this player got another ban. ${CHECK}`)
  })

  test('decides a ladder too', async () => {
    const post = (path: string, body: object) =>
      instance.request('POST', `/api/moderation/${path}`, {
        session: fixture.ownerSession,
        body: { workspaceId: fixture.id, ...body },
      })
    const steps = JSON.stringify([{ count: '1', action: 'mute', durationSeconds: '60' }])
    const ladder = await post('ladders', { name: 'Chat', windowDays: '30', steps })
    const template = { name: 'Spam', publicReason: 'Spamming', ladderId: ladder.body.ladder.id }
    const templateId = (await post('templates', template)).body.template.id
    const request = { templateId, userIds: '1' }
    const { preview } = await fixture.sendOk({ ...request, dryRun: 'true' })
    const mute = await fixture.actOk({ action: 'mute', userId: '1', reason: 'Theirs' })
    const { results } = await fixture.runBatch({ ...request, sequence: preview.sequence })
    expect(results[0].message).toContain(`this player got another mute: case ${mute.caseNumber} by`)
  })
})

test('the sequence of a preview is only accepted where it is used, and once the workspace has reached it', async () => {
  const rejected = async (fields: object) => (await fixture.send({ ...fields, sequence: '99999' })).body
  expect(await rejected({ action: 'ban', userIds: '1', reason: 'x' })).toMatchObject({
    error: expect.stringContaining('sequence: must be that of a preview of this workspace'),
  })
  for (const fields of [
    { action: 'warn', userIds: '1', reason: 'x' },
    { action: 'undo', actorUserId: fixture.ownerId, since: '2026-01-01T00:00:00Z', reason: 'x' },
  ])
    expect(await rejected(fields)).toMatchObject({ error: expect.stringContaining('is not used by') })
})

test('a batch whose preview has no sequence is started with that of its preview too', async () => {
  const ban = await fixture.ban('1')
  const requests = [
    { action: 'warn', userIds: '1', reason: 'x' },
    { action: 'revoke', recordIds: ban.id, reason: 'x' },
    { action: 'undo', actorUserId: ban.actorUserId, since: '2026-01-01T00:00:00Z', reason: 'x' },
  ]
  for (const request of requests) {
    const { preview } = await fixture.sendOk({ ...request, dryRun: 'true' })
    expect([request.action, preview.sequence]).toEqual([request.action, null])
    const { batch } = await fixture.runBatch({ ...request, sequence: preview.sequence })
    expect([request.action, batch.state]).toEqual([request.action, 'succeeded'])
  }
})
