import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { acquireForRestore } from '@reeve/db'
import type { Progress } from '../command-line/command.ts'
import { formatMiB, formatPercent } from '../format.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { verifyFile } from './create.ts'
import type { EncryptedSource } from './encrypted-source.ts'
import {
  assertNoFaults,
  type CheckedBackup,
  describeBackup,
  type InstalledDatabase,
  installDatabase,
} from './restore.ts'

/** Decrypts a backup to a new file and verifies the database. @throws NewerSchemaError; Error with a sentence for the user */
export async function decryptAndVerify(
  source: EncryptedSource,
  path: string,
  secretKey: SecretKeyConfig,
  progress: Progress,
): Promise<CheckedBackup> {
  const { location, bytes, sha256 } = source
  await decryptTo(source, path, progress)
  progress.step('Verifying it')
  const report = await verifyFile(path, secretKey, progress, location)
  const checked = { file: location, bytes, sha256, isVouchedFor: true, ...report }
  progress.step(describeBackup(checked))
  return checked
}

/** Decrypts a backup to a new file. @throws Error with a sentence for the user */
export async function decryptTo(source: EncryptedSource, path: string, progress: Progress): Promise<void> {
  const { location, bytes } = source
  progress.step(`Reading and decrypting ${location} (${formatMiB(bytes)})`)
  await source.writeTo(path, (written) => progress.update(`${formatPercent(written, bytes)} decrypted`))
}

/**
 * Replaces the database of a data folder with an encrypted backup, atomically.
 * @param secretKey the settings of the instance with this data folder
 * @param allowsFaults whether a backup with faults is restored
 * @throws DataFolderError, NewerSchemaError; Error with a sentence for the user. Nothing has changed then
 */
export async function restoreEncrypted(
  source: EncryptedSource,
  secretKey: SecretKeyConfig,
  allowsFaults: boolean,
  now: () => number,
  progress: Progress,
): Promise<{ readonly checked: CheckedBackup; readonly installed: InstalledDatabase }> {
  const { dataDir } = secretKey
  const firstCreated = findFirstMissing(dataDir)
  let isRestored = false
  try {
    const lock = acquireForRestore(dataDir)
    try {
      const { result: checked, installed } = await installDatabase(
        lock,
        source.bytes,
        now,
        async (incoming) => {
          const checked = await decryptAndVerify(source, incoming, secretKey, progress)
          if (!allowsFaults) assertNoFaults(checked)
          return checked
        },
      )
      isRestored = true
      return { checked, installed }
    } finally {
      lock.release()
    }
  } finally {
    if (!isRestored && firstCreated !== null) rmSync(firstCreated, { recursive: true, force: true })
  }
}

/** The outermost folder that creating a folder creates; null if it exists. */
function findFirstMissing(folder: string): string | null {
  if (existsSync(folder)) return null
  return findFirstMissing(dirname(folder)) ?? folder
}
