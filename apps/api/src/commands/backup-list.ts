import { describeFutureBackups, listLocalBackups, listRemoteBackups } from '../backups/inventory.ts'
import { sortByAge } from '../backups/names.ts'
import { describeFailure } from '../backups/offsite/upload.ts'
import { formatTable, localCommand } from '../command-line/command.ts'
import { formatMiB, formatTimestamp } from '../format.ts'
import { systemPorts } from '../ports.ts'
import { OFFSITE_SETTINGS, readBackupPlaces } from './backup-options.ts'

export const listBackupsCommand = localCommand({
  options: {},
  settings: ['dataDir', 'databaseUrl', 'backupDir', ...OFFSITE_SETTINGS],
  async run(context) {
    const { folder, readOffsite } = await readBackupPlaces(context, 'such as pg_dump')
    const { client } = readOffsite()
    const local = listLocalBackups(folder)
    let problem: string | null = null
    const remote =
      client === null
        ? []
        : await listRemoteBackups(client).catch((error) => {
            problem = `The bucket ${client.settings.bucket} could not be read: ${describeFailure(error)}`
            return []
          })
    const found = sortByAge([...local, ...remote], systemPorts.now())
    const backups = found.map(({ takenAt, location, bytes, isRemote }) => ({
      takenAt: new Date(takenAt).toISOString(),
      bytes,
      place: isRemote ? 'bucket' : 'folder',
      from: location,
    }))
    return { backups, note: describeFutureBackups(found, systemPorts.now()), problem }
  },
  print: ({ backups, note, problem }) =>
    [
      backups.length === 0
        ? 'There are no backups.'
        : formatTable(
            ['TAKEN AT', 'SIZE', 'PLACE', 'FROM'],
            backups.map(({ takenAt, bytes, place, from }) => [
              formatTimestamp(Date.parse(takenAt)),
              formatMiB(bytes),
              place,
              from,
            ]),
          ),
      ...[note, problem].filter((line) => line !== null),
    ].join('\n'),
  exitCode: ({ problem }) => (problem === null ? 0 : 1),
})
