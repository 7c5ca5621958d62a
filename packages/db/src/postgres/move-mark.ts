import type { Client } from 'pg'
import { DatabaseServerError } from '../database-server-error.ts'
import {
  FORGETTING,
  isGone,
  MARK_TABLE,
  type Mark,
  markIn,
  READING,
  refusalOf,
  type Words,
  wordsOfServer,
} from '../move/mark.ts'
import { lockNumber } from './locks.ts'

export const wordsOf = ({ database, host, port }: Client): Words => wordsOfServer(database ?? '', host, port)

/** The mark of a database; null where it has none. */
export async function markOn(client: Client): Promise<Mark | null> {
  const { rows } = await client.query(`select to_regclass('${MARK_TABLE}') is not null as is_there`)
  if (!rows[0]?.is_there) return null
  return markIn((await client.query({ text: READING, rowMode: 'array' })).rows)
}

/** Takes the lock that whoever moves a database holds, to the end of the connection. @returns whether it was free */
export async function takeMoveLock(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${lockNumber('move')}) as is_taken`)
  return rows[0]?.is_taken === true
}

/** Why a database cannot be used because of a move; null where it can. */
export async function whyMovedOn(client: Client): Promise<string | null> {
  return refusalOf(await markOn(client), wordsOf(client))
}

/**
 * Makes sure that a database can be used: that it is no end of a move, other than of one that broke off before it was done,
 * which is forgotten.
 * @throws DatabaseServerError
 */
export async function needUnmoved(client: Client): Promise<void> {
  const mark = await markOn(client)
  const refusal = refusalOf(mark, wordsOf(client))
  if (refusal !== null) throw new DatabaseServerError(refusal)
  if (mark?.role !== 'from' || isGone(mark)) return
  if (!(await takeMoveLock(client))) {
    throw new DatabaseServerError(
      `The data of ${wordsOf(client).name} is being moved to ${mark.other} at this moment. Wait until that is done.`,
    )
  }
  await client.query(FORGETTING)
}
