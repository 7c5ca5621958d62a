import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * An index of the deliveries of a webhook for each state, instead of one over all deliveries and one over all states. Those that wait are few and
 * share pages, so that a delivery changes one index page of its webhook alone, when it is delivered, and not one when it is created, too.
 */
export const deliveryStates: Migration = {
  name: '0004-delivery-states',
  async up({ db }) {
    await sql`drop index delivery_by_state`.execute(db)
    await sql`drop index delivery_by_target`.execute(db)
    for (const state of ['pending', 'delivered', 'failed'] as const)
      await sql`create index ${sql.ref(`delivery_${state}`)} on delivery (workspace_id, target_id, id)
        where state = ${sql.lit(state)}`.execute(db)
  },
}
