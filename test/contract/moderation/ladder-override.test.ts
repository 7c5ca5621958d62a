import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission } from '@reeve/core'
import { type Instance, LEGACY_PREFIX, openInstance } from '../../support/instance.ts'
import type { Fields } from './fixture.ts'
import { openLadders } from './ladder-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

const MODERATOR: readonly Permission[] = [
  'moderation.view',
  'moderation.warn',
  'moderation.mute',
  'moderation.ban',
  'moderation.unban',
  'moderation.edit',
  'moderation.revoke',
  'moderation.bulk',
]

/** A mute of an hour that a ladder has decided, and two who may edit it: one of them with `moderation.override`. */
async function openMute() {
  const ladders = await openLadders(instance)
  await ladders.choose('1')
  const mute = await ladders.choose('1')
  const moderator = await instance.key(ladders.id, MODERATOR)
  const chooser = await instance.key(ladders.id, [...MODERATOR, 'moderation.override'])
  const change = async (body: Fields, key = moderator) => {
    const response = await ladders.act({ id: mute.id, ...body }, { key })
    return response.status === 200 ? 200 : [response.status, response.body.permission]
  }
  return { ...ladders, mute, moderator, chooser, change }
}

const REFUSED = [403, 'moderation.override']

describe('a sanction that a ladder has decided', () => {
  test('is extended and edited beyond its step with the permission only', async () => {
    const { change, chooser, act, mute, moderator, getRecord } = await openMute()
    expect(await change({ action: 'extend', value: '1' })).toEqual(REFUSED)
    expect(await change({ action: 'edit', durationSeconds: '3601' })).toEqual(REFUSED)
    expect(await change({ action: 'edit', durationSeconds: 'permanent' })).toEqual(REFUSED)
    expect((await act({ action: 'extend', id: mute.id, value: '1' }, { key: moderator })).body.error).toBe(
      'Step 2 of the ladder Chat is: mute (3600 seconds). More requires the permission moderation.override.',
    )
    const legacy = await instance.request(
      'POST',
      `${LEGACY_PREFIX}/moderation?workspaceId=${mute.workspaceId}`,
      { key: moderator, body: { action: 'extend', id: mute.id, value: '1' } },
    )
    expect([legacy.status, legacy.body.permission]).toEqual(REFUSED)
    expect((await getRecord(mute.id)).record).toMatchObject({ durationSeconds: '3600', version: '1' })
    expect(await change({ action: 'extend', value: '60' }, chooser)).toBe(200)
  })

  test('is shortened, and lengthened again up to its step, without it', async () => {
    const { change, chooser } = await openMute()
    expect(await change({ action: 'extend', value: '-1800' })).toBe(200)
    expect(await change({ action: 'edit', durationSeconds: '3600' })).toBe(200)
    expect(await change({ action: 'edit', durationSeconds: '7200' }, chooser)).toBe(200)
    // What somebody else has overridden can be shortened, also to more than the step.
    expect(await change({ action: 'edit', durationSeconds: '7000' })).toBe(200)
    expect(await change({ action: 'edit', durationSeconds: '7100' })).toEqual(REFUSED)
  })

  test('keeps to the step as it was, whatever happens to the ladder', async () => {
    const { change, sendOk, ladder, mute, choose } = await openMute()
    const steps = JSON.stringify([{ count: '1', action: 'mute', durationSeconds: '86400' }])
    await sendOk('ladders', { action: 'update', id: ladder.id, steps })
    expect(mute.ladderVersion).toBe('1')
    expect(await change({ action: 'edit', durationSeconds: '7200' })).toEqual(REFUSED)
    expect(await choose('2')).toMatchObject({ ladderVersion: '2', durationSeconds: '86400' })
  })

  test('is not lengthened by a batch, or by the reversal of what somebody else has shortened', async () => {
    const { id, send, moderator, chooser, mute, change, getRecord } = await openMute()
    const runBatch = async (body: Fields, key: string) => {
      const response = await send('batches', body, { key })
      expect(response.status, response.text).toBe(200)
      await instance.runJobs()
      const read = await instance.request(
        'GET',
        `/api/moderation/batches?workspaceId=${id}&id=${response.body.batch.id}`,
        { key },
      )
      return read.body
    }
    const extended = await runBatch({ action: 'extend', recordIds: mute.id, value: '60' }, moderator)
    expect(extended.results[0]).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('moderation.override'),
    })
    expect(await change({ action: 'edit', durationSeconds: '7200' }, chooser)).toBe(200)
    const { batch } = await runBatch({ action: 'extend', recordIds: mute.id, value: '-6000' }, chooser)
    const reversed = await runBatch({ action: 'reverse', id: batch.id, reason: 'x' }, moderator)
    expect(reversed.results[0]).toMatchObject({ state: 'failed' })
    expect((await getRecord(mute.id)).record.durationSeconds).toBe('1200')
  })
})
