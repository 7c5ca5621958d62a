import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
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
  readonly settled: string | null
}

const toSettled = (results: readonly Result[]) =>
  Object.fromEntries(results.map(({ target, settled }) => [target, settled]))

/** Previews a batch, lets others act, and starts it. */
async function startAfter(request: Record<string, unknown>, change: () => Promise<unknown>) {
  const { preview } = await fixture.sendOk({ ...request, dryRun: 'true' })
  await change()
  const sequence = preview.sequence === null ? {} : { sequence: preview.sequence }
  return fixture.runBatch({ ...request, ...sequence })
}

const NO_BAN = 'This player has no active ban.'

test('a lift says for which players it left alone nothing is left to lift, also once somebody else has lifted the ban', async () => {
  for (const player of ['done', 'gone', 'replaced']) await fixture.ban(player, { durationSeconds: '3600' })
  const request = { action: 'unban', userIds: 'done,gone,replaced,never' }
  const { batch, results } = await startAfter(request, async () => {
    await fixture.actOk({ action: 'unban', userId: 'gone' })
    await fixture.ban('replaced')
  })
  expect(results.map(({ state }: Result) => state)).toEqual(['succeeded', 'failed', 'failed', 'failed'])
  expect(toSettled(results)).toEqual({ done: null, gone: NO_BAN, replaced: null, never: NO_BAN })

  await fixture.actOk({ action: 'unban', userId: 'replaced' })
  await fixture.ban('gone')
  const later = await fixture.readBatch(batch.id)
  expect(toSettled(later.results)).toEqual({ done: null, gone: null, replaced: NO_BAN, never: NO_BAN })

  const options = { key: await instance.key(fixture.id, ['moderation.bulk']) }
  const query = new URLSearchParams({ workspaceId: fixture.id, id: batch.id })
  const { body } = await instance.request('GET', `/api/moderation/batches?${query}`, options)
  expect(toSettled(body.results)).toEqual({ done: null, gone: null, replaced: null, never: null })
})

test('a batch on cases says which of those it left alone are revoked, redacted, gone or no longer in force', async () => {
  const warn = (userId: string) => fixture.actOk({ action: 'warn', userId, reason: 'Spam' })
  const [open, revoked, redacted] = [await warn('1'), await warn('2'), await warn('3')]
  const ban = await fixture.ban('4', { durationSeconds: '3600' })
  const revokeBoth = await startAfter(
    { action: 'revoke', recordIds: [open.id, revoked.id].join(), reason: 'Mistake' },
    () => fixture.actOk({ action: 'revoke', id: revoked.id, reason: 'Theirs' }),
  )
  expect(toSettled(revokeBoth.results)).toEqual({
    [open.id]: null,
    [revoked.id]: 'This case is already revoked.',
  })
  const comment = await startAfter(
    { action: 'comment', recordIds: [redacted.id, revoked.id].join(), value: 'Seen' },
    () => fixture.actOk({ action: 'redact', id: redacted.id, reason: 'Private' }),
  )
  expect(toSettled(comment.results)).toEqual({
    [redacted.id]: 'The texts of this case were redacted.',
    [revoked.id]: null,
  })
  const missing = instance.ports.newId()
  const acknowledged = await fixture.runBatch({ action: 'acknowledge', recordIds: missing })
  expect(toSettled(acknowledged.results)).toEqual({ [missing]: 'This case no longer exists.' })
  const extend = await startAfter({ action: 'extend', recordIds: ban.id, value: '60' }, () =>
    fixture.actOk({ action: 'unban', userId: '4' }),
  )
  expect(toSettled(extend.results)).toEqual({ [ban.id]: 'This ban is no longer in force.' })
})

test('a new ban can always be tried again', async () => {
  const request = { action: 'ban', userIds: '1', reason: 'Raid' }
  const { results } = await startAfter(request, () => fixture.ban('1'))
  expect(results).toMatchObject([{ state: 'failed', settled: null }])
})

test('the results of a batch name their players, but only to those who may see it', async () => {
  const note = await fixture.actOk({ action: 'note', userId: '17', userUsername: 'Robin', reason: 'x' })
  const body = { action: 'comment', recordIds: note.id, value: 'Seen' }
  const { batch, results } = await fixture.runBatch(body)
  expect(results).toMatchObject([{ target: note.id, userId: '17', userUsername: 'Robin' }])
  const key = await instance.key(fixture.id, ['moderation.bulk'])
  const path = `/api/moderation/batches?${new URLSearchParams({ workspaceId: fixture.id, id: batch.id })}`
  const limited = (await instance.request('GET', path, { key })).body
  expect(limited.results).toMatchObject([{ target: note.id, userUsername: null }])
})
