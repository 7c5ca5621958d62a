import { MINUTE_MS, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { recountStorage } from '@reeve/metering'
import type { Job } from './scheduler.ts'

/** How often it looks for workspaces that are due. */
const RECOUNT_INTERVAL_MS = 10 * MINUTE_MS

/** Between two statements, so that counting a large workspace takes a small part of the time of a process. */
const PAUSE_MS = 10

/** Counts the stored bytes of the workspaces that are due, on one process, starting when the server starts. */
export function createStorageJob(db: Database, ports: Ports): Job {
  return {
    name: 'storage',
    intervalMs: RECOUNT_INTERVAL_MS,
    runsOn: 'one',
    startsAtOnce: true,
    run: (signal) => recountStorage(db, ports, { signal, pause: () => Bun.sleep(PAUSE_MS) }),
  }
}
