import pino, { type Logger } from 'pino'
import type { CompletedRequest, Observer } from './request-observer.ts'
import type { Config } from './settings.ts'

/** A call that took longer than this, in milliseconds, is worth a line of its own. */
export const SLOW_MS = 250

const LEVELS = { log: 'info', quiet: 'debug' } as const

/**
 * The log: one JSON object a line on standard output, with the level by name and the time in UTC. Each line is out
 * before the call goes on, so that a crash loses none.
 */
export function createLogger(level: Config['logLevel']): Logger {
  const destination = pino.destination({ dest: 1, sync: true })
  // Whoever read the log has gone away; that is no reason to stop answering.
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

/** Who is told of what a server does: of calls, failures, and commands that came by its socket. */
export interface ServerLog extends Observer {
  /** @param outcome `ok`, or the code of the error it ended with */
  readonly onCommand: (name: string, outcome: string) => void
}

/** A line a call. Addresses, headers, query strings and bodies stay out of it: they can hold secrets. */
export function createServerLog(log: Logger): ServerLog {
  return {
    onCommand(name, outcome) {
      log.info({ command: name, outcome }, 'command')
    },
    onResponse(request) {
      const level = isNotable(request) ? LEVELS.log : LEVELS.quiet
      if (log.isLevelEnabled(level)) log[level](toLogLine(request), 'call')
    },
    onFailure(error, requestId) {
      log.error({ requestId, err: error }, 'failure')
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
