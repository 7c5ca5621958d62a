import { type RekeyReport, rekeyAudit } from '@reeve/audit'
import { createSystemActor, type Ports } from '@reeve/core'
import { type Database, type DataLocation, openDatabase } from '@reeve/db'
import { systemPorts } from './ports.ts'
import {
  assertSecretKey,
  assertSecretKeyConfigured,
  openSecretKey,
  type SecretKeyConfig,
} from './secret-key/open.ts'

/** An instance that this process has opened. */
export interface OpenInstance {
  readonly db: Database
  readonly ports: Ports
  /** The names of the migrations that opening it applied. */
  readonly applied: readonly string[]
}

/**
 * Opens the database of an instance with its secret key, and keys an audit log that was written without one.
 * @param onRekeyed gets the result, if that was necessary
 * @throws DataFolderError, DatabaseServerError, NewerSchemaError, SecretKeyError
 */
export async function openInstance(
  config: DataLocation & SecretKeyConfig,
  onRekeyed: (report: RekeyReport) => void,
): Promise<OpenInstance> {
  assertSecretKeyConfigured(config)
  const { database: db, applied } = await openDatabase(config, {
    now: systemPorts.now,
    beforeUpgrade: (read) => assertSecretKey(read, config),
  })
  try {
    const ports = await openSecretKey(db, config)
    const report = await rekeyAudit(db, ports, createSystemActor())
    if (report !== null) onRekeyed(report)
    return { db, ports, applied }
  } catch (error) {
    await db.close()
    throw error
  }
}
