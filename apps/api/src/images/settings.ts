import { defineSetting, rejectValue } from '../setting.ts'

/** Reads a text that is sent to the store unchanged; null if unset. The error does not repeat it, because it can be a secret. */
const matching =
  (pattern: RegExp, message: string) =>
  (text: string): string | null => {
    if (text === '') return null
    return pattern.test(text) ? text : rejectValue(message)
  }

function readEndpoint(text: string): URL | null {
  if (text === '') return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isValid =
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password
  return isValid
    ? url
    : rejectValue('must be an http or https URL, such as https://s3.eu-central-1.amazonaws.com')
}

const readPrefix = (text: string): string =>
  /^([A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/.test(text)
    ? text
    : rejectValue(
        'must be path segments of letters, digits, dots, hyphens and underscores, each followed by a /, such as reeve/',
      )

/** The settings of the image bucket. */
export const bucketSettings = {
  s3Bucket: defineSetting({
    flag: null,
    env: 'REEVE_S3_BUCKET',
    placeholder: '<name>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a bucket of an S3-compatible store for images; by default they are stored in the database',
    read: matching(/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/, 'must be the name of a bucket'),
  }),
  s3Endpoint: defineSetting({
    flag: null,
    env: 'REEVE_S3_ENDPOINT',
    placeholder: '<url>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the URL of the store, such as https://s3.eu-central-1.amazonaws.com',
    read: readEndpoint,
  }),
  s3Region: defineSetting({
    flag: null,
    env: 'REEVE_S3_REGION',
    placeholder: '<name>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the region of the bucket; for a store without regions, the value that it requires',
    read: matching(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a region, such as eu-central-1'),
  }),
  s3Prefix: defineSetting({
    flag: null,
    env: 'REEVE_S3_PREFIX',
    placeholder: '<text>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a prefix for object names, such as reeve/',
    read: readPrefix,
  }),
  s3AccessKeyId: defineSetting({
    flag: null,
    env: 'REEVE_S3_ACCESS_KEY_ID',
    isSecret: true,
    placeholder: '<id>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the ID of an access key that can read, write and delete objects in the bucket',
    read: matching(/^[\x21-\x7e]+$/, 'must be printable ASCII characters without spaces'),
  }),
  s3SecretAccessKey: defineSetting({
    flag: null,
    env: 'REEVE_S3_SECRET_ACCESS_KEY',
    isSecret: true,
    placeholder: '<secret>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the secret of that access key',
    read: matching(/^[\x21-\x7e]+$/, 'must be printable ASCII characters without spaces'),
  }),
}

/** The settings that a bucket requires: all of them must be set, or none. */
const requiredSettings = ['s3Bucket', 's3Endpoint', 's3Region', 's3AccessKeyId', 's3SecretAccessKey'] as const

/** The missing variables if only some of the bucket's settings are set. */
export function findMissingVariables(isSet: (variable: string) => boolean): string[] {
  const variables = requiredSettings.map((name) => bucketSettings[name].env)
  const isConfigured = [...variables, bucketSettings.s3Prefix.env].some(isSet)
  return isConfigured ? variables.filter((variable) => !isSet(variable)) : []
}
