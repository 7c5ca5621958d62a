import pino, { type Logger } from 'pino'
import type { Answered, Observer } from './observe.ts'
import type { Config } from './settings.ts'

/** A call that took longer than this, in milliseconds, is worth a line of its own. */
export const SLOW_MS = 250

const LEVELS = { log: 'info', quiet: 'debug' } as const

/**
 * The log: one JSON object a line on standard output, with the level by name and the time in UTC. Each line is out
 * before the call goes on, so that a crash loses none.
 */
export function openLog(level: Config['logLevel']): Logger {
  const out = pino.destination({ dest: 1, sync: true })
  // Whoever read the log has gone away; that is no reason to stop answering.
  out.on('error', () => {})
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    out,
  )
}

/** Who is told of what a server does: of calls, failures, and commands that came by its socket. */
export interface ServerLog extends Observer {
  /** @param outcome `ok`, or the code of the error it ended with */
  readonly command: (name: string, outcome: string) => void
}

/** A line a call. Addresses, headers, query strings and bodies stay out of it: they can hold secrets. */
export function logged(log: Logger): ServerLog {
  return {
    command(name, outcome) {
      log.info({ command: name, outcome }, 'command')
    },
    answered(call) {
      const level = isNotable(call) ? LEVELS.log : LEVELS.quiet
      if (log.isLevelEnabled(level)) log[level](lineOf(call), 'call')
    },
    failure(error, requestId) {
      log.error({ requestId, err: error }, 'failure')
    },
  }
}

const isNotable = ({ wrote, status, durationMs }: Answered): boolean =>
  wrote || status >= 400 || durationMs > SLOW_MS

const lineOf = (call: Answered) => ({
  requestId: call.requestId,
  method: call.method,
  route: call.route,
  status: call.status,
  durationMs: Math.round(call.durationMs * 100) / 100,
  workspace: call.workspaceId,
  actor: call.actorKind === 'system' ? '' : `${call.actorKind}:${call.actorId}`,
})
