import { hasAccounts } from '@reeve/auth'
import { localCommand } from '../command-line/command.ts'
import { listWarnings, readConfig } from '../config.ts'
import { describeRestartFailure, keepsFreedMemory } from '../freed-memory.ts'
import { createLogger, createServerLog, writeFatalFailure, writeLine } from '../log.ts'
import type { LogFields, LogLineName } from '../log-lines.ts'
import { systemPorts } from '../ports.ts'
import { type RunningServer, startServer } from '../server.ts'
import { getDataFolder, type SettingName, settings } from '../settings.ts'
import { connectServiceManager, readWatchdogTimeout } from '../systemd/service-manager.ts'
import { startWatchdog } from '../systemd/watchdog.ts'
import { BUILD, VERSION } from '../version.ts'

/** Writes a startup message to the log at any log level, and as plain text to a terminal. */
type Notify = <Name extends LogLineName>(name: Name, message: string, fields: LogFields<Name>) => void

const UNCONFIRMED_WRITE =
  'The disk did not confirm a write, so the server is stopping: the state of the data on disk is unknown. Check the disk, ' +
  'then start the server again. Every write that was confirmed to a client is stored.'

const CONNECTION_LIMIT =
  'The database server refuses more connections, because a connection limit is reached. Requests wait for the connections that are ' +
  'open. Raise the limit (max_connections, or that of the role or database), or use a pooler: see docs/scaling.md.'

/** SIGHUP: the terminal was closed. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** Terminals and supervisors that forward signals can deliver the same signal twice; a second one within this time is ignored. */
const SIGNAL_DEBOUNCE_MS = 500

/** Resolves at the first shutdown signal. A second one exits the process immediately. */
function waitForShutdownSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | null = null
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        if (first !== null && performance.now() - first > SIGNAL_DEBOUNCE_MS) process.exit(1)
        first ??= performance.now()
        resolve(signal)
      })
    }
  })
}

export const serveCommand = localCommand({
  options: {},
  settings: Object.keys(settings) as SettingName[],
  readsAllSettings: true,
  async run({ flags, env, findCommand }) {
    const config = readConfig(flags, env)
    const log = createLogger(config.logLevel)
    const infoLog = log.child({}, { level: 'info' })
    const notify: Notify = (name, message, fields) => {
      writeLine(infoLog, name, fields, message)
      if (process.stderr.isTTY) process.stderr.write(`${message}\n`)
    }
    process.on('unhandledRejection', (error) => writeLine(log, 'failure', { err: error }))
    process.on('uncaughtException', (error) => {
      writeFatalFailure(log, error)
      process.exit(1)
    })
    const warn = (message: string) => writeLine(log, 'warning', {}, message)
    for (const warning of listWarnings(config, env)) warn(warning)
    if (!keepsFreedMemory(env)) warn(describeRestartFailure())
    const shutdownSignal = waitForShutdownSignal()
    const manager = await connectServiceManager(env, warn)
    manager.setStatus('Opening the database')
    const server = await startServer(config, createServerLog(log), findCommand)
    const folder = getDataFolder(config)
    server.db.onConnectionLimit((open) =>
      writeLine(log, 'connection limit', { openConnections: open }, CONNECTION_LIMIT),
    )
    await announceStartup(server, folder, notify)
    if (folder !== null && !server.controlSocket) {
      warn(
        'The path of the data folder is too long for a control socket. Stop the server before you run other commands.',
      )
    }
    const status = `Serving ${server.publicUrl.origin}`
    manager.notifyReady(status)
    const timeoutMs = readWatchdogTimeout(env, process.pid)
    const stopWatchdog =
      timeoutMs === null
        ? null
        : startWatchdog({ db: server.db, ports: systemPorts, manager, timeoutMs, status })
    const reason = await Promise.race([shutdownSignal, server.db.fatalError])
    stopWatchdog?.()
    if (reason instanceof Error) {
      manager.notifyStopping('The disk did not confirm a write')
      writeLine(log, 'disk', { err: reason }, UNCONFIRMED_WRITE)
      await server.abort()
      throw new Error(UNCONFIRMED_WRITE)
    }
    writeLine(log, 'stopping', { signal: reason })
    manager.notifyStopping('Finishing requests in progress')
    await server.stop()
    writeLine(log, 'stopped', {})
    return {}
  },
  print: () => '',
})

async function announceStartup(server: RunningServer, folder: string | null, notify: Notify): Promise<void> {
  const { url, metricsUrl, publicUrl, applied, db, firstRunCode } = server
  notify('listening', `Reeve is listening on ${url}`, {
    url,
    publicUrl: publicUrl.origin,
    ...(metricsUrl === null ? {} : { metricsUrl }),
    ...(folder === null ? { database: db.engine() } : { dataDir: folder }),
    version: VERSION,
    ...(BUILD === null ? {} : { commit: BUILD.commit }),
    ...(applied.length > 0 ? { applied } : {}),
  })
  if (await hasAccounts(db.read)) return
  notify(
    'setup',
    `No account exists yet. Open ${publicUrl.origin} and enter the code ${firstRunCode.text}, or run \`reeve init\`.`,
    { firstRunCode: firstRunCode.text },
  )
}
