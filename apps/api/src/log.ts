import pino, { type Logger } from 'pino'
import type { BackupLog } from './jobs/automatic-backup.ts'
import { type LogFields, type LogLineName, logLines } from './log-lines.ts'
import type { CompletedRequest, Observer } from './request-observer.ts'
import type { Config } from './settings.ts'

/** Requests that took longer than this, in milliseconds, are logged at `info`. */
export const SLOW_MS = 250

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

/** Writes a line at its level. @param message if it is not the name of the line */
export const writeLine = <Name extends LogLineName>(
  log: Logger,
  name: Name,
  fields: LogFields<Name>,
  message: string = name,
): void => log[logLines[name].level](fields as object, message)

/** Writes a failure of the whole process. */
export const writeFatalFailure = (log: Logger, error: unknown): void => log.fatal({ err: error }, 'failure')

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
      writeLine(log, 'command', { command: name, outcome })
    },
    onResponse(request) {
      if (isNotable(request)) {
        if (log.isLevelEnabled('info')) writeLine(log, 'request', toLogLine(request))
      } else if (log.isLevelEnabled('debug')) log.debug(toLogLine(request), 'request')
    },
    onFailure(error, requestId) {
      writeLine(log, 'failure', { requestId, err: error })
    },
    onJobFailure(job, error) {
      writeLine(log, 'failure', { job, err: error })
    },
    onBackup(fields) {
      writeLine(log, 'backup', fields)
    },
    onBackupFailure(fields) {
      writeLine(log, 'backup failed', fields)
    },
    onUploadFailure(fields) {
      writeLine(log, 'backup upload failed', fields)
    },
  }
}

const isNotable = ({ hasWritten, status, durationMs }: CompletedRequest): boolean =>
  hasWritten || status >= 400 || durationMs > SLOW_MS

const toLogLine = (request: CompletedRequest): LogFields<'request'> => ({
  requestId: request.requestId,
  method: request.method,
  route: request.route,
  status: request.status,
  durationMs: Math.round(request.durationMs * 100) / 100,
  workspace: request.workspaceId,
  actor: request.actorKind === 'system' ? '' : `${request.actorKind}:${request.actorId}`,
  ...request.trace,
})
