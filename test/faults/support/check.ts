import { verifyAudit } from '@reeve/audit'
import { inspectDataFolder, inspectServer, type Queries, statement } from '@reeve/db'
import { openConnection } from './connection.ts'
import type { Acknowledged, Ledger } from './writers.ts'
import { credentials } from './writers.ts'

const rowsByRequest = statement()((sql) =>
  sql
    .selectFrom('audit')
    .select((eb) => ['request_id', eb.fn.countAll<number>().as('rows')])
    .groupBy('request_id'),
)

/** What a look into a database found. */
export interface Found {
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  /** Writes that nobody was told of, and that are there. */
  readonly present: ReadonlySet<string>
  /** What the engine, the foreign keys and the audit chains say against it. */
  readonly faults: readonly string[]
}

/** Looks into the database of a folder, which another process may be using, and at the file and its references too. */
export async function lookInto(folder: string, acknowledged: readonly Acknowledged[]): Promise<Found> {
  const inspection = inspectDataFolder(folder)
  try {
    const found = await lookThrough(inspection.read, acknowledged)
    return { ...found, faults: [...inspection.integrity(), ...inspection.foreignKeys(), ...found.faults] }
  } finally {
    inspection.close()
  }
}

/** Looks into a database of a server, beside whoever is using it. */
export async function lookIntoServer(url: string, acknowledged: readonly Acknowledged[]): Promise<Found> {
  const inspection = await inspectServer(url)
  try {
    return await lookThrough(inspection.read, acknowledged)
  } finally {
    await inspection.close()
  }
}

/**
 * Whether every acknowledged write is there, once, and the chain of every workspace is whole. The audit row of a write is of
 * the same transaction as its effect.
 */
async function lookThrough(read: Queries, acknowledged: readonly Acknowledged[]): Promise<Found> {
  const rows = new Map<string, number>()
  for (const row of await read.all(rowsByRequest, {})) rows.set(row.request_id, Number(row.rows))
  const lost = acknowledged.filter(({ id, rows: wanted }) => (rows.get(id) ?? 0) < wanted)
  const doubled = acknowledged.filter(({ id, rows: wanted }) => (rows.get(id) ?? 0) > wanted)
  const { faults } = await verifyAudit(read)
  return {
    lost: lost.map(({ id }) => id),
    doubled: doubled.map(({ id }) => id),
    present: new Set(rows.keys()),
    faults: faults.map(
      ({ workspaceId, sequence, fault }) => `chain of ${workspaceId} at ${sequence}: ${fault}`,
    ),
  }
}

const READERS = 16

/** Reads back what writes were answered with, and forgets it. @returns the addresses where something else is found now */
export async function differences(url: string, ledger: Ledger): Promise<string[]> {
  const waiting = [...ledger.states]
  ledger.states.clear()
  const differing: string[] = []
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      const connection = openConnection(url)
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [path, { state, name, place }] = next
        const as = path.startsWith('/api/workspaces') ? 'session' : 'key'
        const { status, body } = await connection.call({
          method: 'GET',
          path,
          headers: credentials(place, as),
        })
        const found = status === 404 ? null : body[name]
        if (!Bun.deepEquals(found, state)) {
          differing.push(`${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(state)}`)
        }
      }
      connection.close()
    }),
  )
  return differing
}
