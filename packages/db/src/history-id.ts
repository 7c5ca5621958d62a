import { createHash } from 'node:crypto'

/**
 * The history of an instance: its changes in their order. Restoring a backup begins another history, in which the same numbers
 * stand for other changes, so programs that follow changes compare the id of the history.
 */

/** The name of the random value among the secrets of the instance. A restore deletes it, and the next start creates another one. */
const NAME = 'history'

export const INSERT_HISTORY = `insert into instance_secret (name, value) values ('${NAME}', $1) on conflict do nothing`
export const SELECT_HISTORY = `select value from instance_secret where name = '${NAME}'`
export const DELETE_HISTORY = `delete from instance_secret where name = '${NAME}'`

export const createHistoryValue = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')

const ID_LENGTH = 12

/** Derives the id from everything that changes with the history. */
export const toHistoryId = (...parts: readonly (string | number | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_LENGTH)
