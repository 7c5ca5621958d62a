import type { Client } from 'pg'
import { DatabaseServerError } from '../errors.ts'
import { lockKeySql } from '../postgres/locks.ts'
import { labelsForClient, tryMoveLock } from '../postgres/moved-marker.ts'

/** How long to wait for the lock of another move, and how often to try, in milliseconds. */
const WAIT_MS = 30_000
const POLL_MS = 200

/**
 * When the server ends the session of a move whose process was killed or whose machine was lost, which holds the lock until then: within a
 * second, or within 25. By default, it would end the statement that is running first, or take hours to notice a lost machine. Sources:
 * https://www.postgresql.org/docs/current/runtime-config-connection.html#GUC-CLIENT-CONNECTION-CHECK-INTERVAL, …#GUC-TCP-KEEPALIVES-IDLE
 */
const SESSION_SETTINGS = {
  client_connection_check_interval: '1s',
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
} as const

/** The session that holds the lock of a move in this database. */
const HOLDER = `select a.pid, coalesce(host(a.client_addr), 'this machine') as address,
    to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and (l.classid::bigint << 32) | l.objid::bigint = ${lockKeySql('move')}
    and l.database = (select oid from pg_database where datname = current_database())`

interface Holder {
  readonly pid: number
  readonly address: string
  readonly since: string
}

/**
 * Takes the lock of a move until the connection closes. Waits for another move: one whose process was killed holds it until the server
 * notices.
 * @param onWait gets a sentence for the user if the lock is not free at once
 * @throws DatabaseServerError if it is not free after half a minute
 */
export async function acquireMoveLock(client: Client, onWait: (reason: string) => void): Promise<void> {
  await endWithProcess(client)
  const startedAt = performance.now()
  const { name } = labelsForClient(client)
  let hasReported = false
  while (!(await tryMoveLock(client))) {
    const [holder] = (await client.query<Holder>(HOLDER)).rows
    if (performance.now() - startedAt > WAIT_MS) throw lockedError(name, holder)
    if (!hasReported)
      onWait(
        `Another move holds ${name}${holder ? `, from ${holder.address} since ${holder.since}` : ''}. If it was interrupted, the ` +
          `server notices in a moment. Waiting up to ${WAIT_MS / 1000} seconds.`,
      )
    hasReported = true
    await Bun.sleep(POLL_MS)
  }
}

/** Lets the server end the session soon after the process. */
async function endWithProcess(client: Client): Promise<void> {
  for (const [setting, value] of Object.entries(SESSION_SETTINGS)) {
    // Not every operating system of a server supports it.
    await client.query('select set_config($1, $2, false)', [setting, value]).catch(() => {})
  }
}

const lockedError = (name: string, holder: Holder | undefined): DatabaseServerError =>
  new DatabaseServerError(
    `Another move of ${name} is in progress${holder ? `, from ${holder.address} since ${holder.since}` : ''}. Wait until it is ` +
      'complete. ' +
      (holder
        ? `If no \`reeve move\` runs there any more, end its session in that database, and run this command again: psql -c 'select pg_terminate_backend(${holder.pid})'.`
        : 'Then run this command again.'),
  )
