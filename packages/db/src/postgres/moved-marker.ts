import type { Client } from 'pg'
import { DatabaseServerError } from '../errors.ts'
import {
  DELETE_UNFINISHED_MARKER,
  type EndpointLabels,
  isMovedAway,
  labelsForServer,
  MARKER_TABLE,
  type MoveMarker,
  parseMarker,
  SELECT_MARKER,
  toMovedReason,
} from '../moved-marker.ts'
import { lockKeySql } from './locks.ts'

/** How messages refer to the database of a connection. */
export const labelsForClient = ({ database, host, port }: Client): EndpointLabels =>
  labelsForServer(database ?? '', host, port)

/** The move marker of a database; null where it has none. */
export async function readMarker(client: Client): Promise<MoveMarker | null> {
  const { rows } = await client.query(`select to_regclass('${MARKER_TABLE}') is not null as is_there`)
  if (!rows[0]?.is_there) return null
  return parseMarker((await client.query({ text: SELECT_MARKER, rowMode: 'array' })).rows)
}

/** Takes the lock of a move until the connection closes. @returns false where another process has it */
export async function tryMoveLock(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${lockKeySql('move')}) as is_taken`)
  return rows[0]?.is_taken === true
}

/** Why a database cannot be used because of a move; null where it can. */
export async function readMovedReason(client: Client): Promise<string | null> {
  return toMovedReason(await readMarker(client), labelsForClient(client))
}

/**
 * Checks that no move prevents the use of a database. Forgets an unfinished move from it that is not running.
 * @throws DatabaseServerError
 */
export async function assertNotMoved(client: Client): Promise<void> {
  const marker = await readMarker(client)
  const movedReason = toMovedReason(marker, labelsForClient(client))
  if (movedReason !== null) throw new DatabaseServerError(movedReason)
  if (marker?.role !== 'from' || isMovedAway(marker)) return
  if (!(await tryMoveLock(client))) {
    throw new DatabaseServerError(
      `The data of ${labelsForClient(client).name} is being moved to ${marker.other}. Wait until that is complete.`,
    )
  }
  await client.query(DELETE_UNFINISHED_MARKER)
}
