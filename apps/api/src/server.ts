import type { FirstRunCode } from '@reeve/auth'
import { AppError } from '@reeve/core'
import { type Database, openDatabase } from '@reeve/db'
import { toErrorBody } from '@reeve/http'
import { createApp } from './app.ts'
import type { FindCommand } from './commands/command.ts'
import { resolvePublicUrl } from './config.ts'
import { type ControlSocket, openControlSocket } from './control-socket.ts'
import { createImageStore } from './images/store.ts'
import { CLEANUP_POLL_MS, runCleanup } from './jobs/cleanup.ts'
import type { ServerLog } from './log.ts'
import { realPorts as ports } from './ports.ts'
import { createTickBatcher } from './request-batching.ts'
import { type Config, getDataFolder, settings } from './settings.ts'

/** Far above our own limits, which answer in JSON; the engine's own refusal has no body. A body is never gathered whole. */
const ENGINE_BODY_LIMIT = 2 ** 40
/** Seconds without a byte either way, the work on an answer included: restoring a large archive is the longest. */
const IDLE_SECONDS = 120
/** How long calls under way have to end once the server is told to stop. */
const DRAIN_MS = 20_000
/** How long callers that keep a connection have to hear that it ends: what they have sent by then is still answered. */
const KEEP_ALIVE_GRACE_MS = 100
/** How long the last answers have to go out where the data cannot be relied on any more. */
const ABORT_GRACE_MS = 1000
/** A crash loses the counts of reads of this long at the most. */
const USAGE_FLUSH_MS = 1000
/** When a key was last used is for people to look at, so it may lag by this much: a busy instance has thousands of keys. */
const KEY_USE_FLUSH_MS = 30_000
/** How often processes over one database tell each other what they let callers through with. */
const RATE_SYNC_MS = 100

/** A server that answers. */
export interface RunningServer {
  /** Where it listens. */
  readonly url: string
  readonly publicUrl: URL
  /** The migrations that the start applied. */
  readonly applied: readonly string[]
  readonly db: Database
  readonly firstRunCode: FirstRunCode
  /** Null where commands do not reach it: there is no data folder, or its path is too long for a socket. */
  readonly controlSocket: ControlSocket | null
  /** Takes no more calls, lets those under way end, writes what has gathered, and closes the database. */
  readonly stop: () => Promise<void>
  /** Takes no more calls, lets answers go out for a moment, and leaves the data as it is: for `db.broken`. */
  readonly abort: () => Promise<void>
}

/**
 * Opens the database and answers calls on it.
 * @throws DataFolderError, DatabaseServerError, NewerSchemaError; Error with a sentence where it cannot listen
 */
export async function startServer(
  config: Config,
  log: ServerLog,
  findCommand: FindCommand,
): Promise<RunningServer> {
  const { database: db, applied } = await openDatabase(config, ports.now)
  try {
    return startWithDatabase({ db, applied }, config, log, findCommand)
  } catch (error) {
    await db.close()
    throw error
  }
}

function startWithDatabase(
  { db, applied }: Pick<RunningServer, 'db' | 'applied'>,
  config: Config,
  log: ServerLog,
  findCommand: FindCommand,
): RunningServer {
  const report = (error: unknown) => log.onFailure(error, '')
  const folder = getDataFolder(config)

  // The port is known once it listens, and no call is taken before this turn of the event loop ends.
  let handle: (request: Request) => Response | Promise<Response> = () => Response.json({})
  const nextBatch = createTickBatcher()
  const handleInBatch = async (request: Request) => {
    await nextBatch()
    return handle(request)
  }
  const server = listen(config, handleInBatch, report)
  const publicUrl = resolvePublicUrl(config, server.port ?? config.port)
  const { fetch, endStreams, flush, flushCounts, broadcastUsage, firstRunCode } = createApp({
    db,
    ports,
    images: createImageStore(config),
    settings: { ...config, publicUrl },
    legacyPrefix: config.legacyPrefix,
    corsOrigins: config.corsOrigins,
    observer: log,
    folder,
    backupEvery: config.backupEvery,
    metricsToken: config.metricsToken,
    getPeerIp: (request) => server.requestIP(request)?.address ?? '',
  })
  handle = fetch

  const instance = { db, ports, applied: [] }
  const controlSocket = folder === null ? null : openControlSocket(folder, { instance, findCommand, log })
  const timers = [
    runEvery(USAGE_FLUSH_MS, flushCounts, report),
    ...(db.isShared ? [runEvery(RATE_SYNC_MS, broadcastUsage, report)] : []),
    runEvery(KEY_USE_FLUSH_MS, flush, report),
    runEvery(CLEANUP_POLL_MS, () => runCleanup(db, ports), report),
  ]
  const stopTimers = () => {
    for (const timer of timers) clearInterval(timer)
  }

  return {
    url: resolvePublicUrl({ host: config.host, publicUrl: null }, server.port ?? config.port).origin,
    publicUrl,
    applied,
    db,
    firstRunCode,
    controlSocket,
    async stop() {
      handle = async (request) => withConnectionClose(await fetch(request))
      endStreams()
      await Bun.sleep(KEEP_ALIVE_GRACE_MS)
      const drainTimer = setTimeout(() => server.stop(true), DRAIN_MS)
      await Promise.all([server.stop(), controlSocket?.close()])
      clearTimeout(drainTimer)
      stopTimers()
      await flush()
      await db.close()
    },
    async abort() {
      stopTimers()
      endStreams()
      await Promise.race([server.stop(), Bun.sleep(ABORT_GRACE_MS)])
    },
  }
}

function listen(
  { host, port }: Pick<Config, 'host' | 'port'>,
  fetch: (request: Request) => Response | Promise<Response>,
  report: (error: unknown) => void,
) {
  try {
    return Bun.serve({
      hostname: host,
      port,
      fetch,
      development: false,
      maxRequestBodySize: ENGINE_BODY_LIMIT,
      idleTimeout: IDLE_SECONDS,
      error(error) {
        report(error)
        return Response.json(toErrorBody(new AppError('internal_error'), ''), { status: 500 })
      },
    })
  } catch (error) {
    throw new Error(toListenError(host, port, String((error as { code?: unknown }).code)))
  }
}

/** Why it cannot listen, and the way out. */
function toListenError(host: string, port: number, code: string): string {
  const advice = `Set ${settings.port.env} or --port to another one.`
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken by another program. ${advice}`
  if (code === 'EACCES') return `This user may not listen on port ${port}. ${advice}`
  return `It is not possible to listen on ${host}, port ${port} (${code}). Set ${settings.host.env} to an address of this machine.`
}

/** An answer that is the last of its connection, and says so: whoever kept it open sends the next request elsewhere. */
function withConnectionClose(response: Response): Response {
  response.headers.set('connection', 'close')
  return response
}

/** Does something again and again, never twice at a time. */
function runEvery(ms: number, task: () => Promise<unknown>, report: (error: unknown) => void) {
  let isBusy = false
  return setInterval(async () => {
    if (isBusy) return
    isBusy = true
    await task().catch(report)
    isBusy = false
  }, ms)
}
