import { DataFolderError, hasInstance } from '@reeve/db'
import { type EncryptedSource, isEncryptedBackup, openEncryptedSource } from '../backups/encrypted-source.ts'
import { FROM_HELP, locateBackup } from '../backups/locate.ts'
import {
  assertNoFaults,
  assertNotInUse,
  checkBackup,
  describeBackup,
  installBackup,
} from '../backups/restore.ts'
import { decryptAndVerify, restoreEncrypted } from '../backups/restore-encrypted.ts'
import { withScratchFolder } from '../backups/scratch.ts'
import { realPorts } from '../ports.ts'
import { settings } from '../settings.ts'
import { OFFSITE_SETTINGS, readBackupPlaces } from './backup-options.ts'
import { localCommand, type Progress, required, switchOption } from './command.ts'

const textCodec = { read: (text: string): string => text }

/** Checks the backup, copies it, then replaces the database atomically. The old database is kept under another name. */
export const restoreCommand = localCommand({
  options: {
    from: required('<backup>', FROM_HELP, textCodec),
    check: switchOption('check the backup and print a summary; change nothing'),
    create: switchOption('restore to a folder that contains no instance yet'),
    withFaults: switchOption('restore a backup even if its audit log or references have faults'),
  },
  settings: ['dataDir', 'databaseUrl', 'backupDir', ...OFFSITE_SETTINGS],
  async run(context, { from, check, create, withFaults }) {
    const { progress } = context
    const places = readBackupPlaces(context, 'such as pg_restore')
    const { dataDir, folder, readOffsite } = places
    if (!check) {
      assertExpectedFolder(dataDir, create)
      progress.step(`Restoring to ${dataDir}`)
      assertNotInUse(dataDir)
    }
    const location = await locateBackup(from, { ...places, prefersRemote: false })
    if (!isEncryptedBackup(location)) return restorePlain(location, dataDir, check, withFaults, progress)
    const source = await openEncryptedSource(location, readOffsite())
    if (check) return checkEncrypted(source, folder, progress)
    const restored = await restoreEncrypted(source, dataDir, withFaults, realPorts.now, progress)
    return { ...restored, dataDir }
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

async function restorePlain(
  file: string,
  dataDir: string,
  check: boolean,
  withFaults: boolean,
  progress: Progress,
) {
  const checked = await checkBackup(file, progress)
  progress.step(describeBackup(checked))
  if (check) return { ...checked, dataDir: null, keptAside: null }
  if (!withFaults) assertNoFaults(checked)
  return { ...checked, dataDir, keptAside: await installBackup(checked, dataDir, realPorts.now, progress) }
}

/** Decrypts a backup to a scratch folder, because its database can only be verified as a file. */
async function checkEncrypted(source: EncryptedSource, folder: string, progress: Progress) {
  const checked = await withScratchFolder(folder, (_scratch, { database }) =>
    decryptAndVerify(source, database, progress),
  )
  return { ...checked, dataDir: null, keptAside: null }
}

/** A folder without an instance is usually the wrong one: the default folder depends on the current one. */
function assertExpectedFolder(dataDir: string, create: boolean): void {
  if (create || hasInstance(dataDir)) return
  throw new DataFolderError(
    `${dataDir} contains no instance; nothing was changed. Name the data folder with --data-dir or ` +
      `${settings.dataDir.env}, or repeat the command with --create for a new instance in this folder.`,
  )
}
