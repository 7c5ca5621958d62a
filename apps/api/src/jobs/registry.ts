import type { EvidenceStore, ImageStore, Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { DeliveryOptions } from '@reeve/webhooks'
import { createMailJob, type MailJobOptions } from '../mail/job.ts'
import { type Config, getDataFolder } from '../settings.ts'
import { createActivityJob } from './activity.ts'
import { type AnchorLog, createAuditAnchorJob } from './audit-anchors.ts'
import { type BackupLog, createBackupJob } from './automatic-backup.ts'
import { createBatchJob } from './batches.ts'
import { createCleanupJob } from './cleanup.ts'
import { createDeliveryJob } from './deliveries.ts'
import { createErasureJob } from './erasures.ts'
import { createImportJob, type ImportJobOptions } from './imports.ts'
import { createNameBlankingJob } from './name-blanking.ts'
import { createRetentionJob } from './retention.ts'
import type { Job } from './scheduler.ts'
import { createStorageJob } from './storage.ts'
import { createWorkspaceDeletionJob, type DeletionLog } from './workspace-deletion.ts'
import { createWorkspaceJobsJob, type WorkspaceJobOptions } from './workspace-jobs.ts'

/** A crash loses the counts of reads of about this long. */
const USAGE_FLUSH_MS = 1000
/** The last use of a key is shown to people only, so it may lag by this much: a busy instance has thousands of keys. */
const KEY_USE_FLUSH_MS = 30_000
/** How often processes over one database exchange the usage of each caller for the rate limit. */
const RATE_LIMIT_SYNC_MS = 100

export interface JobOptions {
  readonly db: Database
  readonly ports: Ports
  readonly images: ImageStore
  readonly evidence: EvidenceStore
  readonly config: Config
  readonly log: BackupLog & AnchorLog & DeletionLog
  readonly flushCounts: () => Promise<void>
  readonly flush: () => Promise<void>
  readonly broadcastUsage: () => Promise<void>
  readonly workspaceJobs: WorkspaceJobOptions
  readonly imports: ImportJobOptions
  readonly deliveries: DeliveryOptions
  /** Null without a mail server. */
  readonly mail: MailJobOptions | null
}

/** Every background job of a server. */
export function createJobs(options: JobOptions): Job[] {
  const { db, ports, images, evidence, config, log, flushCounts, flush, broadcastUsage } = options
  const dataDir = getDataFolder(config)
  const { backupEvery } = config
  return [
    { name: 'usage-flush', intervalMs: USAGE_FLUSH_MS, runsOn: 'each', run: flushCounts },
    { name: 'key-use-flush', intervalMs: KEY_USE_FLUSH_MS, runsOn: 'each', run: flush },
    createCleanupJob(db, ports, images, evidence),
    createActivityJob(db),
    createStorageJob(db, ports),
    createAuditAnchorJob(db, ports, config, log),
    createWorkspaceDeletionJob(db, ports, log),
    createNameBlankingJob(db, ports),
    createRetentionJob(db, ports),
    createWorkspaceJobsJob(options.workspaceJobs),
    createImportJob(options.imports),
    createErasureJob(db, ports, evidence),
    createBatchJob(db, ports),
    createDeliveryJob(options.deliveries),
    ...(options.mail === null ? [] : [createMailJob(options.mail)]),
    ...(db.isShared
      ? [
          {
            name: 'rate-limit-sync',
            intervalMs: RATE_LIMIT_SYNC_MS,
            runsOn: 'each',
            run: broadcastUsage,
          } as const,
        ]
      : []),
    ...(dataDir !== null && backupEvery !== null
      ? [createBackupJob(dataDir, backupEvery, config, ports.now, log)]
      : []),
  ]
}
