import type { RekeyReport } from '@reeve/audit'
import type { ProviderFailure } from '@reeve/auth'
import pino, { type Logger } from 'pino'
import type { AnchorLog } from './jobs/audit-anchors.ts'
import type { BackupLog } from './jobs/automatic-backup.ts'
import type { DeletionLog } from './jobs/workspace-deletion.ts'
import { type LogFields, type LogLineName, logLines } from './log-lines.ts'
import type { MailOutcome } from './mail/job.ts'
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
export interface ServerLog extends Observer, BackupLog, AnchorLog, DeletionLog {
  /** @param outcome `ok`, or the code of the error it ended with */
  readonly onCommand: (name: string, outcome: string) => void
  /** An audit log that was written without the secret key is keyed now. */
  readonly onAuditKeyed: (report: RekeyReport) => void
  readonly onJobFailure: (job: string, error: unknown) => void
  readonly onProviderFailure: (failure: ProviderFailure) => void
  readonly onMail: (outcome: MailOutcome) => void
  /** What requests or the clock say about a mistake in the deployment. */
  readonly onWarning: (message: string) => void
}

const AUDIT_KEYED =
  'The audit log was written without a key, and is keyed now. It proves what happens from now on. If this instance had a keyed log ' +
  'before, somebody has changed its database: compare it with the anchors (reeve audit verify --anchors).'

const ROTATION_FINISHED =
  'A rotation of the secret key was interrupted, and is finished now: the audit log is authenticated with the new key.'

/**
 * Writes one line per request. IP addresses (other than those of failed sign-ins), headers, query strings and bodies are left out: they
 * can contain secrets.
 */
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
    onSignIn() {},
    onSignInFailure({ ip, username, reason, accountId, requestId }) {
      writeLine(log, 'sign-in failed', { ip, username, reason, account: accountId ?? '', requestId })
    },
    onAuditKeyed({ rows, faults, isRotation }) {
      const message = isRotation ? ROTATION_FINISHED : AUDIT_KEYED
      writeLine(log, 'audit log keyed', { rows, brokenChains: faults }, message)
    },
    onAnchors(chains) {
      writeLine(log, 'audit anchors', { chains })
    },
    onWorkspaceDeleted(fields) {
      writeLine(log, 'workspace deleted', fields)
    },
    onJobFailure(job, error) {
      writeLine(log, 'failure', { job, err: error })
    },
    onProviderFailure(failure) {
      writeLine(log, 'identity provider', failure)
    },
    onMail({ result, kind, attempts, problem }) {
      if (result === 'sent') return
      writeLine(log, 'mail failed', { kind, attempts, problem, isGivenUp: result === 'failed' })
    },
    onWarning(message) {
      writeLine(log, 'warning', {}, message)
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
