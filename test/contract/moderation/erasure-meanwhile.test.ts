import { afterEach, beforeEach, expect, test } from 'bun:test'
import { exportChain, verifyExport } from '@reeve/audit'
import { compareRecords, type RecordDifference, runErasures } from '@reeve/moderation'
import { damageRows, failStatements } from '../../support/damaged-rows.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { stopAfter } from '../../support/workspace-jobs.ts'
import { openErasureFixture } from './erasure-fixture.ts'

/** More than an erasure of one record has. */
const TRANSACTIONS = 10
/** A case that is recorded after them stays: the erasure has looked for cases for the last time. */
const UNTIL_LAST_SEARCH = 6

let instance: Instance
beforeEach(async () => {
  instance = await openInstance({ finishesJobs: false })
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

test.each(['erase', 'pseudonymise'])(
  'a case of the player that is recorded during the erasure is erased with its stored response, or the audit log describes it: %s',
  async (mode) => {
    for (let transactions = 1; transactions <= TRANSACTIONS; transactions++) {
      const player = String(7654321000 + transactions)
      const fixture = await openErasureFixture(instance)
      const { workspaceId, session } = fixture
      await fixture.ban(player, { userUsername: 'Thistledown' })
      expect((await fixture.request(player, mode)).status).toBe(200)
      await fixture.run(stopAfter(transactions))
      const recordLate = () =>
        instance.request('POST', '/api/moderation', {
          session,
          headers: { 'idempotency-key': 'a' },
          body: { workspaceId, action: 'note', userId: player, reason: 'Came back' },
        })
      const late = await recordLate()
      await fixture.actOk({ action: 'comment', id: late.body.record.id, value: 'Seen again' })
      await fixture.run()
      const differences: RecordDifference[] = []
      await compareRecords(instance.db.read, { onDifference: (difference) => differences.push(difference) })
      expect({ transactions, differences }).toEqual({ transactions, differences: [] })
      expect(await fixture.faults()).toEqual([])
      if (transactions > UNTIL_LAST_SEARCH) continue
      expect({ transactions, status: (await recordLate()).status }).toEqual({ transactions, status: 404 })
      expect(JSON.stringify(await readStoredRows(instance))).not.toContain(player)
    }
  },
)

test('the audit log and an export of it are valid at any time of an erasure, also if a note about the player is pinned meanwhile', async () => {
  const fixture = await openErasureFixture(instance)
  await fixture.ban('7654321')
  expect((await fixture.request('7654321', 'erase')).status).toBe(200)
  await fixture.post('/portal/api/pinned-notes', { userId: '7654321', text: 'Asked to be erased' })
  for (let transactions = 1; transactions <= TRANSACTIONS; transactions++) {
    await fixture.run(stopAfter(1))
    expect({ transactions, faults: await fixture.faults() }).toEqual({ transactions, faults: [] })
    const lines = exportChain(instance.db.read, instance.ports, fixture.workspaceId, 'now')
    expect((await verifyExport(instance.ports, lines)).chain).toBe(fixture.workspaceId)
  }
  expect((await fixture.getErasure('', {})).erasures).toMatchObject([{ state: 'succeeded' }])
  const rows = JSON.stringify(await readStoredRows(instance))
  expect(rows).not.toContain('7654321')
})

test('an erasure that fails is tried again, and delays none that was requested after it', async () => {
  const player = '7654321000'
  const [damaged, other] = [await openErasureFixture(instance), await openErasureFixture(instance)]
  const readState = async ({ getErasure }: typeof damaged) => (await getErasure('')).erasures[0].state
  for (const fixture of [damaged, other]) {
    await fixture.ban(player)
    expect((await fixture.request(player, 'erase')).status).toBe(200)
    instance.clock.advance(1000)
  }
  const repair = await damageRows(instance, 'delete', 'record', damaged.workspaceId)
  expect((await rejectionOf(damaged.run())).message).toContain(damaged.workspaceId)
  expect([await readState(damaged), await readState(other)]).toEqual(['running', 'succeeded'])
  await repair()
  await damaged.run()
  expect(await readState(damaged)).toBe('succeeded')
})

test('an erasure whose statements always time out delays none that was requested after it, and its error is not lost', async () => {
  const player = '7654321000'
  const [slow, damaged, other] = [
    await openErasureFixture(instance),
    await openErasureFixture(instance),
    await openErasureFixture(instance),
  ]
  const fixtures = [slow, damaged, other]
  for (const fixture of fixtures) {
    await fixture.ban(player)
    expect((await fixture.request(player, 'erase')).status).toBe(200)
    instance.clock.advance(1000)
  }
  const readStates = () =>
    Promise.all(fixtures.map(async ({ getErasure }) => (await getErasure('')).erasures[0].state))
  const { db, ports, context } = instance
  const { signal } = new AbortController()
  const runSlow = () =>
    runErasures({
      db: failStatements(db, (id) => id === slow.workspaceId),
      ports,
      evidence: context.evidence,
      signal,
    })
  const repair = await damageRows(instance, 'delete', 'record', damaged.workspaceId)
  expect((await rejectionOf(runSlow())).message).toContain(damaged.workspaceId)
  expect(await readStates()).toEqual(['queued', 'running', 'succeeded'])
  await repair()
  expect(await rejectionOf(runSlow())).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(slow.workspaceId),
  })
  expect(await readStates()).toEqual(['queued', 'succeeded', 'succeeded'])
  await slow.run()
  expect(await readStates()).toEqual(['succeeded', 'succeeded', 'succeeded'])
})
