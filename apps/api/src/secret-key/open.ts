import type { Ports } from '@reeve/core'
import { type Database, secretKeyPath } from '@reeve/db'
import { createPorts } from '../ports.ts'
import { type Config, getDataFolder, settings } from '../settings.ts'
import { claimSecretKey, hasSecretKey, matchesSecretKey } from './check-value.ts'
import { SecretKeyError } from './error.ts'
import { activateNextKeyFile, createSecretKeyFile, readNextKeyFile, readSecretKeyFile } from './key-file.ts'

export type SecretKeyConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>

const VARIABLE = settings.secretKey.env

/** How to create a key where no data folder can have one. */
const CREATE_ADVICE = `Create one with \`openssl rand -base64 32\`, and give it to every process, in ${VARIABLE} or in a file that ${VARIABLE}_FILE names.`

/** Where the configured key is, for messages. */
export const describeSecretKey = (config: SecretKeyConfig): string =>
  config.secretKey === null ? secretKeyPath(config.dataDir) : VARIABLE

/**
 * Finds the configured secret key: the setting, or else the file in the data folder.
 * @returns null if there is none
 * @throws SecretKeyError
 */
export function findSecretKey(config: SecretKeyConfig): Uint8Array | null {
  if (config.secretKey !== null) return config.secretKey
  const folder = getDataFolder(config)
  return folder === null ? null : readSecretKeyFile(folder)
}

/** The error for data in PostgreSQL without a key. */
export const missingSettingError = (): SecretKeyError =>
  new SecretKeyError(
    `${VARIABLE} is missing. With PostgreSQL, the secret key of the instance must be set. ${CREATE_ADVICE} If the data was moved from ` +
      'a data folder, the key is in its secret.key.',
  )

/** The error for an instance whose key is not there. */
export const missingFileError = (folder: string): SecretKeyError =>
  new SecretKeyError(
    `The secret key ${secretKeyPath(folder)} is missing, but the database belongs to one. Put the file back, or set ${VARIABLE}: backups ` +
      'do not contain it. If it is lost for good, see `reeve secret-key replace --help`.',
  )

/** The error for a key that is not that of the instance. */
export const wrongKeyError = (config: SecretKeyConfig): SecretKeyError =>
  new SecretKeyError(
    `${describeSecretKey(config)} is not the secret key of this instance. Use the key that its other processes use, or the one that was ` +
      'next to the data when a backup was created or the data was moved. Nothing was changed.',
  )

/** @throws SecretKeyError before a database server is changed that no key is set for */
export function assertSecretKeyConfigured(config: SecretKeyConfig): void {
  if (config.databaseUrl !== null && config.secretKey === null) throw missingSettingError()
}

/**
 * Finds the secret key of an open instance, and creates one for a new instance in a data folder.
 * @returns the ports of the instance
 * @throws SecretKeyError if the key is missing or is not that of the instance
 */
export async function openSecretKey(db: Database, config: SecretKeyConfig): Promise<Ports> {
  assertSecretKeyConfigured(config)
  await finishRotation(db, config)
  const ports = createPorts(findSecretKey(config) ?? (await createFirstKey(db, config.dataDir)))
  if (!(await claimSecretKey(db, ports))) throw wrongKeyError(config)
  return ports
}

async function createFirstKey(db: Database, folder: string): Promise<Uint8Array> {
  if (await hasSecretKey(db.read)) throw missingFileError(folder)
  return createSecretKeyFile(folder)
}

/** Puts the new key in its place, if a rotation was interrupted after the database had got it. */
async function finishRotation(db: Database, config: SecretKeyConfig): Promise<void> {
  const folder = getDataFolder(config)
  if (config.secretKey !== null || folder === null) return
  const next = readNextKeyFile(folder)
  if (next !== null && (await matchesSecretKey(db.read, createPorts(next)))) activateNextKeyFile(folder)
}
