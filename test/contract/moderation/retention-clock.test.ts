import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createJobLease } from '@reeve/api/jobs/lease'
import { createRetentionJob } from '@reeve/api/jobs/retention'
import { runJob } from '@reeve/api/jobs/scheduler'
import { createTestClock } from '../../support/clock.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { DAY, NOON, openRetention } from './retention-fixture.ts'

const HOUR = 3_600_000
/** How long a job waits until it tries again. */
const INTERVAL = HOUR / 6

let instance: Instance
beforeEach(async () => {
  instance = await openInstance({ clock: createTestClock(NOON) })
})
afterEach(() => instance.close())

/** A process over the database, whose clock is ahead by some milliseconds. */
function openProcess(ahead = 0) {
  const { db, ports, clock } = instance
  const warnings: string[] = []
  let uptime = 0
  const ownPorts = { ...ports, now: () => clock.now() + ahead }
  const claim = createJobLease(db, ownPorts, {
    onWait: (message) => void warnings.push(message),
    elapsed: () => uptime,
  })
  return {
    warnings,
    /** Lets time pass, for all processes, then runs the job if it is due. @returns whether it ran */
    runAfter(passed: number): Promise<boolean> {
      clock.advance(passed)
      uptime += passed
      return runJob(createRetentionJob(db, ownPorts), claim, AbortSignal.timeout(60_000))
    },
  }
}

/** A workspace with one note that is deleted after 30 days, of an instance whose job runs. */
async function openWithNote() {
  const { actOk, listCases } = await openRetention(instance, { noteDays: 30 })
  await actOk({ action: 'note', userId: '1', reason: 'Text' })
  const earlier = openProcess()
  expect(await earlier.runAfter(0)).toBe(true)
  return { listCases, earlier }
}

test('a server whose clock is far ahead when it starts deletes nothing, says so once, and goes on once the clock is right', async () => {
  const { listCases } = await openWithNote()
  // So does one that is started again meanwhile.
  for (const ahead of [openProcess(400 * DAY), openProcess(400 * DAY)]) {
    for (let passed = 0; passed < HOUR; passed += INTERVAL)
      expect(await ahead.runAfter(passed === 0 ? 0 : INTERVAL)).toBe(false)
    expect(ahead.warnings).toEqual([
      expect.stringContaining('the job retention last ran at 2026-02-01T12:00:00Z'),
    ])
  }
  const corrected = openProcess()
  expect(await corrected.runAfter(INTERVAL)).toBe(true)
  expect([await listCases(), corrected.warnings]).toEqual([['1'], []])
})

test('a server that was off deletes what is due an hour after its start', async () => {
  const { listCases } = await openWithNote()
  instance.clock.advance(40 * DAY)
  const later = openProcess()
  expect(await later.runAfter(0)).toBe(false)
  expect(await later.runAfter(HOUR)).toBe(true)
  expect([await listCases(), later.warnings.length]).toEqual([[], 1])
})

test('a process whose clock is ahead of that of another one never deletes', async () => {
  const { listCases, earlier } = await openWithNote()
  const ahead = openProcess(400 * DAY)
  for (let passed = 0; passed < 3 * HOUR; passed += INTERVAL) {
    expect(await earlier.runAfter(INTERVAL)).toBe(true)
    expect(await ahead.runAfter(0)).toBe(false)
  }
  expect([await listCases(), ahead.warnings.length]).toEqual([['1'], 1])
})
