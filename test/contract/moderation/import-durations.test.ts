import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Permission, RoleLimits } from '@reeve/core'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { createImportRequests, NOW } from './import-fixture.ts'
import { summarize } from './limits-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const { importText, findRecord } = createImportRequests(() => instance)

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/** What the imported record says: from two months before its import to one after it. */
const DURATION = String(90 * DAY_SECONDS)
const until = (time: string) => ({ expiresAt: `2026-03-0${time}Z` })

/** A ban or mute that has been in force in another tool for two months, and a member who may change it. */
async function importSanction(
  action: string,
  permissions: readonly Permission[],
  limits: Partial<RoleLimits> = {},
) {
  const csv = `userId,action,occurredAt,until,sourceId\n261,${action},2025-12-01,2026-03-01,a\n`
  const { workspace } = await importText('csv', 'bans.csv', csv)
  const { session } = await instance.member(
    workspace.id,
    ['moderation.view', 'moderation.edit', ...permissions],
    10,
    limits,
  )
  const { id, durationSeconds } = await findRecord(workspace, 'a')
  expect(durationSeconds).toBe(DURATION)
  const send = (path: string, body: object) =>
    instance.request('POST', `/api/moderation${path}`, {
      session,
      body: { workspaceId: workspace.id, ...body },
    })
  const read = () => findRecord(workspace, 'a')
  return { id, read, send, change: (body: object) => send('', { id, ...body }) }
}

describe('an imported sanction', () => {
  for (const [action, impose, lift] of [
    ['ban', 'moderation.ban', 'moderation.unban'],
    ['mute', 'moderation.mute', 'moderation.mute'],
  ] as const)
    test(`is extended and shortened from its present end: ${action}`, async () => {
      const { change, read } = await importSanction(action, [impose, lift])
      const extended = await change({ action: 'extend', value: DAY_SECONDS })
      expect(extended.body.record).toMatchObject(until('2T00:00:00.000'))
      expect(extended.body.record.durationSeconds).toBe(
        String((Date.parse('2026-03-02') - Date.parse(extended.body.record.createdAt)) / 1000),
      )
      await change({ action: 'extend', value: -HOUR_SECONDS })
      expect(await read()).toMatchObject(until('1T23:00:00.000'))
      await change({ action: 'extend', value: -HOUR_SECONDS })
      expect(await read()).toMatchObject(until('1T22:00:00.000'))
    })

  test('is extended and shortened from its present end by a batch', async () => {
    const { send, id, read } = await importSanction('ban', [
      'moderation.ban',
      'moderation.unban',
      'moderation.bulk',
    ])
    for (const [value, end] of [
      [DAY_SECONDS, until('2T00:00:00.000')],
      [-HOUR_SECONDS, until('1T23:00:00.000')],
    ] as const) {
      const { status, text } = await send('/batches', { action: 'extend', recordIds: id, value })
      expect(status, text).toBe(200)
      expect(await read()).toMatchObject(end)
    }
  })

  test('is shortened only by who may lift it, and extended only by who may impose it', async () => {
    const lifter = await importSanction('ban', ['moderation.unban'])
    expect((await lifter.change({ action: 'extend', value: HOUR_SECONDS })).status).toBe(403)
    expect((await lifter.change({ action: 'extend', value: -HOUR_SECONDS })).status).toBe(200)
    const imposer = await importSanction('ban', ['moderation.ban'])
    expect((await imposer.change({ action: 'extend', value: -HOUR_SECONDS })).status).toBe(403)
    expect((await imposer.change({ action: 'extend', value: HOUR_SECONDS })).status).toBe(200)
  })

  test('is extended within a limit by what it lasts from the import on', async () => {
    const { change } = await importSanction('ban', ['moderation.ban'], {
      longestBanSeconds: 30 * DAY_SECONDS,
    })
    expect((await change({ action: 'extend', value: DAY_SECONDS })).status).toBe(200)
    const tooLong = await change({ action: 'extend', value: 2 * DAY_SECONDS })
    expect(summarize(tooLong)).toEqual([403, 'over_limit', 'longestBanSeconds'])
  })

  test('keeps its end if an edit repeats the duration that it shows', async () => {
    const { change } = await importSanction('ban', [])
    const edited = await change({ action: 'edit', reason: 'Edited', durationSeconds: DURATION })
    expect(edited.body.record).toMatchObject({
      reason: 'Edited',
      durationSeconds: DURATION,
      ...until('1T00:00:00.000'),
    })
  })
})
