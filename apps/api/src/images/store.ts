import type { ImageStore } from '@reeve/core'
import type { Config } from '../settings.ts'
import { type BucketSettings, createBucketStore } from './bucket.ts'
import { databaseImageStore } from './database-store.ts'
import type { bucketSettings } from './settings.ts'

/** The configured bucket; null if images are stored in the database. */
export function toBucketSettings(config: Pick<Config, keyof typeof bucketSettings>): BucketSettings | null {
  const { s3Bucket, s3Endpoint, s3Region, s3Prefix, s3AccessKeyId, s3SecretAccessKey } = config
  // Startup rejects an incomplete set.
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

/** The image store that the settings select. */
export function createImageStore(config: Config): ImageStore {
  const settings = toBucketSettings(config)
  return settings === null ? databaseImageStore : createBucketStore(settings)
}
