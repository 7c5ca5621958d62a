import pino, { type Logger } from 'pino'
import type { BackupLog } from './jobs/automatic-backup.ts'
import type { CompletedRequest, Observer } from './request-observer.ts'
import type { Config } from './settings.ts'

/** Requests that took longer than this, in milliseconds, are logged at `info`. */
export const SLOW_MS = 250

const LEVELS = { log: 'info', quiet: 'debug' } as const

/**
 * The log: one JSON object per line on standard output, with the level by name and the time in UTC. Lines are written
 * synchronously, so a crash loses none.
 */
export function createLogger(level: Config['logLevel']): Logger {
  const destination = pino.destination({ dest: 1, sync: true })
  // The reader of the log has exited. The server keeps running.
  destination.on('error', () => {})
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
}

/** Logs requests, failures, backups, and commands from the control socket. */
export interface ServerLog extends Observer, BackupLog {
  /** @param outcome `ok`, or the code of the error it ended with */
  readonly onCommand: (name: string, outcome: string) => void
  readonly onJobFailure: (job: string, error: unknown) => void
}

/** Writes one line per request. IP addresses, headers, query strings and bodies are left out: they can contain secrets. */
export function createServerLog(log: Logger): ServerLog {
  return {
    onCommand(name, outcome) {
      log.info({ command: name, outcome }, 'command')
    },
    onResponse(request) {
      const level = isNotable(request) ? LEVELS.log : LEVELS.quiet
      if (log.isLevelEnabled(level)) log[level](toLogLine(request), 'request')
    },
    onFailure(error, requestId) {
      log.error({ requestId, err: error }, 'failure')
    },
    onJobFailure(job, error) {
      log.error({ job, err: error }, 'failure')
    },
    onBackup(fields) {
      log.info(fields, 'backup')
    },
    onBackupFailure(fields) {
      log.error(fields, 'backup failed')
    },
    onUploadFailure(fields) {
      log.error(fields, 'backup upload failed')
    },
  }
}

const isNotable = ({ hasWritten, status, durationMs }: CompletedRequest): boolean =>
  hasWritten || status >= 400 || durationMs > SLOW_MS

const toLogLine = (request: CompletedRequest) => ({
  requestId: request.requestId,
  method: request.method,
  route: request.route,
  status: request.status,
  durationMs: Math.round(request.durationMs * 100) / 100,
  workspace: request.workspaceId,
  actor: request.actorKind === 'system' ? '' : `${request.actorKind}:${request.actorId}`,
})
