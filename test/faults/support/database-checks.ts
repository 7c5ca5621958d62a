import { verifyAudit } from '@reeve/audit'
import { inspectDataFolder, inspectServer, type Queries, statement } from '@reeve/db'
import { openConnection } from './connection.ts'
import { ports, type WorkspaceCredentials } from './populate.ts'
import type { Acknowledged, WriteLedger } from './write-load.ts'
import { createAuthHeaders } from './write-load.ts'

const rowsByRequest = statement()((sql) =>
  sql
    .selectFrom('audit')
    .select((eb) => ['request_id', eb.fn.countAll<number>().as('rows')])
    .groupBy('request_id'),
)

/** Results of a database check. */
export interface CheckResult {
  readonly lost: readonly string[]
  readonly duplicated: readonly string[]
  /** Writes that are stored but were never acknowledged. */
  readonly presentIds: ReadonlySet<string>
  /** Problems that the engine, the foreign keys and the audit chains report. */
  readonly faults: readonly string[]
}

/** Checks the database of a folder, which another process may have open, and its file and references. */
export async function checkDataFolder(
  folder: string,
  acknowledged: readonly Acknowledged[],
): Promise<CheckResult> {
  const inspection = inspectDataFolder(folder)
  try {
    const result = await checkDatabase(inspection.read, acknowledged)
    return {
      ...result,
      faults: [...(await inspection.integrity()), ...(await inspection.foreignKeys()), ...result.faults],
    }
  } finally {
    inspection.close()
  }
}

/** Checks a database on a server while it is in use. */
export async function checkDatabaseServer(
  url: string,
  acknowledged: readonly Acknowledged[],
): Promise<CheckResult> {
  const inspection = await inspectServer(url)
  try {
    return await checkDatabase(inspection.read, acknowledged)
  } finally {
    await inspection.close()
  }
}

/**
 * Checks that every acknowledged write is stored once and that the chain of every workspace is intact. The audit row of a write
 * is in the same transaction as its effect.
 */
async function checkDatabase(read: Queries, acknowledged: readonly Acknowledged[]): Promise<CheckResult> {
  const rows = new Map<string, number>()
  for (const row of await read.all(rowsByRequest, {})) rows.set(row.request_id, Number(row.rows))
  const lost = acknowledged.filter(({ id, rows: expectedRows }) => (rows.get(id) ?? 0) < expectedRows)
  const duplicated = acknowledged.filter(({ id, rows: expectedRows }) => (rows.get(id) ?? 0) > expectedRows)
  const { faults } = await verifyAudit(read, ports)
  return {
    lost: lost.map(({ id }) => id),
    duplicated: duplicated.map(({ id }) => id),
    presentIds: new Set(rows.keys()),
    faults: faults.map(
      ({ workspaceId, sequence, fault }) => `chain of ${workspaceId} at ${sequence}: ${fault}`,
    ),
  }
}

const READER_COUNT = 16

/**
 * Compares reads with what writes returned, then clears it.
 * @param renewed credentials to use instead of those of the writes, whose sessions a restore has ended
 * @returns the paths that differ
 */
export async function findStateDifferences(
  url: string,
  ledger: WriteLedger,
  renewed: readonly WorkspaceCredentials[] = [],
): Promise<string[]> {
  const pending = [...ledger.expectedStates]
  ledger.expectedStates.clear()
  const differences: string[] = []
  await Promise.all(
    Array.from({ length: READER_COUNT }, async () => {
      const connection = openConnection(url)
      for (let entry = pending.pop(); entry; entry = pending.pop()) {
        const [path, { state, name, workspace: original }] = entry
        const workspace = renewed.find(({ workspaceId }) => workspaceId === original.workspaceId) ?? original
        const credentialKind = path.startsWith('/api/workspaces') ? 'session' : 'key'
        const { status, body } = await connection.request({
          method: 'GET',
          path,
          headers: createAuthHeaders(workspace, credentialKind),
        })
        const result = status === 404 ? null : body[name]
        if (!Bun.deepEquals(result, state)) {
          differences.push(`${path}: ${JSON.stringify(result)} instead of ${JSON.stringify(state)}`)
        }
      }
      connection.close()
    }),
  )
  return differences
}
