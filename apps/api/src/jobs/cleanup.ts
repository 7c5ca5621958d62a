import { deleteExpiredAttempts, deleteExpiredSessions } from '@reeve/auth'
import { HOUR_MS, type ImageStore, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { deleteUnusedImages } from '@reeve/events'
import { deleteOldResponses } from '@reeve/http'
import { deleteExpiredInvitations } from '@reeve/members'
import { deleteExpiredJobs } from '@reeve/workspaces'
import type { Job } from './scheduler.ts'

const CLEANUP_INTERVAL_MS = HOUR_MS

const deletions = [
  deleteOldResponses,
  deleteExpiredSessions,
  deleteExpiredAttempts,
  deleteExpiredInvitations,
  deleteExpiredJobs,
]

/**
 * Deletes expired idempotency responses, sessions, sign-in attempts, invitations and jobs of workspaces, and unused images once an
 * hour on one process.
 */
export const createCleanupJob = (db: Database, ports: Ports, images: ImageStore): Job => ({
  // The name stored in existing databases.
  name: 'housekeeping',
  intervalMs: CLEANUP_INTERVAL_MS,
  runsOn: 'one',
  async run(signal) {
    for (const deleteExpired of deletions) await deleteExpired(db, ports, signal)
    await deleteUnusedImages(db, ports, images, signal)
  },
})
