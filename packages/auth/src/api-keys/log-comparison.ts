import { PAGE_ROWS, parseChanges, type ResourceDifference, RowReader, readLoggedChanges } from '@reeve/audit'
import { HIGHEST_ID, NO_LIMITS } from '@reeve/core'
import { type ApiKeyTable, type Queries, statement } from '@reeve/db'
import { presentLimits } from '@reeve/http'
import { toAuditSnapshot } from './create.ts'

const keysBelow = statement<{ workspaceId: string; beforeId: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '<', p.beforeId)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

type Fields = Readonly<Record<string, unknown>>

/** What happened to a key: what it became, or which key replaced it. */
interface KeyEvent {
  readonly id: string
  readonly sequence: number
  readonly isCreation: boolean
  readonly after: Fields
}

/**
 * Compares the API keys of a workspace with the audit log. Archives contain no keys, so that roll-backs do not change them.
 * What a restore does to keys is not compared, because it is not in the log: it revokes those that were revoked since the backup.
 * @returns the number of keys
 */
export async function compareApiKeys(
  read: Queries,
  workspaceId: string,
  onDifference: (difference: ResourceDifference) => void,
): Promise<number> {
  const expected = replayEvents(await readEvents(read, workspaceId))
  const rows = new RowReader<ApiKeyTable>(PAGE_ROWS, (last) =>
    read.all(keysBelow, { workspaceId, beforeId: last?.id ?? HIGHEST_ID, limit: PAGE_ROWS }),
  )
  let count = 0
  for await (const row of rows) {
    count += 1
    const { id } = row
    const known = expected.get(id)
    expected.delete(id)
    if (known === undefined) {
      onDifference({ workspaceId, id, kind: 'unknown', fields: [] })
      continue
    }
    const current = toComparedFields(toAuditSnapshot(row))
    const fields = Object.keys(current).filter(
      (field) =>
        known[field] !== undefined &&
        !isSame(known[field], current[field]) &&
        !(field === 'revokedAt' && known.revokedAt === null),
    )
    if (fields.length > 0) onDifference({ workspaceId, id, kind: 'changed', fields })
  }
  for (const id of expected.keys()) onDifference({ workspaceId, id, kind: 'missing', fields: [] })
  return count
}

/** The changes of all keys, in the order in which they happened: a rotation copies the fields of another key. */
async function readEvents(read: Queries, workspaceId: string): Promise<KeyEvent[]> {
  const events: KeyEvent[] = []
  for await (const { target_id: id, sequence, changes } of readLoggedChanges(read, workspaceId, 'api_key')) {
    const { before, after } = changes === null ? { before: null, after: null } : parseChanges(changes)
    if (after !== null) events.push({ id, sequence, isCreation: before === null, after })
  }
  return events.sort((one, other) => one.sequence - other.sequence)
}

/** @returns the last values of the fields of every key. A field that earlier versions did not log is absent. */
function replayEvents(events: readonly KeyEvent[]): Map<string, Fields> {
  const keys = new Map<string, Fields>()
  for (const { id, isCreation, after } of events) {
    const before = keys.get(id) ?? {}
    if (typeof after.replacedBy === 'string') keys.set(after.replacedBy, { ...before, revokedAt: null })
    keys.set(id, isCreation ? toComparedFields({ ...NOT_SET, ...after }) : { ...before, ...after })
  }
  return keys
}

/** Entries leave out what is not set. */
const NOT_SET = { permissions: [], limits: null, allowedAddresses: null, expiresAt: null, revokedAt: null }

/** Of a new key, the log has the limits in a field of their own; of a limited one, it has those that became stricter. */
function toComparedFields(snapshot: Fields): Fields {
  const { limits, restoredAt: _, ...fields } = snapshot
  return { ...fields, ...presentLimits(NO_LIMITS), ...(limits as Fields | null) }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
