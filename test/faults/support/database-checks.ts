import { verifyAudit } from '@reeve/audit'
import { inspectDataFolder, inspectServer, type Queries, statement } from '@reeve/db'
import { openConnection } from './connection.ts'
import type { Acknowledged, WriteLedger } from './write-load.ts'
import { createAuthHeaders } from './write-load.ts'

const rowsByRequest = statement()((sql) =>
  sql
    .selectFrom('audit')
    .select((eb) => ['request_id', eb.fn.countAll<number>().as('rows')])
    .groupBy('request_id'),
)

/** What a look into a database found. */
export interface CheckResult {
  readonly lost: readonly string[]
  readonly duplicated: readonly string[]
  /** Writes that nobody was told of, and that are there. */
  readonly presentIds: ReadonlySet<string>
  /** What the engine, the foreign keys and the audit chains say against it. */
  readonly faults: readonly string[]
}

/** Looks into the database of a folder, which another process may be using, and at the file and its references too. */
export async function checkDataFolder(
  folder: string,
  acknowledged: readonly Acknowledged[],
): Promise<CheckResult> {
  const inspection = inspectDataFolder(folder)
  try {
    const result = await checkDatabase(inspection.read, acknowledged)
    return { ...result, faults: [...inspection.integrity(), ...inspection.foreignKeys(), ...result.faults] }
  } finally {
    inspection.close()
  }
}

/** Looks into a database of a server, beside whoever is using it. */
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
 * Whether every acknowledged write is there, once, and the chain of every workspace is whole. The audit row of a write is of
 * the same transaction as its effect.
 */
async function checkDatabase(read: Queries, acknowledged: readonly Acknowledged[]): Promise<CheckResult> {
  const rows = new Map<string, number>()
  for (const row of await read.all(rowsByRequest, {})) rows.set(row.request_id, Number(row.rows))
  const lost = acknowledged.filter(({ id, rows: expectedRows }) => (rows.get(id) ?? 0) < expectedRows)
  const duplicated = acknowledged.filter(({ id, rows: expectedRows }) => (rows.get(id) ?? 0) > expectedRows)
  const { faults } = await verifyAudit(read)
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

/** Reads back what writes were answered with, and forgets it. @returns the addresses where something else is found now */
export async function findStateDifferences(url: string, ledger: WriteLedger): Promise<string[]> {
  const pending = [...ledger.expectedStates]
  ledger.expectedStates.clear()
  const differences: string[] = []
  await Promise.all(
    Array.from({ length: READER_COUNT }, async () => {
      const connection = openConnection(url)
      for (let entry = pending.pop(); entry; entry = pending.pop()) {
        const [path, { state, name, workspace }] = entry
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
