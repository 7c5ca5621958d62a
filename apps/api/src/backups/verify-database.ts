import { verifyAudit } from '@reeve/audit'
import { type Inspection, NewerSchemaError, type RowCounts } from '@reeve/db'
import type { Progress } from '../commands/command.ts'
import { formatTimestamp } from '../format.ts'

/** What a database holds, and of which moment it is: that of its newest change; null where it has none. */
export interface DatabaseReport {
  readonly holds: RowCounts
  readonly newestChange: string | null
  /** What is wrong in it though it can be read: rows that refer to nothing, a log that was changed. A sentence each. */
  readonly faults: readonly string[]
}

/** @throws NewerSchemaError; Error where it is not one of ours */
export function requireKnownSchema(inspection: Inspection): { readonly isOlder: boolean } {
  let schema: ReturnType<Inspection['schema']>
  try {
    schema = inspection.schema()
  } catch (error) {
    throw new Error(`It is no database of Reeve: ${(error as Error).message}.`)
  }
  if (schema.unknown.length > 0) throw new NewerSchemaError(schema.unknown)
  return { isOlder: schema.missing.length > 0 }
}

/**
 * Reads a database from end to end.
 * @throws NewerSchemaError; Error with a sentence where it is not one of ours, or is damaged
 */
export async function verifyDatabase(inspection: Inspection, progress: Progress): Promise<DatabaseReport> {
  const { isOlder } = requireKnownSchema(inspection)
  const damage = inspection.integrity()
  if (damage.length > 0) throw new Error(`It is damaged: ${damage.join('; ')}.`)
  const faults = [...inspection.foreignKeys()].map((problem) => `${problem}.`)
  // The statements that read the log are those of today; they may not fit a log of long ago.
  if (!isOlder) faults.push(...(await listAuditFaults(inspection, progress)))
  const { newestChange } = inspection.times()
  return {
    holds: inspection.rowCounts(),
    newestChange: newestChange === null ? null : formatTimestamp(newestChange),
    faults,
  }
}

async function listAuditFaults({ read }: Inspection, progress: Progress): Promise<string[]> {
  const { faults } = await verifyAudit(read, (rows) => progress.update(`${rows} rows of the audit log`))
  return faults.map(
    ({ workspaceId, sequence, fault }) => `audit log of ${workspaceId}, row ${sequence}: ${fault}.`,
  )
}
