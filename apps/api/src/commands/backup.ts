import { DataFolderError, hasInstance } from '@reeve/db'
import { createBackup, formatBackup } from '../backups/create.ts'
import { parseDestination, resolveBackupFolder } from '../backups/destination.ts'
import { readOffsiteConfig } from '../backups/offsite/read-config.ts'
import type { OffsiteTarget } from '../backups/offsite/upload.ts'
import {
  type CommandContext,
  databaseServerMessage,
  localCommand,
  noInstanceMessage,
  optional,
  switchOption,
  textCodec,
} from '../command-line/command.ts'
import { UsageError } from '../command-line/input.ts'
import { isSet, readSettings } from '../config.ts'
import { findServerState } from '../control-socket.ts'
import { systemPorts } from '../ports.ts'
import { backupCount } from '../setting-values.ts'
import { getDataFolder, settings } from '../settings.ts'
import { OFFSITE_SETTINGS } from './backup-options.ts'

/** Works with and without a running server: it only reads, over its own connection. */
export const backupCommand = localCommand({
  options: {
    to: optional(
      '<path>',
      'a folder, or a file name ending in .db (REEVE_BACKUP_DIR, default as the running server; <data folder>-backups if none is running)',
      // As it was entered: a slash at its end says that it is a folder.
      textCodec,
    ),
    keep: optional(
      '<number>',
      'how many of the newest backups to keep in the folder; 0 keeps all (REEVE_BACKUP_KEEP, default as the running server; all if none is running)',
      backupCount,
    ),
    local: switchOption('do not upload the backup to the bucket'),
  },
  settings: ['dataDir', 'databaseUrl', 'secretKey', ...OFFSITE_SETTINGS],
  async run(context, { to, keep, local }) {
    const { flags, env, progress } = context
    const config = readSettings(
      ['dataDir', 'databaseUrl', 'secretKey', 'backupDir', 'backupKeep'],
      flags,
      env,
    )
    const dataDir = getDataFolder(config)
    if (dataDir === null) throw new DataFolderError(databaseServerMessage('such as pg_dump'))
    if (!hasInstance(dataDir)) throw new DataFolderError(noInstanceMessage(dataDir))
    // A command is often run without the settings of the service: with the defaults, it would remove backups that the service is to keep,
    // or write to another disk.
    const server = await findServerState(dataDir)
    const folder = resolveBackupFolder(config, dataDir, server)
    const destination = to === null ? { folder, name: null } : parseDestination(to)
    if (destination.name !== null && keep !== null) {
      throw new UsageError(['--keep applies to a folder of backups, but --to names a file.'])
    }
    const keepSetting = isSet(env, settings.backupKeep.env) ? config.backupKeep : (server?.backupKeep ?? null)
    const offsite = local ? null : readTarget(context, keepSetting ?? 0)
    const keepInFolder = destination.name === null ? (keep ?? keepSetting) : 0
    const backupOptions = {
      dataDir,
      destination,
      keep: keepInFolder ?? 0,
      offsite,
      secretKey: config,
    }
    const created = await createBackup(backupOptions, systemPorts.now, progress)
    const lacksBucket = offsite === null && !local && server?.hasOffsiteBackups === true
    return { ...created, keep: keepInFolder, lacksBucket }
  },
  print: (created) =>
    [
      ...formatBackup(created),
      ...(created.keep === null
        ? [
            'No older backup was removed, because no running server says how many to keep. Set --keep or REEVE_BACKUP_KEEP.',
          ]
        : []),
      ...(created.faults.length === 0
        ? created.offsite === null
          ? [
              ...(created.lacksBucket ? [NOT_UPLOADED] : []),
              'Copy it to another machine: if this disk fails, the backups on it are lost too.',
            ]
          : []
        : [
            'The instance has faults, and so does this backup. No older backup was removed. See `reeve doctor`.',
            ...created.faults,
          ]),
    ].join('\n'),
  exitCode: ({ faults, offsite }) => (faults.length === 0 && !offsite?.problem ? 0 : 1),
})

const NOT_UPLOADED =
  'This backup was not uploaded: the server uploads backups to a bucket, but this command runs without those settings. Run it with the ' +
  'environment of the server, or with --local if the bucket does not need this backup.'

/** Where backups are uploaded to; null if no bucket is configured. */
function readTarget({ flags, env }: CommandContext, localKeep: number): OffsiteTarget | null {
  const { client, secret, keep } = readOffsiteConfig(flags, env)
  // A bucket without a secret has been rejected.
  return client === null || secret === null ? null : { client, secret, keep: keep ?? localKeep }
}
