import type { EvidenceStore, Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { runErasures } from '@reeve/moderation'
import type { Job } from './scheduler.ts'
import { waitForChange } from './wait-for-change.ts'

/** How soon an erasure of a process that was killed is continued. */
const POLL_MS = 5000

/** Erases the players for whom that was requested. Each transaction locks its erasure, so processes continue each other's. */
export function createErasureJob(db: Database, ports: Ports, evidence: EvidenceStore): Job {
  return {
    name: 'erasures',
    intervalMs: POLL_MS,
    runsOn: 'each',
    getDelayMs: () => 0,
    async run(signal) {
      while (!signal.aborted) {
        const change = waitForChange(db, 'erasure', POLL_MS, signal)
        await runErasures({ db, ports, evidence, signal })
        await change
      }
    },
  }
}
