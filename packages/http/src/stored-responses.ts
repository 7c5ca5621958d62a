import { countStoredBytes, DAY_MS, HOUR_MS, type Ports } from '@reeve/core'
import {
  type Database,
  type IdempotencyTable,
  statement,
  type Transaction,
  upsertAll,
  yieldToEventLoop,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'

/** How long the response to an `Idempotency-Key` is stored. */
export const RESPONSE_RETENTION_MS = DAY_MS

/** Of an actor with more responses, the oldest are deleted, but none before this age: retries follow within minutes. */
const MIN_RESPONSE_AGE_MS = HOUR_MS
const MAX_RESPONSES_PER_ACTOR = 10_000
const MAX_RESPONSE_BYTES_PER_ACTOR = 32_000_000

/** Rows per statement: a few milliseconds, also where large texts are deleted. */
const SLICE_ROWS = 100

/** The columns of the key, and the time, by which the rows are sorted. */
const POSITION = ['created_at', 'workspace_id', 'actor_id', 'route', 'key'] as const

type Position = Pick<IdempotencyTable, (typeof POSITION)[number]>

const upsertResponse = statement<IdempotencyTable>()((sql, p) =>
  upsertAll(sql, 'idempotency', p, ['workspace_id', 'actor_id', 'route', 'key']),
)
const responsesBefore = statement<Position & { limit: number }>()((sql, p) =>
  sql
    .selectFrom('idempotency')
    .select([...POSITION])
    .select((eb) => eb.fn<number>('octet_length', ['answer']).as('bytes'))
    // For the index, which has only this column.
    .where('created_at', '<=', p.created_at)
    .where((eb) =>
      eb(
        eb.refTuple('created_at', 'workspace_id', 'actor_id', 'route', 'key'),
        '<',
        eb.tuple(p.created_at, p.workspace_id, p.actor_id, p.route, p.key),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('workspace_id', 'desc')
    .orderBy('actor_id', 'desc')
    .orderBy('route', 'desc')
    .orderBy('key', 'desc')
    .limit(p.limit),
)
const deleteResponse = statement<Position>()((sql, p) =>
  sql
    .deleteFrom('idempotency')
    .where('workspace_id', '=', p.workspace_id)
    .where('actor_id', '=', p.actor_id)
    .where('route', '=', p.route)
    .where('key', '=', p.key)
    .where('created_at', '=', p.created_at),
)

/** Stores a response, in the transaction of its effect. */
export async function storeResponse(tx: Transaction, row: IdempotencyTable): Promise<void> {
  await tx.send(upsertResponse, row)
  if (row.workspace_id !== '')
    await changeStorage(tx, row.workspace_id, 'responses', countStoredBytes(row.answer))
}

type StoredResponse = Position & { readonly bytes: number }

/** Deletes expired responses, and the oldest of actors that have too many or too large ones. */
export async function deleteOldResponses(db: Database, ports: Ports, signal?: AbortSignal): Promise<void> {
  const isTooMany = createActorLimit(ports.now() - MIN_RESPONSE_AGE_MS)
  const expiredAt = ports.now() - RESPONSE_RETENTION_MS
  let position: Position = {
    created_at: Number.MAX_SAFE_INTEGER,
    workspace_id: '',
    actor_id: '',
    route: '',
    key: '',
  }
  while (!signal?.aborted) {
    const rows = await db.read.all(responsesBefore, { ...position, limit: SLICE_ROWS })
    const old = rows.filter((row) => row.created_at <= expiredAt || isTooMany(row))
    for (const group of Map.groupBy(old, (row) => row.workspace_id).values()) await deleteAll(db, group)
    const last = rows.at(-1)
    if (!last || rows.length < SLICE_ROWS) return
    position = last
    await yieldToEventLoop()
  }
}

/** Decides whether a response is beyond the limits of its actor. It must get all responses, the newest first. */
function createActorLimit(minimumAgeAt: number): (row: StoredResponse) => boolean {
  const totals = new Map<string, { count: number; bytes: number }>()
  return ({ actor_id, bytes, created_at }) => {
    const total = totals.get(actor_id) ?? { count: 0, bytes: 0 }
    total.count += 1
    total.bytes += Number(bytes)
    totals.set(actor_id, total)
    const isOver = total.count > MAX_RESPONSES_PER_ACTOR || total.bytes > MAX_RESPONSE_BYTES_PER_ACTOR
    return isOver && created_at <= minimumAgeAt
  }
}

/** Deletes responses of one workspace. */
const deleteAll = (db: Database, rows: readonly StoredResponse[]): Promise<void> =>
  db.write(async (tx) => {
    let freed = 0
    // A row that was replaced in the meantime has another time, and stays.
    for (const row of rows)
      if ((await tx.run(deleteResponse, row)) > 0) freed += Number(row.bytes) + countStoredBytes()
    const [first] = rows
    if (first && first.workspace_id !== '') await changeStorage(tx, first.workspace_id, 'responses', -freed)
  })
