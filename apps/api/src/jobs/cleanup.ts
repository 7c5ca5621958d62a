import {
  deleteExpiredAttempts,
  deleteExpiredSessions,
  deleteExpiredTokens,
  deleteOldMails,
  deleteUnusedDevices,
} from '@reeve/auth'
import { createFailureCollector, type EvidenceStore, HOUR_MS, type ImageStore, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { deleteUnusedImages } from '@reeve/events'
import { deleteOldResponses } from '@reeve/http'
import { deleteExpiredInvitations } from '@reeve/members'
import { closeExpiredAppeals, deleteOldImports, deleteUnusedEvidence } from '@reeve/moderation'
import { deleteOldDeliveries } from '@reeve/webhooks'
import { deleteExpiredJobs } from '@reeve/workspaces'
import type { Job } from './scheduler.ts'

const CLEANUP_INTERVAL_MS = HOUR_MS

const deletions = [
  deleteOldResponses,
  deleteExpiredSessions,
  deleteExpiredAttempts,
  deleteExpiredTokens,
  deleteOldMails,
  deleteUnusedDevices,
  deleteExpiredInvitations,
  deleteExpiredJobs,
  deleteOldDeliveries,
  deleteOldImports,
  closeExpiredAppeals,
]

/**
 * Deletes expired idempotency responses, sessions, sign-in attempts, one-time tokens, mails,
 * known browsers, invitations, jobs and imports of workspaces, unused images and evidence files that no record has, and closes
 * appeals of bans that have expired, once an hour on one process. A run in which one of them fails ends with its error after all others,
 * or after several in a row for which the storage was not available.
 */
export const createCleanupJob = (
  db: Database,
  ports: Ports,
  images: ImageStore,
  evidence: EvidenceStore,
): Job => ({
  // The name stored in existing databases.
  name: 'housekeeping',
  intervalMs: CLEANUP_INTERVAL_MS,
  runsOn: 'one',
  async run(signal) {
    const failures = createFailureCollector()
    for (const deleteExpired of deletions) await failures.attempt(() => deleteExpired(db, ports, signal))
    await failures.attempt(() => deleteUnusedImages(db, ports, images, signal))
    await failures.attempt(() => deleteUnusedEvidence(db, ports, evidence, signal))
    failures.throwFirst()
  },
})
