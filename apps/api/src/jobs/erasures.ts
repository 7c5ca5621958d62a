import type { EvidenceStore, Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { runErasures } from '@reeve/moderation'
import { createChangeJob } from './change-job.ts'
import type { Job } from './scheduler.ts'

/** Erases the players for whom that was requested. Each transaction locks its erasure, so processes continue each other's. */
export const createErasureJob = (db: Database, ports: Ports, evidence: EvidenceStore): Job =>
  createChangeJob('erasures', db, 'erasure', (signal) => runErasures({ db, ports, evidence, signal }))
