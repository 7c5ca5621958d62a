import { countStoredBytes, type Ports } from '@reeve/core'
import { type DeliveryTable, insertAll, statement, type Transaction } from '@reeve/db'

const insert = statement<DeliveryTable>({ isCommutative: true })((sql, p) => insertAll(sql, 'delivery', p))

/** What a delivery counts as storage. */
export const countDeliveryBytes = ({
  payload,
  response,
}: Pick<DeliveryTable, 'payload' | 'response'>): number => countStoredBytes(payload, response)

/** A delivery that is due now. */
export function createDelivery(
  ports: Ports,
  delivery: Pick<DeliveryTable, 'workspace_id' | 'target_id' | 'kind' | 'resource_id' | 'payload'>,
): DeliveryTable {
  const now = ports.now()
  return {
    ...delivery,
    id: ports.newId(),
    state: 'pending',
    attempt: 0,
    due_at: now,
    leased_until: null,
    leased_by: null,
    last_status: null,
    last_error: null,
    response: null,
    duration_ms: null,
    message_id: null,
    created_at: now,
    done_at: null,
  }
}

/** Inserts deliveries. The caller counts them (`countDeliveryBytes`). */
export const insertDeliveries = (tx: Transaction, deliveries: readonly DeliveryTable[]): Promise<void> =>
  tx.insertEach(insert, deliveries)
