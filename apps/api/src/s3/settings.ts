import { defineSetting, rejectValue } from '../setting.ts'
import type { BucketSettings } from './client.ts'

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

/**
 * The settings of a bucket. They are environment variables only: some are secrets, and the others belong to them.
 * @param variables what the names of the variables begin with
 * @param bucketHelp what the bucket is for
 */
export const defineBucketSettings = (variables: 'REEVE_S3' | 'REEVE_BACKUP_S3', bucketHelp: string) => ({
  bucket: defineSetting({
    flag: null,
    env: `${variables}_BUCKET`,
    placeholder: '<name>',
    fallback: '',
    fallbackLabel: 'none',
    help: bucketHelp,
    read: matching(/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/, 'must be the name of a bucket'),
  }),
  endpoint: defineSetting({
    flag: null,
    env: `${variables}_ENDPOINT`,
    placeholder: '<url>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the URL of the store, such as https://s3.eu-central-1.amazonaws.com',
    read: readEndpoint,
  }),
  region: defineSetting({
    flag: null,
    env: `${variables}_REGION`,
    placeholder: '<name>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the region of the bucket; for a store without regions, the value that it requires',
    read: matching(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a region, such as eu-central-1'),
  }),
  prefix: defineSetting({
    flag: null,
    env: `${variables}_PREFIX`,
    placeholder: '<text>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a prefix for object names, such as reeve/',
    read: readPrefix,
  }),
  accessKeyId: defineSetting({
    flag: null,
    env: `${variables}_ACCESS_KEY_ID`,
    isSecret: true,
    placeholder: '<id>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the ID of an access key that can read, write and delete objects in the bucket',
    read: matching(/^[\x21-\x7e]+$/, 'must be printable ASCII characters without spaces'),
  }),
  secretAccessKey: defineSetting({
    flag: null,
    env: `${variables}_SECRET_ACCESS_KEY`,
    isSecret: true,
    placeholder: '<secret>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the secret of that access key',
    read: matching(/^[\x21-\x7e]+$/, 'must be printable ASCII characters without spaces'),
  }),
})

type BucketSettingGroup = ReturnType<typeof defineBucketSettings>

/** The parsed settings of a group. */
type BucketValues = {
  readonly [Name in keyof BucketSettingGroup]: ReturnType<BucketSettingGroup[Name]['read']>
}

/** The missing variables if only some of the bucket's settings are set: all but the prefix are required. */
export function findMissingVariables(
  { prefix, ...required }: BucketSettingGroup,
  isSet: (variable: string) => boolean,
): string[] {
  const variables = Object.values(required).map(({ env }) => env)
  const isConfigured = [...variables, prefix.env].some(isSet)
  return isConfigured ? variables.filter((variable) => !isSet(variable)) : []
}

/** The configured bucket; null if none is. */
export function toBucketSettings(values: BucketValues): BucketSettings | null {
  const { bucket, endpoint, region, prefix, accessKeyId, secretAccessKey } = values
  // Startup rejects an incomplete set.
  if (!bucket || !endpoint || !region || !accessKeyId || !secretAccessKey) return null
  return { bucket, endpoint, region, prefix, accessKeyId, secretAccessKey }
}
