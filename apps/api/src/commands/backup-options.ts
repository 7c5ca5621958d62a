import { canEnterFolder, DataFolderError, inaccessibleFolderError } from '@reeve/db'
import { resolveBackupFolder } from '../backups/destination.ts'
import { type OffsiteConfig, readOffsiteConfig } from '../backups/offsite/read-config.ts'
import { offsiteSettings } from '../backups/offsite/settings.ts'
import { type CommandContext, databaseServerMessage } from '../command-line/command.ts'
import { readSettings } from '../config.ts'
import { findServerState } from '../control-socket.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { getDataFolder } from '../settings.ts'

/** The settings of offsite backups, which a command shows in its help. */
export const OFFSITE_SETTINGS = Object.keys(offsiteSettings) as (keyof typeof offsiteSettings)[]

/** Where the backups of an instance are. */
export interface BackupPlaces {
  readonly dataDir: string
  readonly secretKey: SecretKeyConfig
  /** The backup folder. */
  readonly folder: string
  /** Reads the settings of offsite backups. What does not need them works with invalid ones. @throws ConfigError */
  readonly readOffsite: () => OffsiteConfig
}

/**
 * Reads where the backups of the configured data folder are: without a setting, where a running server creates them.
 * @param tool what to use instead if the data is in PostgreSQL
 * @throws ConfigError, DataFolderError
 */
export async function readBackupPlaces({ flags, env }: CommandContext, tool: string): Promise<BackupPlaces> {
  const config = readSettings(['dataDir', 'databaseUrl', 'secretKey', 'backupDir'], flags, env)
  const dataDir = getDataFolder(config)
  if (dataDir === null) throw new DataFolderError(databaseServerMessage(tool))
  // Its instance would seem to be none, and with the settings of another user, so would its backups.
  if (!canEnterFolder(dataDir)) throw inaccessibleFolderError(dataDir)
  return {
    dataDir,
    secretKey: { ...config, dataDir },
    folder: resolveBackupFolder(config, dataDir, await findServerState(dataDir)),
    readOffsite: () => readOffsiteConfig(flags, env),
  }
}
