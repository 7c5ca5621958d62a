import { existsSync } from 'node:fs'
import { copyFileFsync, type DataLocation, fsyncFolder, secretKeyPath } from '@reeve/db'
import { settings } from '../settings.ts'
import type { SecretKeyConfig } from './open.ts'

const VARIABLE = settings.secretKey.env

/**
 * Copies the secret key from a data folder to the one that its data was moved to.
 * @returns what the operator has to do, so that the new location has the key
 */
export async function moveSecretKey(from: SecretKeyConfig, to: DataLocation): Promise<string> {
  if (from.secretKey !== null) return `Keep ${VARIABLE} set for the new location.`
  const file = secretKeyPath(from.dataDir)
  if (to.databaseUrl !== null)
    return `Set ${VARIABLE}_FILE to ${file}, or to a copy of it, for every process: it is the secret key of the instance.`
  const copy = secretKeyPath(to.dataDir)
  if (!existsSync(file) || existsSync(copy)) return `The secret key of the instance must be ${copy}.`
  await copyFileFsync(file, copy)
  fsyncFolder(to.dataDir)
  return `The secret key of the instance was copied to ${copy}.`
}
