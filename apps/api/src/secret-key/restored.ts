import { inspectDataFolder } from '@reeve/db'
import { checkSecretKey } from '../doctor/secret-key.ts'
import type { SecretKeyConfig } from './open.ts'

/** Says what is wrong with the secret key of a folder to which a backup was restored; null if it belongs to the backup. */
export async function findKeyProblem(config: SecretKeyConfig): Promise<string | null> {
  const inspection = inspectDataFolder(config.dataDir)
  try {
    if (inspection.schema().missing.length > 0) return null
    const { verdict, found } = await checkSecretKey(config, inspection.read)
    return verdict === 'fault' ? `The server cannot start yet. ${found}` : null
  } finally {
    inspection.close()
  }
}
