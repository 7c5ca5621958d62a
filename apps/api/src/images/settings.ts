import type { BucketSettings } from '../s3/client.ts'
import { defineBucketSettings, toBucketSettings } from '../s3/settings.ts'

/** The settings of the image bucket, by their part. */
export const imageBucket = defineBucketSettings(
  'REEVE_S3',
  'a bucket of an S3-compatible store for images; by default they are stored in the database',
)

/** The settings of the image bucket. */
export const bucketSettings = {
  s3Bucket: imageBucket.bucket,
  s3Endpoint: imageBucket.endpoint,
  s3Region: imageBucket.region,
  s3Prefix: imageBucket.prefix,
  s3AccessKeyId: imageBucket.accessKeyId,
  s3SecretAccessKey: imageBucket.secretAccessKey,
}

type ImageBucketValues = {
  readonly [Name in keyof typeof bucketSettings]: ReturnType<(typeof bucketSettings)[Name]['read']>
}

/** The configured image bucket; null if images are stored in the database. */
export const toImageBucketSettings = (config: ImageBucketValues): BucketSettings | null =>
  toBucketSettings({
    bucket: config.s3Bucket,
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    prefix: config.s3Prefix,
    accessKeyId: config.s3AccessKeyId,
    secretAccessKey: config.s3SecretAccessKey,
  })
