import type { Queries } from '../database.ts'
import { type SchemaDifference, schemaDifference } from '../migrate.ts'
import { connectToServer } from './connect.ts'
import { readMovedReason } from './moved-marker.ts'
import { createClientQueries } from './statements.ts'

/** A read-only snapshot of a PostgreSQL database that may be in use. Nothing is locked, changed or migrated. */
export interface ServerInspection {
  /** The name and version of the engine, such as `PostgreSQL 18.4`. */
  readonly engine: string
  /** Whether the server accepts no writes: it is a standby, or is set to reject them. */
  readonly isReadOnly: boolean
  readonly read: Queries
  /** Null where the database contains no instance. */
  readonly schema: SchemaDifference | null
  /** Why it cannot be used because of a move; null where it can. */
  readonly movedReason: string | null
  /** The server's clock and the time of the last change (null where there is none), in epoch milliseconds. */
  readonly times: () => Promise<{ readonly server: number; readonly newestChange: number | null }>
  readonly close: () => Promise<void>
}

/** Opens a snapshot of a database. @throws DatabaseServerError */
export async function inspectPostgres(url: string): Promise<ServerInspection> {
  const { client, version } = await connectToServer(url)
  const { rows: modes } = await client.query(
    "select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only",
  )
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query("select to_regclass('migration') is not null as is_begun")
  const applied = rows[0]?.is_begun ? (await client.query('select name from migration')).rows : null
  return {
    engine: `PostgreSQL ${version}`,
    isReadOnly: modes[0]?.is_read_only,
    read: createClientQueries(client),
    movedReason: await readMovedReason(client),
    schema: applied && schemaDifference(applied.map(({ name }) => String(name))),
    async times() {
      const clock = await client.query('select (extract(epoch from clock_timestamp()) * 1000)::bigint as at')
      const newest = await client.query(
        'select max(a.at) as at from workspace_head h ' +
          'join audit a on a.workspace_id = h.workspace_id and a.sequence = h.audit_sequence',
      )
      return { server: clock.rows[0]?.at, newestChange: newest.rows[0]?.at ?? null }
    },
    close: () => client.end(),
  }
}
