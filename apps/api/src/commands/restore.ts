import { resolve } from 'node:path'
import { DataFolderError } from '@reeve/db'
import { contentOf, lookAtBackup, needFree, putInPlace } from '../backups/restore.ts'
import { readSettings } from '../config.ts'
import { realPorts } from '../ports.ts'
import { folderOf } from '../settings.ts'
import { here, onServer, present, required } from './command.ts'

const file = { read: (text: string): string => resolve(text) }

/** Looks first, then copies, then exchanges in one step; what was there stays under another name. */
export const restore = here({
  options: {
    from: required('<file>', 'the backup', file),
    check: present('look at the backup and say what it holds; change nothing'),
    withFaults: present('take a backup whose audit log or references are not whole'),
  },
  settings: ['dataDir', 'databaseUrl'],
  async run({ flags, env, progress }, { from, check, withFaults }) {
    const dataDir = folderOf(readSettings(['dataDir', 'databaseUrl'], flags, env))
    if (dataDir === null) throw new DataFolderError(onServer('such as pg_restore'))
    if (!check) needFree(dataDir)
    const looked = await lookAtBackup(from, progress)
    progress.step(contentOf(looked))
    if (check) return { ...looked, dataDir: null, keptAside: null }
    if (looked.faults.length > 0 && !withFaults) {
      throw new Error(
        `${from} has faults: ${looked.faults.join(' ')} Take another backup, or this one with --with-faults; nothing ` +
          'was changed.',
      )
    }
    const keptAside = await putInPlace(looked, dataDir, realPorts.now, progress)
    return { ...looked, dataDir, keptAside }
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
