import type { ImageStore } from '@reeve/core'
import type { Config } from '../settings.ts'
import { type BucketSettings, bucket } from './bucket.ts'
import { databaseImageStore } from './database-store.ts'
import type { bucketSettings } from './settings.ts'

/** The bucket that the settings name; null where images stay in the database. */
export function toBucketSettings(config: Pick<Config, keyof typeof bucketSettings>): BucketSettings | null {
  const { s3Bucket, s3Endpoint, s3Region, s3Prefix, s3AccessKeyId, s3SecretAccessKey } = config
  // A start refuses a part of them.
  if (!s3Bucket || !s3Endpoint || !s3Region || !s3AccessKeyId || !s3SecretAccessKey) return null
  return {
    bucket: s3Bucket,
    endpoint: s3Endpoint,
    region: s3Region,
    prefix: s3Prefix,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
  }
}

/** Where the settings say that images lie. */
export function createImageStore(config: Config): ImageStore {
  const settings = toBucketSettings(config)
  return settings === null ? databaseImageStore : bucket(settings)
}
