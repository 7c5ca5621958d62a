import { verifyAudit } from '@reeve/audit'
import { type Inspection, NewerSchemaError, type RowCounts } from '@reeve/db'
import type { Progress } from '../command-line/command.ts'
import { formatTimestamp } from '../format.ts'
import { findAuditKey } from '../secret-key/audit-key.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'

/** The contents and condition of a database. */
export interface DatabaseReport {
  readonly holds: RowCounts
  /** The time of the newest change; null if there is none. */
  readonly newestChange: string | null
  /** Faults in a readable database, one sentence each: dangling references, a broken audit chain. */
  readonly faults: readonly string[]
}

/** @throws NewerSchemaError; Error if it is not a Reeve database */
export function requireKnownSchema(inspection: Inspection): { readonly isOlder: boolean } {
  let schema: ReturnType<Inspection['schema']>
  try {
    schema = inspection.schema()
  } catch (error) {
    throw new Error(`It is not a Reeve database: ${(error as Error).message}.`)
  }
  if (schema.unknown.length > 0) throw new NewerSchemaError(schema.unknown)
  return { isOlder: schema.missing.length > 0 }
}

/**
 * Reads a whole database and checks it.
 * @param secretKey the settings of the instance: without its key, the rows of the audit log are only counted
 * @throws NewerSchemaError; Error with a message for the user if it is damaged or not a Reeve database
 */
export async function verifyDatabase(
  inspection: Inspection,
  secretKey: SecretKeyConfig,
  progress: Progress,
): Promise<DatabaseReport> {
  const { isOlder } = requireKnownSchema(inspection)
  const damage = await inspection.integrity()
  if (damage.length > 0) throw new Error(`It is damaged: ${damage.join('; ')}.`)
  const faults = [...(await inspection.foreignKeys())].map((problem) => `${problem}.`)
  // The statements that read the audit log match the current schema only.
  if (!isOlder) faults.push(...(await listAuditFaults(inspection, secretKey, progress)))
  const { newestChange } = inspection.times()
  return {
    holds: await inspection.rowCounts(),
    newestChange: newestChange === null ? null : formatTimestamp(newestChange),
    faults,
  }
}

async function listAuditFaults(
  { read }: Inspection,
  secretKey: SecretKeyConfig,
  progress: Progress,
): Promise<string[]> {
  const { key } = await findAuditKey(secretKey, read)
  const onProgress = (rows: number) => progress.update(`${rows} audit log rows`)
  const { faults } = await verifyAudit(read, key, { onProgress })
  return faults.map(
    ({ workspaceId, sequence, fault }) => `audit log of ${workspaceId}, row ${sequence}: ${fault}.`,
  )
}
