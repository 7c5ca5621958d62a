import { hasAccounts } from '@reeve/auth'
import { scheduleBackups } from '../backups/schedule.ts'
import { listWarnings, readConfig } from '../config.ts'
import { createLogger, createServerLog } from '../log.ts'
import { realPorts } from '../ports.ts'
import { type RunningServer, startServer } from '../server.ts'
import { getDataFolder, type SettingName, settings } from '../settings.ts'
import { VERSION } from '../version.ts'
import { localCommand } from './command.ts'

/** What `serve` tells: into the log whatever its level, and to a person who watches in plain words too. */
type Notify = (message: string, fields: object) => void

const UNCONFIRMED_WRITE =
  'The disk did not confirm a write, so the server stops rather than guess what is on it. Look to the disk, then start ' +
  'again: every write that was answered with success is kept.'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const
/** Terminals and the programs that pass signals on send the same one twice within moments; that is not impatience. */
const SIGNAL_DEBOUNCE_MS = 500

/** Resolves at the first signal to stop; another one ends the process at once. */
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
  async run({ flags, env, findCommand }) {
    const config = readConfig(flags, env)
    const log = createLogger(config.logLevel)
    const infoLog = log.child({}, { level: 'info' })
    const notify: Notify = (message, fields) => {
      infoLog.info(fields, message)
      if (process.stderr.isTTY) process.stderr.write(`${message}\n`)
    }
    process.on('unhandledRejection', (error) => log.error({ err: error }, 'failure'))
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'failure')
      process.exit(1)
    })
    for (const warning of listWarnings(config, env)) log.warn(warning)
    const shutdownSignal = waitForShutdownSignal()
    const server = await startServer(config, createServerLog(log), findCommand)
    const folder = getDataFolder(config)
    await announceStartup(server, folder, notify)
    if (folder !== null && !server.controlSocket) {
      log.warn(
        'The path of the data folder is too long for a socket: commands need the server to be stopped.',
      )
    }
    const backupSchedule = scheduleBackups(folder, config, realPorts.now, log)
    const reason = await Promise.race([shutdownSignal, server.db.fatalError])
    await backupSchedule.stop()
    if (reason instanceof Error) {
      log.fatal({ err: reason }, UNCONFIRMED_WRITE)
      await server.abort()
      throw new Error(UNCONFIRMED_WRITE)
    }
    log.info({ signal: reason }, 'stopping')
    await server.stop()
    log.info('stopped')
    return {}
  },
  print: () => '',
})

async function announceStartup(server: RunningServer, folder: string | null, notify: Notify): Promise<void> {
  const { url, publicUrl, applied, db, firstRunCode } = server
  notify(`Reeve answers at ${url}`, {
    url,
    publicUrl: publicUrl.origin,
    ...(folder === null ? { database: db.engine() } : { dataDir: folder }),
    version: VERSION,
    ...(applied.length > 0 ? { applied } : {}),
  })
  if (await hasAccounts(db.read)) return
  notify(
    `There is no account yet: open ${publicUrl.origin} and enter the code ${firstRunCode.text}, or run \`reeve init\`.`,
    { firstRunCode: firstRunCode.text },
  )
}
