import { settings } from '../settings.ts'

const VARIABLE = settings.secretKey.env

/** A secret key that is missing, unreadable or wrong. The message says what to do, and never contains the key. */
export class SecretKeyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SecretKeyError'
  }
}

/** How to create a key where no data folder can have one. */
const CREATE_ADVICE = `Create one with \`openssl rand -base64 32\`, and give it to every process, in ${VARIABLE} or in a file that ${VARIABLE}_FILE names.`

/** What is wrong with settings for data in PostgreSQL without a key. */
export const MISSING_SETTING =
  `${VARIABLE} is missing. With PostgreSQL, the secret key of the instance must be set. ${CREATE_ADVICE} If the data was moved from ` +
  'a data folder, the key is in its secret.key.'
