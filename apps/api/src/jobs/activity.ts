import { MINUTE_MS } from '@reeve/core'
import type { Database } from '@reeve/db'
import { summarizeActivity } from '@reeve/overview'
import type { Job } from './scheduler.ts'

/** Between two runs, the readers of Home count the new entries of the audit log themselves. */
const SUMMARY_INTERVAL_MS = MINUTE_MS

/** Counts the moderation actions in the audit log once a minute on one process, starting when the server starts. */
export function createActivityJob(db: Database): Job {
  return {
    name: 'activity',
    intervalMs: SUMMARY_INTERVAL_MS,
    runsOn: 'one',
    startsAtOnce: true,
    run: (signal) => summarizeActivity(db, signal),
  }
}
