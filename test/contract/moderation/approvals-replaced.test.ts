import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import { requestApproval } from '../../support/approvals.ts'
import { createTestClock } from '../../support/clock.ts'
import { idLiteral } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openErasureFixture } from './erasure-fixture.ts'
import { createImportRequests, NOW, type Workspace } from './import-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ clock: createTestClock(NOW) })
})
afterAll(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

const PLAYER = '261'

/** A workspace with a ban that waits for approval. */
async function openPendingBan() {
  const fixture = await openErasureFixture(instance)
  const { member, record } = await requestApproval(instance, fixture.id, PLAYER)
  instance.clock.advance(1000)
  const readApproval = async () => {
    const search = new URLSearchParams({ workspaceId: fixture.id })
    const { body } = await instance.request('GET', `/api/moderation/approvals?${search}`, {
      key: fixture.key,
    })
    return body.approvals.find(({ recordId }: { recordId: string }) => recordId === record.id)
  }
  return { ...fixture, member, record, readApproval }
}

async function importBan(workspace: Workspace): Promise<void> {
  const { importText } = createImportRequests(() => instance)
  const csv = `userId,occurredAt,until,sourceId\n${PLAYER},2026-01-05,2027-02-20,a\n`
  await importText('csv', 'bans.csv', csv, { workspace, conflicts: 'supersede' })
}

test('an import that replaces a ban ends its request for approval, and its requester may request another', async () => {
  const { member, readApproval, post, ...workspace } = await openPendingBan()
  await importBan(workspace)
  const ended = { state: 'superseded', decidedAt: expect.any(String), decidedBy: workspace.ownerId }
  expect(await readApproval()).toMatchObject(ended)
  instance.clock.advance(2 * DAY_MS)
  expect(await readApproval()).toMatchObject(ended)
  const again = { action: 'ban', userId: PLAYER, reason: 'Again' }
  expect((await post('/api/moderation', again, member)).approval).toMatchObject({ state: 'pending' })
})

test('an import that replaces a temporary ban whose time is over leaves its request expired', async () => {
  const { readApproval, ...workspace } = await openPendingBan()
  instance.clock.advance(2 * DAY_MS)
  await importBan(workspace)
  expect(await readApproval()).toMatchObject({ state: 'expired', decidedAt: null })
})

test('an erasure that replaces the ban under the pseudonym of the player ends its request for approval', async () => {
  const { readApproval, erase, ban, record, getRecord } = await openPendingBan()
  await erase(PLAYER, 'pseudonymise')
  await ban(PLAYER)
  // As undos of earlier versions left it: two bans of the player in force.
  const pending = 'set decision = null, decided_at = null, decided_by = null'
  await instance.storage.query(`update approval ${pending} where record_id = ${idLiteral(record.id)}`)
  const inForce = 'set in_force = 1, ended = null'
  await instance.storage.query(`update record ${inForce} where id = ${idLiteral(record.id)}`)
  expect(await readApproval()).toMatchObject({ state: 'pending' })
  await erase(PLAYER, 'pseudonymise')
  expect((await getRecord(record.id)).record.status).toBe('superseded')
  expect(await readApproval()).toMatchObject({ state: 'superseded' })
})
