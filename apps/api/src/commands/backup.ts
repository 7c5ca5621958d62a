import { DataFolderError, hasInstance } from '@reeve/db'
import { inWords, makeBackup } from '../backups/make.ts'
import { defaultFolder, placeNamed } from '../backups/place.ts'
import { readSettings } from '../config.ts'
import { realPorts } from '../ports.ts'
import { backupsKept, folderOf } from '../settings.ts'
import { here, noInstance, onServer, optional } from './command.ts'
import { UsageError } from './input.ts'

const path = { read: (text: string): string => text }

/** Runs beside a server as well as without one: it only reads, on a connection of its own. */
export const backup = here({
  options: {
    to: optional(
      '<path>',
      'a folder, or a file that ends in .db (REEVE_BACKUP_DIR, default <data folder>-backups)',
      path,
    ),
    keep: optional(
      '<number>',
      'how many backups stay in the folder, the newest; 0 keeps all (REEVE_BACKUP_KEEP, default 7)',
      backupsKept,
    ),
  },
  settings: ['dataDir', 'databaseUrl'],
  async run({ flags, env, progress }, { to, keep }) {
    const config = readSettings(['dataDir', 'databaseUrl', 'backupDir', 'backupKeep'], flags, env)
    const dataDir = folderOf(config)
    if (dataDir === null) throw new DataFolderError(onServer('such as pg_dump'))
    if (!hasInstance(dataDir)) throw new DataFolderError(noInstance(dataDir))
    const folder = config.backupDir ?? defaultFolder(dataDir)
    const place = to === null ? { folder, name: null } : placeNamed(to)
    if (place.name !== null && keep !== null) {
      throw new UsageError(['--keep is about a folder of backups, and --to names a file.'])
    }
    const order = { dataDir, place, keep: keep ?? config.backupKeep }
    return makeBackup(order, realPorts.now, progress)
  },
  print: (made) =>
    [
      ...inWords(made),
      ...(made.faults.length === 0
        ? ['Keep a copy of it on another machine: a disk that fails takes its backups along.']
        : [
            'The instance has faults, and so has its backup; no older one was removed. See `reeve doctor`.',
            ...made.faults,
          ]),
    ].join('\n'),
  exitCode: ({ faults }) => (faults.length === 0 ? 0 : 1),
})
