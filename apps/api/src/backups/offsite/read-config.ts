import { ConfigError, type Environment, type Flags, isSet, readSettings } from '../../config.ts'
import { type BucketClient, createBucketClient } from '../../s3/client.ts'
import type { BackupSecret } from '../encryption/keys.ts'
import {
  backupBucket,
  listKeyFileProblems,
  listOffsiteProblems,
  offsiteSettings,
  readBackupSecret,
  toBackupBucketSettings,
} from './settings.ts'

/** The bucket that backups are uploaded to, and what they are encrypted with. */
export interface OffsiteConfig {
  /** Null if there are no offsite backups. */
  readonly client: BucketClient | null
  /** Null if nothing is configured. */
  readonly secret: BackupSecret | null
  /** How many backups to keep in the bucket; null if as many as in the folder. */
  readonly keep: number | null
}

/** Reads the settings of offsite backups for a command. @throws ConfigError with every problem */
export function readOffsiteConfig(flags: Flags, env: Environment): OffsiteConfig {
  const names = Object.keys(offsiteSettings) as (keyof typeof offsiteSettings)[]
  const config = readSettings(names, flags, env)
  const problems = [
    ...listOffsiteProblems((variable) => isSet(env, variable)),
    ...listKeyFileProblems(config.backupKeyFile),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
  const bucket = toBackupBucketSettings(config)
  return {
    client: bucket === null ? null : createBucketClient(bucket),
    secret: readBackupSecret(config),
    keep: config.backupS3Keep,
  }
}

/** @throws ConfigError if no bucket is configured */
export function requireClient({ client }: OffsiteConfig): BucketClient {
  if (client !== null) return client
  const variables = Object.values(backupBucket).map(({ env }) => env)
  throw new ConfigError([`Set ${variables.join(', ')} to read backups from a bucket.`])
}
