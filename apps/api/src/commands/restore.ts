import { resolve } from 'node:path'
import { DataFolderError } from '@reeve/db'
import { assertNotInUse, checkBackup, describeBackup, installBackup } from '../backups/restore.ts'
import { readSettings } from '../config.ts'
import { realPorts } from '../ports.ts'
import { getDataFolder } from '../settings.ts'
import { databaseServerMessage, localCommand, required, switchOption } from './command.ts'

const pathCodec = { read: (text: string): string => resolve(text) }

/** Looks first, then copies, then exchanges in one step; what was there stays under another name. */
export const restoreCommand = localCommand({
  options: {
    from: required('<file>', 'the backup', pathCodec),
    check: switchOption('look at the backup and say what it holds; change nothing'),
    withFaults: switchOption('take a backup whose audit log or references are not whole'),
  },
  settings: ['dataDir', 'databaseUrl'],
  async run({ flags, env, progress }, { from, check, withFaults }) {
    const dataDir = getDataFolder(readSettings(['dataDir', 'databaseUrl'], flags, env))
    if (dataDir === null) throw new DataFolderError(databaseServerMessage('such as pg_restore'))
    if (!check) assertNotInUse(dataDir)
    const checked = await checkBackup(from, progress)
    progress.step(describeBackup(checked))
    if (check) return { ...checked, dataDir: null, keptAside: null }
    if (checked.faults.length > 0 && !withFaults) {
      throw new Error(
        `${from} has faults: ${checked.faults.join(' ')} Take another backup, or this one with --with-faults; nothing ` +
          'was changed.',
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
            `The backup is in place in ${dataDir}.`,
            ...(keptAside === null
              ? []
              : [`What was there is kept as ${keptAside}; remove it once you are sure.`]),
            'API keys, sessions, passwords and bans are as they were then: revoke again what was revoked since.',
          ]),
    ].join('\n'),
  exitCode: ({ faults, dataDir }) => (faults.length > 0 && dataDir === null ? 1 : 0),
})
