import { DAY_MS, DELIVERY_DAYS, type Ports, STORED_ROW_BYTES } from '@reeve/core'
import {
  type Conditions,
  createTimeSlicer,
  type Database,
  type Queries,
  sqlLiteral,
  statement,
  yieldToEventLoop,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { deliveryStates } from './model.ts'

const KEPT_MS = DELIVERY_DAYS * DAY_MS
/** Deliveries that are deleted in a transaction. */
const SLICE_ROWS = 200

/** The bytes of the texts of a delivery. */
const countBytes = (eb: Conditions<'delivery'>) => {
  const sizeOf = (column: 'payload' | 'response') =>
    eb.fn.coalesce(eb.fn<number>('octet_length', [column]), eb.lit(0))
  return eb(sizeOf('payload'), '+', sizeOf('response')).as('bytes')
}

interface Slice {
  readonly limit: number
}

const finishedBefore = statement<Slice & { before: number }>()((sql, p) =>
  sql
    .selectFrom('delivery')
    .select((eb) => ['workspace_id', 'id', countBytes(eb)])
    .where('done_at', '<=', p.before)
    .orderBy('done_at')
    .limit(p.limit),
)
const deletedWebhooks = statement<{ limit: number }>()((sql, p) =>
  sql.selectFrom('webhook').select(['workspace_id', 'id']).where('deleted_at', 'is not', null).limit(p.limit),
)
/** One for each state, because there is an index for each. */
const sentTo = deliveryStates.map((state) =>
  statement<Slice & { workspaceId: string; targetId: string }>()((sql, p) =>
    sql
      .selectFrom('delivery')
      .select((eb) => ['workspace_id', 'id', countBytes(eb)])
      .where('workspace_id', '=', p.workspaceId)
      .where('target_id', '=', p.targetId)
      .where('state', '=', sqlLiteral(state))
      .limit(p.limit),
  ),
)
const deleteDelivery = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('delivery').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const deleteWebhookRow = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .deleteFrom('webhook')
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('deleted_at', 'is not', null),
)

const WEBHOOKS_PER_RUN = 100

/** Deletes deliveries that finished `DELIVERY_DAYS` ago, and webhooks that were deleted with everything that was sent to them. */
export async function deleteOldDeliveries(db: Database, ports: Ports, signal?: AbortSignal): Promise<void> {
  const before = ports.now() - KEPT_MS
  await deleteAll(db, (tx) => tx.all(finishedBefore, { before, limit: SLICE_ROWS }), signal)
  for (const { workspace_id: workspaceId, id } of await db.read.all(deletedWebhooks, {
    limit: WEBHOOKS_PER_RUN,
  })) {
    for (const ofState of sentTo)
      await deleteAll(db, (tx) => tx.all(ofState, { workspaceId, targetId: id, limit: SLICE_ROWS }), signal)
    if (signal?.aborted) return
    await db.write((tx) => tx.run(deleteWebhookRow, { workspaceId, id }))
  }
}

interface StoredDelivery {
  readonly workspace_id: string
  readonly id: string
  readonly bytes: number
}

/** Deletes deliveries in slices until none is found. @param findNext reads those of a slice */
async function deleteAll(
  db: Database,
  findNext: (db: Queries) => Promise<StoredDelivery[]>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const rows = await findNext(db.read)
    for (const [workspaceId, group] of Map.groupBy(rows, (row) => row.workspace_id))
      await deleteGroup(db, workspaceId, group)
    if (rows.length < SLICE_ROWS) return
    await yieldToEventLoop()
  }
}

/** Deletes deliveries of one workspace. */
const deleteGroup = (db: Database, workspaceId: string, rows: readonly StoredDelivery[]): Promise<void> =>
  db.write(async (tx) => {
    const yieldIfDue = createTimeSlicer()
    let freedBytes = 0
    for (const { id, bytes } of rows) {
      // Otherwise another process has deleted it.
      if ((await tx.run(deleteDelivery, { workspaceId, id })) > 0)
        freedBytes += STORED_ROW_BYTES + Number(bytes)
      await yieldIfDue()
    }
    await changeStorage(tx, workspaceId, 'records', -freedBytes)
  })
