import { MINUTE_MS, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { blankRequestedNames } from '@reeve/moderation'
import type { Job } from './scheduler.ts'

/** How long a request waits at most. */
const BLANKING_INTERVAL_MS = MINUTE_MS

/** Removes the names of deleted accounts from the history of workspaces whose owners have requested it, on one process. */
export function createNameBlankingJob(db: Database, ports: Ports): Job {
  return {
    name: 'name-blanking',
    intervalMs: BLANKING_INTERVAL_MS,
    runsOn: 'one',
    startsAtOnce: true,
    run: (signal) => blankRequestedNames(db, ports, signal),
  }
}
