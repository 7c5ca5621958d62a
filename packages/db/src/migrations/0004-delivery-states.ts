import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * An index of the deliveries of a webhook for each state. A delivery that is created and sent then changes one page that belongs to its webhook,
 * not three: an event for many webhooks changes as many.
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
