import { setPriority } from 'node:os'
import { MINUTE_MS } from '@reeve/core'
import { resolveBackupFolder } from '../backups/destination.ts'
import { readLastBackup } from '../backups/last-backup.ts'
import type { OffsiteBackup } from '../backups/offsite/upload.ts'
import type { LogFields } from '../log-lines.ts'
import { programCommand } from '../program-command.ts'
import type { Config } from '../settings.ts'
import { type Job, LoggedJobFailure } from './scheduler.ts'

/** The longest delay before a failed backup is retried. */
const RETRY_MS = 10 * MINUTE_MS
/** The server has priority when CPU time is short. Source: nice(1), 10 of 19. */
const LOW_PRIORITY = 10

export interface BackupLog {
  readonly onBackup: (fields: LogFields<'backup'>) => void
  readonly onBackupFailure: (fields: LogFields<'backup failed'>) => void
  /** The backup exists on this machine only. */
  readonly onUploadFailure: (fields: LogFields<'backup upload failed'>) => void
}

type BackupConfig = Pick<Config, 'backupDir' | 'backupKeep'>

/**
 * Backs up a data folder in a child process, so that requests are not delayed. The first run starts immediately if the last
 * backup, by any process, is older than the interval.
 * @param intervalMs from the end of one backup to the start of the next
 */
export function createBackupJob(
  dataDir: string,
  intervalMs: number,
  config: BackupConfig,
  now: () => number,
  log: BackupLog,
): Job {
  const lastAt = readLastBackup(dataDir).made?.at ?? 0
  // After a clock was set back, the first backup still waits for no more than one interval.
  let delayMs = Math.min(intervalMs, Math.max(0, lastAt + intervalMs - now()))
  return {
    name: 'backup',
    intervalMs,
    runsOn: 'each',
    getDelayMs: () => delayMs,
    async run(signal) {
      let succeeded = false
      try {
        succeeded = await logOutcome(startBackup(dataDir, config, signal), log, signal)
      } catch (error) {
        log.onBackupFailure({ err: error })
      }
      delayMs = succeeded ? intervalMs : Math.min(intervalMs, RETRY_MS)
      if (!succeeded && !signal.aborted) throw new LoggedJobFailure()
    },
  }
}

/** Starts a backup, which the signal ends. */
function startBackup(dataDir: string, config: BackupConfig, signal: AbortSignal) {
  const folder = resolveBackupFolder(config, dataDir)
  const child = Bun.spawn([...programCommand(), 'backup', '--json', '--data-dir', dataDir], {
    env: { ...process.env, REEVE_BACKUP_DIR: folder, REEVE_BACKUP_KEEP: String(config.backupKeep) },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    signal,
  })
  try {
    setPriority(child.pid, LOW_PRIORITY)
  } catch {
    // The child has already exited, or its priority may not be changed here. Its outcome is what matters.
  }
  return child
}

/** Logs the outcome of a backup. @returns whether a backup was created */
async function logOutcome(
  child: ReturnType<typeof startBackup>,
  log: BackupLog,
  signal: AbortSignal,
): Promise<boolean> {
  const startedAt = performance.now()
  const [out, err, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (signal.aborted) return false
  const durationMs = Math.round(performance.now() - startedAt)
  const { file, bytes, removed, faults = [], offsite, error } = parseOutput(out) ?? parseOutput(err) ?? {}
  if (offsite?.problem) log.onUploadFailure({ problem: offsite.problem, file, durationMs })
  if (exitCode === 0 || (offsite?.problem && faults.length === 0)) {
    const uploaded = offsite?.object ? { object: offsite.object, removedObjects: offsite.removed } : {}
    log.onBackup({ file, bytes, removed, ...uploaded, durationMs })
    return true
  }
  const problem =
    faults.length > 0 ? faults.join(' ') : (error ?? (err.trim() || `It exited with status ${exitCode}.`))
  log.onBackupFailure({ problem, ...(file === undefined ? {} : { file }), durationMs })
  // A backup of an instance with faults is still a backup: the next one is due after the full interval.
  return file !== undefined
}

interface BackupOutput {
  readonly file?: string
  readonly bytes?: number
  readonly removed?: readonly string[]
  readonly faults?: readonly string[]
  readonly offsite?: OffsiteBackup | null
  readonly error?: string
}

function parseOutput(text: string): BackupOutput | null {
  try {
    return JSON.parse(text) as BackupOutput
  } catch {
    return null
  }
}
