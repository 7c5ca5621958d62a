import { setPriority } from 'node:os'
import type { Config } from '../settings.ts'
import { defaultFolder } from './destination.ts'
import { readLastBackup } from './last-backup.ts'

/** How soon a backup that failed is tried again, at the latest. */
const RETRY_MS = 600_000
/** The server comes first where the processor is short. Source: nice(1), 10 of 19. */
const LOW_PRIORITY = 10

/** Who is told of backups. */
export interface BackupLog {
  readonly info: (fields: object, message: string) => void
  readonly error: (fields: object, message: string) => void
}

export interface BackupSchedule {
  /** Ends a backup under way; what it left is removed by the next one. */
  readonly stop: () => Promise<void>
}

type ScheduleConfig = Pick<Config, 'backupEvery' | 'backupDir' | 'backupKeep'>

/** This program, to be started again: a single file, or the runtime and its script. */
const programCommand = (): string[] =>
  Bun.main.startsWith('/$bunfs/') ? [process.execPath] : [process.execPath, Bun.main]

/**
 * Makes backups of a data folder, if there is one, while it is served, each in a process of its own, so that no call waits for it. The
 * first is made at once where the last one is long enough ago, whichever process made that.
 */
export function scheduleBackups(
  dataDir: string | null,
  config: ScheduleConfig,
  now: () => number,
  log: BackupLog,
): BackupSchedule {
  const { backupEvery: interval } = config
  if (interval === null || dataDir === null) return { stop: async () => {} }
  let timer: ReturnType<typeof setTimeout> | undefined
  let child: ReturnType<typeof startBackup> | undefined
  let currentRun: Promise<void> = Promise.resolve()
  let isStopped = false

  /** Makes a backup, and sees to the next one. Nothing that goes wrong here may reach the server. */
  const runBackup = async () => {
    let succeeded = false
    try {
      child = startBackup(dataDir, config)
      succeeded = await logOutcome(child, log, () => isStopped)
    } catch (error) {
      log.error({ err: error }, 'backup failed')
    }
    child = undefined
    scheduleNext(succeeded ? interval : Math.min(interval, RETRY_MS))
  }
  const scheduleNext = (delayMs: number) => {
    if (isStopped) return
    timer = setTimeout(() => {
      currentRun = runBackup()
    }, delayMs)
  }
  const lastAt = readLastBackup(dataDir).made?.at ?? 0
  // A clock that was set back must not put it off for longer than it would have waited anyway.
  scheduleNext(Math.min(interval, Math.max(0, lastAt + interval - now())))

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      child?.kill()
      await currentRun
    },
  }
}

function startBackup(dataDir: string, { backupDir, backupKeep }: ScheduleConfig) {
  const folder = backupDir ?? defaultFolder(dataDir)
  const child = Bun.spawn([...programCommand(), 'backup', '--json', '--data-dir', dataDir], {
    env: { ...process.env, REEVE_BACKUP_DIR: folder, REEVE_BACKUP_KEEP: String(backupKeep) },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  try {
    setPriority(child.pid, LOW_PRIORITY)
  } catch {
    // It has ended already, or may not be slowed down here: its outcome is what counts.
  }
  return child
}

/** Logs what came of a backup. @returns whether it was made */
async function logOutcome(
  child: ReturnType<typeof startBackup>,
  log: BackupLog,
  isStopped: () => boolean,
): Promise<boolean> {
  const startedAt = performance.now()
  const [out, err, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (isStopped()) return false
  const durationMs = Math.round(performance.now() - startedAt)
  const { file, bytes, removed, faults = [], error } = parseOutput(out) ?? parseOutput(err) ?? {}
  if (exitCode === 0) {
    log.info({ file, bytes, removed, durationMs }, 'backup')
    return true
  }
  const problem =
    faults.length > 0 ? faults.join(' ') : (error ?? (err.trim() || `it ended with ${exitCode}`))
  log.error({ problem, ...(file === undefined ? {} : { file }), durationMs }, 'backup failed')
  // A copy of an instance that has faults is a backup still; the next one is due when it is due.
  return file !== undefined
}

interface BackupOutput {
  readonly file?: string
  readonly bytes?: number
  readonly removed?: readonly string[]
  readonly faults?: readonly string[]
  readonly error?: string
}

function parseOutput(text: string): BackupOutput | null {
  try {
    return JSON.parse(text) as BackupOutput
  } catch {
    return null
  }
}
