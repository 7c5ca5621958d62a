import type { Ports } from '@reeve/core'
import { type Database, type Queries, secretKeyPath } from '@reeve/db'
import { createPorts } from '../ports.ts'
import { type Config, getDataFolder, settings } from '../settings.ts'
import { claimSecretKey, hasSecretKey, matchesSecretKey } from './check-value.ts'
import { MISSING_SETTING, SecretKeyError } from './error.ts'
import { activateNextKeyFile, createSecretKeyFile, readNextKeyFile, readSecretKeyFile } from './key-file.ts'

export type SecretKeyConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>

const VARIABLE = settings.secretKey.env

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

/** The error for an instance whose key is not there. */
export const missingFileError = (folder: string): SecretKeyError =>
  new SecretKeyError(
    `The secret key ${secretKeyPath(folder)} is missing, but the database belongs to one. Put the file back, or set ${VARIABLE}: backups ` +
      'do not contain it. If it is lost for good, see `reeve secret-key replace --help`.',
  )

/** The message for a key that is not that of the instance. */
export const wrongKeyMessage = (config: SecretKeyConfig): string =>
  `${describeSecretKey(config)} is not the secret key of this instance. Use the key that its other processes use, or the one that was ` +
  'next to the data when a backup was created or the data was moved. If that key is lost for good, ' +
  `${config.secretKey === null ? `move ${secretKeyPath(config.dataDir)} away and ` : ''}run \`reeve secret-key replace\`.`

/** @throws SecretKeyError before a database server is changed that no key is set for */
export function assertSecretKeyConfigured(config: SecretKeyConfig): void {
  if (config.databaseUrl !== null && config.secretKey === null) throw new SecretKeyError(MISSING_SETTING)
}

/**
 * Finds the secret key of an open instance, and creates one for a new instance in a data folder.
 * @returns the ports of the instance
 * @throws SecretKeyError if the key is missing or is not that of the instance
 */
export async function openSecretKey(db: Database, config: SecretKeyConfig): Promise<Ports> {
  assertSecretKeyConfigured(config)
  await assertSecretKey(db.read, config)
  const ports = createPorts(findSecretKey(config) ?? createSecretKeyFile(config.dataDir))
  // Another process may have given the instance its first key meanwhile.
  if (!(await claimSecretKey(db, ports))) throw wrongKeyError(config)
  return ports
}

/**
 * Checks that a database has no secret key yet, or the configured one. Also works before the schema of a released version is migrated.
 * @throws SecretKeyError
 */
export async function assertSecretKey(read: Queries, config: SecretKeyConfig): Promise<void> {
  await finishRotation(read, config)
  const key = findSecretKey(config)
  if (key === null && (await hasSecretKey(read))) throw missingFileError(config.dataDir)
  if (key !== null && (await matchesSecretKey(read, createPorts(key))) === false) throw wrongKeyError(config)
}

const wrongKeyError = (config: SecretKeyConfig): SecretKeyError =>
  new SecretKeyError(`${wrongKeyMessage(config)} Nothing was changed.`)

/** Puts the new key in its place, if a rotation was interrupted after the database had got it. */
async function finishRotation(read: Queries, config: SecretKeyConfig): Promise<void> {
  const folder = getDataFolder(config)
  if (config.secretKey !== null || folder === null) return
  const next = readNextKeyFile(folder)
  if (next !== null && (await matchesSecretKey(read, createPorts(next)))) activateNextKeyFile(folder)
}
