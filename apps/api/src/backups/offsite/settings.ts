import { resolve } from 'node:path'
import type { BucketSettings } from '../../s3/client.ts'
import { defineBucketSettings, findMissingVariables, toBucketSettings } from '../../s3/settings.ts'
import { defineSetting, rejectValue } from '../../setting.ts'
import { backupCount } from '../../setting-values.ts'
import { readKeyFile } from '../encryption/key-file.ts'
import type { BackupSecret } from '../encryption/keys.ts'

/** A shorter one could be guessed by someone who has a backup. */
const MIN_PASSPHRASE = 16

/** The settings of the backup bucket, by their part. */
export const backupBucket = defineBucketSettings(
  'REEVE_BACKUP_S3',
  'a bucket of an S3-compatible store to which every backup is uploaded, encrypted',
)

/** The settings of offsite backups. */
export const offsiteSettings = {
  backupS3Bucket: backupBucket.bucket,
  backupS3Endpoint: backupBucket.endpoint,
  backupS3Region: backupBucket.region,
  backupS3Prefix: backupBucket.prefix,
  backupS3AccessKeyId: backupBucket.accessKeyId,
  backupS3SecretAccessKey: backupBucket.secretAccessKey,
  backupS3Keep: defineSetting({
    flag: null,
    env: 'REEVE_BACKUP_S3_KEEP',
    placeholder: '<number>',
    fallback: '',
    fallbackLabel: 'REEVE_BACKUP_KEEP',
    help: 'how many of the newest backups to keep in the bucket; 0 keeps all',
    read: (text): number | null => (text === '' ? null : backupCount.read(text)),
  }),
  backupKeyFile: defineSetting({
    flag: null,
    env: 'REEVE_BACKUP_KEY_FILE',
    placeholder: '<file>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the key that uploaded backups are encrypted with, created by `reeve backup create-key`',
    read: (text): string | null => (text === '' ? null : resolve(text)),
  }),
  backupPassphrase: defineSetting({
    flag: null,
    env: 'REEVE_BACKUP_PASSPHRASE',
    isSecret: true,
    placeholder: '<text>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a passphrase to encrypt them with instead of a key file',
    read: (text): string | null =>
      text === '' || [...text].length >= MIN_PASSPHRASE
        ? text || null
        : rejectValue(`must have at least ${MIN_PASSPHRASE} characters`),
  }),
}

type OffsiteValues = {
  readonly [Name in keyof typeof offsiteSettings]: ReturnType<(typeof offsiteSettings)[Name]['read']>
}

/** The configured backup bucket; null if there is none. */
export const toBackupBucketSettings = (config: OffsiteValues): BucketSettings | null =>
  toBucketSettings({
    bucket: config.backupS3Bucket,
    endpoint: config.backupS3Endpoint,
    region: config.backupS3Region,
    prefix: config.backupS3Prefix,
    accessKeyId: config.backupS3AccessKeyId,
    secretAccessKey: config.backupS3SecretAccessKey,
  })

/** Reads what backups are encrypted with; null if nothing is configured. @throws Error with advice about the key file */
export function readBackupSecret({
  backupKeyFile: file,
  backupPassphrase: text,
}: Pick<OffsiteValues, 'backupKeyFile' | 'backupPassphrase'>): BackupSecret | null {
  if (file !== null) return { source: 'key file', file, key: readKeyFile(file) }
  return text === null ? null : { source: 'passphrase', text }
}

/** What is wrong with the combination of these settings, one sentence each. */
export function listOffsiteProblems(isSet: (variable: string) => boolean): string[] {
  const { backupKeyFile, backupPassphrase } = offsiteSettings
  const problems = findMissingVariables(backupBucket, isSet).map(
    (variable) => `${variable} is missing. The other settings of the backup bucket require it.`,
  )
  if (isSet(backupKeyFile.env) && isSet(backupPassphrase.env))
    problems.push(
      `${backupKeyFile.env} and ${backupPassphrase.env} are both set. Backups are encrypted with one of them: remove the other.`,
    )
  if (isSet(backupBucket.bucket.env) && !isSet(backupKeyFile.env) && !isSet(backupPassphrase.env))
    problems.push(
      `${backupKeyFile.env} is missing. Backups are encrypted before they are uploaded: create a key with ` +
        `\`reeve backup create-key\`, or set ${backupPassphrase.env}.`,
    )
  return problems
}

/** Why the configured key cannot be used, as a sentence; none if it can. */
export function listKeyFileProblems(file: string | null): string[] {
  try {
    if (file !== null) readKeyFile(file)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}
