import { defineSetting, rejectValue } from '../setting.ts'

/** A text that goes to a store as it is; null where none is given. What it was is never told: it may be a secret. */
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
    : rejectValue('must be an http or https address, such as https://s3.eu-central-1.amazonaws.com')
}

const readPrefix = (text: string): string =>
  /^([A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/.test(text)
    ? text
    : rejectValue(
        'must be words of letters, digits, dots, dashes and underscores, each with a / after it, such as reeve/',
      )

/** The settings of a bucket for images. */
export const bucketSettings = {
  s3Bucket: defineSetting({
    flag: null,
    env: 'REEVE_S3_BUCKET',
    placeholder: '<name>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a bucket of an S3-compatible store to keep images in instead of the database',
    read: matching(/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/, 'must be the name of a bucket'),
  }),
  s3Endpoint: defineSetting({
    flag: null,
    env: 'REEVE_S3_ENDPOINT',
    placeholder: '<address>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'where the store answers, such as https://s3.eu-central-1.amazonaws.com',
    read: readEndpoint,
  }),
  s3Region: defineSetting({
    flag: null,
    env: 'REEVE_S3_REGION',
    placeholder: '<name>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the region of the bucket; what the store wants to be told where it has none',
    read: matching(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a region, such as eu-central-1'),
  }),
  s3Prefix: defineSetting({
    flag: null,
    env: 'REEVE_S3_PREFIX',
    placeholder: '<text>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'what the names of objects begin with, such as reeve/',
    read: readPrefix,
  }),
  s3AccessKeyId: defineSetting({
    flag: null,
    env: 'REEVE_S3_ACCESS_KEY_ID',
    placeholder: '<id>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the id of a key that may read and write objects of the bucket',
    read: matching(/^[\x21-\x7e]+$/, 'must be printable ASCII characters without spaces'),
  }),
  s3SecretAccessKey: defineSetting({
    flag: null,
    env: 'REEVE_S3_SECRET_ACCESS_KEY',
    placeholder: '<secret>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the secret of that key',
    read: matching(/^[\x21-\x7e]+$/, 'must be printable ASCII characters without spaces'),
  }),
}

/** What a bucket cannot be used without: all of these, or none. */
const requiredSettings = ['s3Bucket', 's3Endpoint', 's3Region', 's3AccessKeyId', 's3SecretAccessKey'] as const

/** The variables that are missing where a part of what makes a bucket is given. */
export function findMissingVariables(isSet: (variable: string) => boolean): string[] {
  const variables = requiredSettings.map((name) => bucketSettings[name].env)
  const isConfigured = [...variables, bucketSettings.s3Prefix.env].some(isSet)
  return isConfigured ? variables.filter((variable) => !isSet(variable)) : []
}
