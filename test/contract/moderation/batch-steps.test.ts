import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openTemplateFixture } from './batch-template-fixture.ts'

let instance: Instance
let fixture: Awaited<ReturnType<typeof openTemplateFixture>>

beforeAll(async () => {
  instance = await openInstance()
})
beforeEach(async () => {
  fixture = await openTemplateFixture(instance)
})
afterAll(() => instance.close())

/** Previews what the ladder decides for players, lets others act, and starts the batch as it was previewed. */
async function startAfter(userIds: string, change: () => Promise<unknown>) {
  const request = { templateId: fixture.templateId, userIds }
  const options = { session: fixture.ownerSession }
  const { preview } = await fixture.sendOk({ ...request, dryRun: 'true' }, options)
  await change()
  return fixture.runBatch({ ...request, sequence: preview.sequence }, options)
}

const CHECK = 'Nothing was done: check the case, then try again.'
const AGAIN = 'Nothing was done: preview the batch again.'

describe('a player whose step of the ladder changes after the preview of a batch', () => {
  test('is left alone, with the case that changed it; others get the step that was shown', async () => {
    const choose = (userId: string) => fixture.actOk({ userId, templateId: fixture.templateId })
    const [removed] = [await choose('removed'), await choose('same'), await choose('commented')]
    let added = { caseNumber: '', actorUsername: '' }
    const { batch, results } = await startAfter('new,added,removed,same,commented', async () => {
      added = await choose('added')
      await fixture.actOk({ action: 'revoke', id: removed.id, reason: 'Wrong player' })
      await choose('same')
      await fixture.actOk({ action: 'unban', userId: 'same' })
      const [commented] = (await fixture.get({ userId: 'commented' })).body.records
      await fixture.actOk({ action: 'comment', id: commented.id, value: 'Seen' })
    })
    const toMessage = (from: number, to: number, { caseNumber }: { caseNumber: string }) =>
      `In the meantime, the step of this player in the ladder Cheating has changed from ${from} to ${to}: case ${caseNumber} by ${added.actorUsername}. ${CHECK}`
    expect(results).toMatchObject([
      { target: 'new', state: 'succeeded', step: '1' },
      { target: 'added', state: 'failed', code: 'conflict', message: toMessage(1, 2, added) },
      { target: 'removed', state: 'failed', code: 'conflict', message: toMessage(2, 1, removed) },
      { target: 'same', state: 'succeeded', step: '2' },
      { target: 'commented', state: 'succeeded', step: '2' },
    ])
    expect(batch).toMatchObject({ succeeded: '3', failed: '2' })
    expect(await fixture.listActiveBans('added')).toEqual([])
  })

  test('gets the action that the batch names, whatever the step is', async () => {
    const request = { action: 'ban', templateId: fixture.templateId, userIds: '1', durationSeconds: '86400' }
    const { preview } = await fixture.sendOk({ ...request, reason: 'Less', dryRun: 'true' })
    await fixture.actOk({ userId: '1', templateId: fixture.templateId })
    const { results } = await fixture.runBatch({ ...request, reason: 'Less', sequence: preview.sequence })
    expect(results).toMatchObject([{ state: 'succeeded', durationSeconds: '86400', step: '2' }])
  })

  test('is left alone if a roll-back has removed records, or the ladder or the template was changed', async () => {
    const session = fixture.ownerSession
    const workspaces = async (body: object) => {
      const response = await instance.request('POST', '/api/workspaces', { session, body })
      expect(response.status, response.text).toBe(200)
      return response
    }
    const empty = (await workspaces({ id: fixture.id, archive: 'true' })).body.archive.id
    await workspaces({ id: fixture.id, archive: 'false' })
    await fixture.actOk({ userId: '1', templateId: fixture.templateId })
    const rolledBack = await startAfter('1', async () => {
      await workspaces({ id: fixture.id, archive: 'true' })
      await workspaces({ id: fixture.id, fromArchive: empty })
    })
    expect(rolledBack.results).toMatchObject([
      { state: 'failed', message: `In the meantime, the workspace was rolled back. ${AGAIN}` },
    ])
    const steps = JSON.stringify([{ count: '1', action: 'ban', durationSeconds: null }])
    const changed = await startAfter('1', () =>
      fixture.create('ladders', { action: 'update', id: fixture.ladderId, steps }),
    )
    expect(changed.results).toMatchObject([
      { state: 'failed', message: `In the meantime, the ladder Cheating was changed. ${AGAIN}` },
    ])
    const renamed = await startAfter('1', () =>
      fixture.create('templates', { action: 'update', id: fixture.templateId, publicReason: 'Other' }),
    )
    expect(renamed.results).toMatchObject([
      { state: 'failed', message: `In the meantime, the template Exploit was changed. ${AGAIN}` },
    ])
    expect((await fixture.get({}, { session })).body.records).toEqual([])
  })
})
