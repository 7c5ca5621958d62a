import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@reeve/core'
import { type Database, openDatabase } from '@reeve/db'
import { createChangeJob } from '../src/jobs/change-job.ts'

/** Runs of about a minute, if nothing changes. */
const RUNS_PER_MINUTE = 12

const dataDir = mkdtempSync(join(tmpdir(), 'reeve-change-job-'))
let db: Database
beforeAll(async () => {
  db = (await openDatabase({ dataDir, databaseUrl: null }, { now: Date.now })).database
})
afterAll(async () => {
  await db.close()
  rmSync(dataDir, { recursive: true })
})

test('an outage of the database is a failure of the job once it has lasted a minute, and not before', async () => {
  let error: Error | null = new AppError('unavailable')
  const job = createChangeJob('erasures', db, 'erasure', async () => {
    if (error) throw error
  })
  /** Runs it without a wait: a change arrives meanwhile. @returns whether it succeeded */
  const hasSucceeded = async () => {
    const run = job.run(new AbortController().signal).then(
      () => true,
      (reason) => {
        expect(reason).toBe(error)
        return false
      },
    )
    await db.write(async (tx) => tx.announce({ kind: 'erasure', workspaceId: 'a', id: 'a' }))
    return run
  }
  const runRepeatedly = async (count: number) => {
    const results = []
    for (let index = 0; index < count; index++) results.push(await hasSucceeded())
    return results
  }
  const quiet = Array(RUNS_PER_MINUTE - 1).fill(true)
  expect(await runRepeatedly(RUNS_PER_MINUTE + 1)).toEqual([...quiet, false, false])
  error = null
  expect(await hasSucceeded()).toBe(true)
  error = new AppError('unavailable')
  expect(await runRepeatedly(RUNS_PER_MINUTE)).toEqual([...quiet, false])
  error = new Error('a')
  expect(await hasSucceeded()).toBe(false)
})
