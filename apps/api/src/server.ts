import type { FirstRunCode } from '@reeve/auth'
import { AppError } from '@reeve/core'
import { type Database, openDatabase } from '@reeve/db'
import { toErrorBody } from '@reeve/http'
import { createApp } from './app.ts'
import { type CommandDoor, openCommandDoor } from './command-socket.ts'
import type { CommandNamed } from './commands/command.ts'
import { publicUrlOf } from './config.ts'
import { HOUSEKEEPING_LOOK_MS, keepHouse } from './housekeeping.ts'
import { imageStore } from './images/store.ts'
import type { ServerLog } from './log.ts'
import { realPorts as ports } from './ports.ts'
import { type Config, folderOf, settings } from './settings.ts'
import { turns } from './turn.ts'

/** Far above our own limits, which answer in JSON; the engine's own refusal has no body. A body is never gathered whole. */
const ENGINE_BODY_LIMIT = 2 ** 40
/** Seconds without a byte either way, the work on an answer included: restoring a large archive is the longest. */
const IDLE_SECONDS = 120
/** How long calls under way have to end once the server is told to stop. */
const DRAIN_MS = 20_000
/** How long callers that keep a connection have to hear that it ends: what they have sent by then is still answered. */
const LAST_CALLS_MS = 100
/** How long the last answers have to go out where the data cannot be relied on any more. */
const ABANDON_MS = 1000
/** A crash loses the counts of reads of this long at the most. */
const COUNTS_MS = 1000
/** When a key was last used is for people to look at, so it may lag by this much: a busy instance has thousands of keys. */
const LAST_USES_MS = 30_000
/** How often processes over one database tell each other what they let callers through with. */
const RATES_MS = 100

/** A server that answers. */
export interface Running {
  /** Where it listens. */
  readonly url: string
  readonly publicUrl: URL
  /** The migrations that the start applied. */
  readonly applied: readonly string[]
  readonly db: Database
  readonly firstRunCode: FirstRunCode
  /** Null where commands do not reach it: there is no data folder, or its path is too long for a socket. */
  readonly commands: CommandDoor | null
  /** Takes no more calls, lets those under way end, writes what has gathered, and closes the database. */
  readonly stop: () => Promise<void>
  /** Takes no more calls, lets answers go out for a moment, and leaves the data as it is: for `db.broken`. */
  readonly abandon: () => Promise<void>
}

/**
 * Opens the database and answers calls on it.
 * @throws DataFolderError, DatabaseServerError, NewerSchemaError; Error with a sentence where it cannot listen
 */
export async function startServer(
  config: Config,
  log: ServerLog,
  commandNamed: CommandNamed,
): Promise<Running> {
  const { database: db, applied } = await openDatabase(config, ports.now)
  try {
    return startOn({ db, applied }, config, log, commandNamed)
  } catch (error) {
    await db.close()
    throw error
  }
}

function startOn(
  { db, applied }: Pick<Running, 'db' | 'applied'>,
  config: Config,
  log: ServerLog,
  commandNamed: CommandNamed,
): Running {
  const report = (error: unknown) => log.failure(error, '')
  const folder = folderOf(config)

  // The port is known once it listens, and no call is taken before this turn of the event loop ends.
  let answer: (request: Request) => Response | Promise<Response> = () => Response.json({})
  const nextTurn = turns()
  const inTurn = async (request: Request) => {
    await nextTurn()
    return answer(request)
  }
  const server = listen(config, inTurn, report)
  const publicUrl = publicUrlOf(config, server.port ?? config.port)
  const { fetch, endStreams, flush, flushCounts, tellRates, firstRunCode } = createApp({
    db,
    ports,
    images: imageStore(config),
    settings: { ...config, publicUrl },
    legacyPrefix: config.legacyPrefix,
    corsOrigins: config.corsOrigins,
    observer: log,
    folder,
    backupEvery: config.backupEvery,
    metricsToken: config.metricsToken,
    peerOf: (request) => server.requestIP(request)?.address ?? '',
  })
  answer = fetch

  const instance = { db, ports, applied: [] }
  const commands = folder === null ? null : openCommandDoor(folder, { instance, commandNamed, log })
  const timers = [
    every(COUNTS_MS, flushCounts, report),
    ...(db.isShared ? [every(RATES_MS, tellRates, report)] : []),
    every(LAST_USES_MS, flush, report),
    every(HOUSEKEEPING_LOOK_MS, () => keepHouse(db, ports), report),
  ]
  const stopTimers = () => {
    for (const timer of timers) clearInterval(timer)
  }

  return {
    url: publicUrlOf({ host: config.host, publicUrl: null }, server.port ?? config.port).origin,
    publicUrl,
    applied,
    db,
    firstRunCode,
    commands,
    async stop() {
      answer = async (request) => lastOf(await fetch(request))
      endStreams()
      await Bun.sleep(LAST_CALLS_MS)
      const limit = setTimeout(() => server.stop(true), DRAIN_MS)
      await Promise.all([server.stop(), commands?.close()])
      clearTimeout(limit)
      stopTimers()
      await flush()
      await db.close()
    },
    async abandon() {
      stopTimers()
      endStreams()
      await Promise.race([server.stop(), Bun.sleep(ABANDON_MS)])
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
    throw new Error(whyNot(host, port, String((error as { code?: unknown }).code)))
  }
}

/** Why it cannot listen, and the way out. */
function whyNot(host: string, port: number, code: string): string {
  const another = `Set ${settings.port.env} or --port to another one.`
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is taken by another program. ${another}`
  if (code === 'EACCES') return `This user may not listen on port ${port}. ${another}`
  return `It is not possible to listen on ${host}, port ${port} (${code}). Set ${settings.host.env} to an address of this machine.`
}

/** An answer that is the last of its connection, and says so: whoever kept it open sends the next request elsewhere. */
function lastOf(response: Response): Response {
  response.headers.set('connection', 'close')
  return response
}

/** Does something again and again, never twice at a time. */
function every(ms: number, work: () => Promise<unknown>, report: (error: unknown) => void) {
  let isBusy = false
  return setInterval(async () => {
    if (isBusy) return
    isBusy = true
    await work().catch(report)
    isBusy = false
  }, ms)
}
