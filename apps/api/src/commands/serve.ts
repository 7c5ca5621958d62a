import { hasAccounts } from '@reeve/auth'
import { scheduleBackups } from '../backups/schedule.ts'
import { readConfig, warningsOf } from '../config.ts'
import { logged, openLog } from '../log.ts'
import { realPorts } from '../ports.ts'
import { type Running, startServer } from '../server.ts'
import { folderOf, type SettingName, settings } from '../settings.ts'
import { VERSION } from '../version.ts'
import { here } from './command.ts'

/** What `serve` tells: into the log whatever its level, and to a person who watches in plain words too. */
type Tell = (message: string, facts: object) => void

const UNCONFIRMED =
  'The disk did not confirm a write, so the server stops rather than guess what is on it. Look to the disk, then start ' +
  'again: every write that was answered with success is kept.'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const
/** Terminals and the programs that pass signals on send the same one twice within moments; that is not impatience. */
const ECHO_MS = 500

/** Resolves at the first signal to stop; another one ends the process at once. */
function toldToStop(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | null = null
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        if (first !== null && performance.now() - first > ECHO_MS) process.exit(1)
        first ??= performance.now()
        resolve(signal)
      })
    }
  })
}

export const serve = here({
  options: {},
  settings: Object.keys(settings) as SettingName[],
  async run({ flags, env, commandNamed }) {
    const config = readConfig(flags, env)
    const log = openLog(config.logLevel)
    const always = log.child({}, { level: 'info' })
    const tell: Tell = (message, facts) => {
      always.info(facts, message)
      if (process.stderr.isTTY) process.stderr.write(`${message}\n`)
    }
    process.on('unhandledRejection', (error) => log.error({ err: error }, 'failure'))
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'failure')
      process.exit(1)
    })
    for (const warning of warningsOf(config, env)) log.warn(warning)
    const stopped = toldToStop()
    const running = await startServer(config, logged(log), commandNamed)
    const folder = folderOf(config)
    await announce(running, folder, tell)
    if (folder !== null && !running.commands) {
      log.warn(
        'The path of the data folder is too long for a socket: commands need the server to be stopped.',
      )
    }
    const backups = scheduleBackups(folder, config, realPorts.now, log)
    const why = await Promise.race([stopped, running.db.fatalError])
    await backups.stop()
    if (why instanceof Error) {
      log.fatal({ err: why }, UNCONFIRMED)
      await running.abandon()
      throw new Error(UNCONFIRMED)
    }
    log.info({ signal: why }, 'stopping')
    await running.stop()
    log.info('stopped')
    return {}
  },
  print: () => '',
})

async function announce(running: Running, folder: string | null, tell: Tell): Promise<void> {
  const { url, publicUrl, applied, db, firstRunCode } = running
  tell(`Reeve answers at ${url}`, {
    url,
    publicUrl: publicUrl.origin,
    ...(folder === null ? { database: db.engine() } : { dataDir: folder }),
    version: VERSION,
    ...(applied.length > 0 ? { applied } : {}),
  })
  if (await hasAccounts(db.read)) return
  tell(
    `There is no account yet: open ${publicUrl.origin} and enter the code ${firstRunCode.text}, or run \`reeve init\`.`,
    { firstRunCode: firstRunCode.text },
  )
}
