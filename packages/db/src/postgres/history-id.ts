import type { Client } from 'pg'
import { createHistoryValue, INSERT_HISTORY, SELECT_HISTORY, toHistoryId } from '../history-id.ts'
import { readMarker } from './moved-marker.ts'

/** Creates the random value of the history, unless another process has. */
export async function insertHistory(client: Client): Promise<void> {
  await client.query(INSERT_HISTORY, [createHistoryValue()])
}

/**
 * A database that was restored from a dump has another OID, and a server that was restored to a point in time, or that replaces
 * a failed one, has another timeline. A server in recovery, which writes no WAL of its own, is asked for that of its last checkpoint.
 */
const SELECT_ORIGIN = `select (select oid::text from pg_database where datname = current_database()) as database,
  case when pg_is_in_recovery()
    then (select upper(lpad(to_hex(timeline_id), 8, '0')) from pg_control_checkpoint())
    else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
  end as timeline`

/** The id of the history of a database. */
export async function readHistoryId(client: Client): Promise<string> {
  const secret = await client.query(SELECT_HISTORY)
  const origin = await client.query(SELECT_ORIGIN)
  const { database, timeline } = origin.rows[0]
  return toHistoryId(secret.rows[0]?.value ?? '', (await readMarker(client))?.id ?? null, database, timeline)
}
