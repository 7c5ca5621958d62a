import { MINUTE_MS, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { applyRetention } from '@reeve/moderation'
import type { Job } from './scheduler.ts'

/** How soon after midnight it begins, and after how long an interrupted run is continued. */
const RETENTION_INTERVAL_MS = 10 * MINUTE_MS

/** Deletes the records that retention rules no longer keep, once a day from midnight in UTC on, on one process. */
export function createRetentionJob(db: Database, ports: Ports): Job {
  return {
    name: 'retention',
    intervalMs: RETENTION_INTERVAL_MS,
    runsOn: 'one',
    startsAtOnce: true,
    deletesForGood: true,
    run: (signal) => applyRetention(db, ports, signal),
  }
}
