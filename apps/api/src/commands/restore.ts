import { resolve } from 'node:path'
import { DataFolderError, hasInstance } from '@reeve/db'
import { assertNotInUse, checkBackup, describeBackup, installBackup } from '../backups/restore.ts'
import { readSettings } from '../config.ts'
import { realPorts } from '../ports.ts'
import { getDataFolder, settings } from '../settings.ts'
import { databaseServerMessage, localCommand, required, switchOption } from './command.ts'

const pathCodec = { read: (text: string): string => resolve(text) }

/** Checks the backup, copies it, then replaces the database atomically. The old database is kept under another name. */
export const restoreCommand = localCommand({
  options: {
    from: required('<file>', 'the backup file', pathCodec),
    check: switchOption('check the backup and print a summary; change nothing'),
    create: switchOption('restore to a folder that contains no instance yet'),
    withFaults: switchOption('restore a backup even if its audit log or references have faults'),
  },
  settings: ['dataDir', 'databaseUrl'],
  async run({ flags, env, progress }, { from, check, create, withFaults }) {
    const dataDir = getDataFolder(readSettings(['dataDir', 'databaseUrl'], flags, env))
    if (dataDir === null) throw new DataFolderError(databaseServerMessage('such as pg_restore'))
    if (!check) {
      assertExpectedFolder(dataDir, create)
      progress.step(`Restoring to ${dataDir}`)
      assertNotInUse(dataDir)
    }
    const checked = await checkBackup(from, progress)
    progress.step(describeBackup(checked))
    if (check) return { ...checked, dataDir: null, keptAside: null }
    if (checked.faults.length > 0 && !withFaults) {
      throw new Error(
        `${from} has faults: ${checked.faults.join(' ')} Nothing was changed. Choose another backup, or restore this one ` +
          'with --with-faults.',
      )
    }
    const keptAside = await installBackup(checked, dataDir, realPorts.now, progress)
    return { ...checked, dataDir, keptAside }
  },
  print: ({ dataDir, keptAside, faults }) =>
    [
      ...faults,
      ...(dataDir === null
        ? ['Nothing was changed.']
        : [
            `Restored the backup to ${dataDir}.`,
            ...(keptAside === null
              ? []
              : [`The old database is kept as ${keptAside}. Remove it when you no longer need it.`]),
            'API keys, sessions, passwords and bans are as they were at the time of the backup: repeat any revocation made since.',
          ]),
    ].join('\n'),
  exitCode: ({ faults, dataDir }) => (faults.length > 0 && dataDir === null ? 1 : 0),
})

/** A folder without an instance is usually the wrong one: the default folder depends on the current one. */
function assertExpectedFolder(dataDir: string, create: boolean): void {
  if (create || hasInstance(dataDir)) return
  throw new DataFolderError(
    `${dataDir} contains no instance; nothing was changed. Name the data folder with --data-dir or ` +
      `${settings.dataDir.env}, or repeat the command with --create for a new instance in this folder.`,
  )
}
