import { DataFolderError, hasInstance } from '@reeve/db'
import { createBackup, formatBackup } from '../backups/create.ts'
import { defaultFolder, parseDestination } from '../backups/destination.ts'
import { readSettings } from '../config.ts'
import { realPorts } from '../ports.ts'
import { backupCount, getDataFolder } from '../settings.ts'
import { databaseServerMessage, localCommand, noInstanceMessage, optional } from './command.ts'
import { UsageError } from './input.ts'

const pathCodec = { read: (text: string): string => text }

/** Runs beside a server as well as without one: it only reads, on a connection of its own. */
export const backupCommand = localCommand({
  options: {
    to: optional(
      '<path>',
      'a folder, or a file that ends in .db (REEVE_BACKUP_DIR, default <data folder>-backups)',
      pathCodec,
    ),
    keep: optional(
      '<number>',
      'how many backups stay in the folder, the newest; 0 keeps all (REEVE_BACKUP_KEEP, default 7)',
      backupCount,
    ),
  },
  settings: ['dataDir', 'databaseUrl'],
  async run({ flags, env, progress }, { to, keep }) {
    const config = readSettings(['dataDir', 'databaseUrl', 'backupDir', 'backupKeep'], flags, env)
    const dataDir = getDataFolder(config)
    if (dataDir === null) throw new DataFolderError(databaseServerMessage('such as pg_dump'))
    if (!hasInstance(dataDir)) throw new DataFolderError(noInstanceMessage(dataDir))
    const folder = config.backupDir ?? defaultFolder(dataDir)
    const destination = to === null ? { folder, name: null } : parseDestination(to)
    if (destination.name !== null && keep !== null) {
      throw new UsageError(['--keep is about a folder of backups, and --to names a file.'])
    }
    const backupOptions = { dataDir, destination, keep: keep ?? config.backupKeep }
    return createBackup(backupOptions, realPorts.now, progress)
  },
  print: (created) =>
    [
      ...formatBackup(created),
      ...(created.faults.length === 0
        ? ['Keep a copy of it on another machine: a disk that fails takes its backups along.']
        : [
            'The instance has faults, and so has its backup; no older one was removed. See `reeve doctor`.',
            ...created.faults,
          ]),
    ].join('\n'),
  exitCode: ({ faults }) => (faults.length === 0 ? 0 : 1),
})
