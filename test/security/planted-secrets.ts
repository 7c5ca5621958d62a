import type { Setting } from '@reeve/api/setting'
import { settings } from '@reeve/api/settings'
import { SECRET_KEY } from '../support/secret-key.ts'

/** Values in the formats that secret settings have; each contains a part that occurs nowhere else. */
const FORMATS: readonly ((mark: string) => string)[] = [
  (mark) => `planted-${mark}-0123456789abcdef`,
  (mark) => `postgres://reeve:planted-${mark}-password@127.0.0.1:1/reeve`,
  (mark) => `smtps://mail:planted-${mark}-password@127.0.0.1:1`,
  (mark) => `https://planted-${mark}-token@127.0.0.1:1/path`,
  () => SECRET_KEY,
]

/** A secret setting with its value, and the part of it that must not appear anywhere. */
export interface PlantedSetting {
  readonly env: string
  readonly value: string
  readonly secret: string
}

/**
 * A value for each setting that is marked as a secret, so that a new one is planted without being listed.
 * @throws if a new setting has a format of its own
 */
export const plantSettings = (): PlantedSetting[] =>
  Object.entries<Setting<unknown>>(settings)
    .filter(([, { isSecret }]) => isSecret)
    .map(([name, { env, read }]) => {
      const mark = name.toLowerCase()
      const value = FORMATS.map((format) => format(mark)).find((text) => isAccepted(read, text))
      if (value === undefined)
        throw new Error(`${env} is a secret of a new format: add one to FORMATS in planted-secrets.ts`)
      return { env, value, secret: /planted-[a-z]+-[a-z0-9]+/.exec(value)?.[0] ?? value }
    })

function isAccepted(read: (text: string) => unknown, text: string): boolean {
  try {
    read(text)
    return true
  } catch {
    return false
  }
}

/** Settings that belong to the secret ones. Nothing listens there, so that every error is met too. */
export const RELATED_SETTINGS: Readonly<Record<string, string>> = {
  REEVE_MAIL_FROM: 'reeve@example.com',
  ...Object.fromEntries(
    ['REEVE_S3', 'REEVE_BACKUP_S3'].flatMap((prefix) => [
      [`${prefix}_BUCKET`, 'images'],
      [`${prefix}_ENDPOINT`, 'http://127.0.0.1:1'],
      [`${prefix}_REGION`, 'eu-1'],
    ]),
  ),
}

/** The forms in which a secret can leak: as it is, in a URL, in base64, and as bytes in hex. */
const listForms = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('hex'),
  ]
}

/** A place where secrets are searched for, and what it contains. */
export interface SearchedPlace {
  readonly name: string
  readonly content: string | Uint8Array
}

/** Where one of the secrets is found, by the names of both. */
export function findLeaks(
  secrets: Readonly<Record<string, string>>,
  places: readonly SearchedPlace[],
): string[] {
  return places.flatMap(({ name, content }) => {
    const bytes = Buffer.from(content)
    return Object.entries(secrets)
      .filter(([, secret]) => listForms(secret).some((form) => bytes.includes(form)))
      .map(([secret]) => `${name} contains ${secret}`)
  })
}

/** Names of response fields that contain a secret; `previousSecretUntil` is a time. */
export const SECRET_FIELD = /(?:secret|token|password|otp|recoverycodes?)(?!until)|^codes?$|link$/i
