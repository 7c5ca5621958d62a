import { DataFolderError, hasInstance, type RestoredAccess } from '@reeve/db'
import { type EncryptedSource, isEncryptedBackup, openEncryptedSource } from '../backups/encrypted-source.ts'
import { FROM_HELP, locateBackup } from '../backups/locate.ts'
import {
  assertNoFaults,
  assertNotInUse,
  type CheckedBackup,
  checkBackup,
  describeBackup,
  type InstalledDatabase,
  installBackup,
} from '../backups/restore.ts'
import { decryptAndVerify, restoreEncrypted } from '../backups/restore-encrypted.ts'
import { withScratchFolder } from '../backups/scratch.ts'
import { localCommand, type Progress, required, switchOption, textCodec } from '../command-line/command.ts'
import { pluralize } from '../format.ts'
import { systemPorts } from '../ports.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { findKeyProblem } from '../secret-key/restored.ts'
import { settings } from '../settings.ts'
import { OFFSITE_SETTINGS, readBackupPlaces } from './backup-options.ts'

/** Checks the backup, copies it, then replaces the database atomically. The old database is kept under another name. */
export const restoreCommand = localCommand({
  options: {
    from: required('<backup>', FROM_HELP, textCodec),
    check: switchOption('check the backup and print a summary; change nothing'),
    create: switchOption('restore to a folder that contains no instance yet'),
    withFaults: switchOption('restore a backup even if its audit log or references have faults'),
  },
  settings: ['dataDir', 'databaseUrl', 'secretKey', 'backupDir', ...OFFSITE_SETTINGS],
  async run(context, { from, check, create, withFaults }) {
    const { progress } = context
    const places = await readBackupPlaces(context, 'such as pg_restore')
    const { dataDir, folder, readOffsite, secretKey } = places
    if (!check) {
      assertExpectedFolder(dataDir, create)
      progress.step(`Restoring to ${dataDir}`)
      assertNotInUse(dataDir)
    }
    const location = await locateBackup(from, {
      ...places,
      prefersRemote: false,
      now: systemPorts.now,
      progress,
    })
    if (!isEncryptedBackup(location)) {
      const result = await restorePlain(location, secretKey, check, withFaults, progress)
      return { ...result, keyProblem: check ? null : await findKeyProblem(secretKey) }
    }
    const source = await openEncryptedSource(location, readOffsite())
    if (check) return { ...(await checkEncrypted(source, folder, secretKey, progress)), keyProblem: null }
    const { checked, installed } = await restoreEncrypted(
      source,
      secretKey,
      withFaults,
      systemPorts.now,
      progress,
    )
    return { ...toReport(checked, dataDir, installed), keyProblem: await findKeyProblem(secretKey) }
  },
  print: ({ dataDir, keptAside, access, keyProblem, faults }) =>
    [
      ...faults,
      ...(dataDir === null
        ? ['Nothing was changed.']
        : [
            `Restored the backup to ${dataDir}.`,
            ...(keptAside === null
              ? []
              : [`The old database is kept as ${keptAside}. Remove it when you no longer need it.`]),
            ...(keyProblem === null ? [] : [keyProblem]),
            ...(access === null ? [] : describeAccess(access)),
            'Accounts, passwords, second factors and bans are as they were at the time of the backup: repeat what was changed since.',
          ]),
    ].join('\n'),
  exitCode: ({ faults, dataDir }) => (faults.length > 0 && dataDir === null ? 1 : 0),
})

async function restorePlain(
  file: string,
  secretKey: SecretKeyConfig,
  check: boolean,
  withFaults: boolean,
  progress: Progress,
) {
  const checked = await checkBackup(file, secretKey, progress)
  progress.step(describeBackup(checked))
  if (check) return toReport(checked, null, null)
  if (!withFaults) assertNoFaults(checked)
  const { dataDir } = secretKey
  return toReport(checked, dataDir, await installBackup(checked, dataDir, systemPorts.now, progress))
}

/** @param installed null if the backup was only checked */
function toReport(checked: CheckedBackup, dataDir: string | null, installed: InstalledDatabase | null) {
  const { replacedFile: keptAside = null, ...access } = installed ?? {}
  return { ...checked, dataDir, keptAside, access: installed === null ? null : (access as RestoredAccess) }
}

/** What the restore did about the access that the backup would bring back. */
const describeAccess = ({ sessions, invitations, revokedKeys, keysToConfirm }: RestoredAccess): string[] => [
  `Ended ${pluralize(sessions, 'session')}: everyone signs in again.`,
  ...(invitations === 0
    ? []
    : [
        `Withdrew ${pluralize(invitations, 'invitation')}, because invitations that were used or withdrawn since the backup would be valid again: create new ones.`,
      ]),
  ...(revokedKeys === 0
    ? []
    : [`Revoked ${pluralize(revokedKeys, 'API key')} again, which had been revoked since the backup.`]),
  ...(keysToConfirm === 0
    ? []
    : [
        `${pluralize(keysToConfirm, 'API key')} ${keysToConfirm === 1 ? 'works' : 'work'} and ${keysToConfirm === 1 ? 'waits' : 'wait'} for confirmation, because keys that were revoked elsewhere can be ` +
          'among them: confirm or revoke each in the portal, or with `reeve key confirm` and `reeve key revoke`.',
      ]),
]

/** Decrypts a backup to a scratch folder, because its database can only be verified as a file. */
async function checkEncrypted(
  source: EncryptedSource,
  folder: string,
  secretKey: SecretKeyConfig,
  progress: Progress,
) {
  const checked = await withScratchFolder(folder, (_scratch, { database }) =>
    decryptAndVerify(source, database, secretKey, progress),
  )
  return toReport(checked, null, null)
}

/** A folder without an instance is usually the wrong one: the default folder depends on the current one. */
function assertExpectedFolder(dataDir: string, create: boolean): void {
  if (create || hasInstance(dataDir)) return
  throw new DataFolderError(
    `${dataDir} contains no instance; nothing was changed. Name the data folder with --data-dir or ` +
      `${settings.dataDir.env}, or repeat the command with --create for a new instance in this folder.`,
  )
}
