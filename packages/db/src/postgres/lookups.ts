import type { Client, QueryResult } from 'pg'
import { CONNECTIONS, sharedConnection } from './connections.ts'
import { type Named, runOn } from './statements.ts'
import { isLost, mayGoBetter } from './trouble.ts'

/** Runs lookups, many at a time on few connections; once more where a connection turns out to be of no use any more. */
export interface Lookups {
  readonly run: (statement: Named, values: unknown[]) => Promise<QueryResult>
  readonly end: () => Promise<void>
}

/**
 * A ban check is quick for the server, so that most of it is sending and waiting: sent one behind the other, without
 * waiting for the answer to the one before, they cost a process half as much.
 * @param url of the server itself
 */
export function lookupsOn(url: string): Lookups {
  const made: (Promise<Client> | undefined)[] = Array(CONNECTIONS.lookups)
  let turn = 0

  function at(place: number): Promise<Client> {
    made[place] ??= sharedConnection(url).catch((error) => {
      made[place] = undefined
      throw error
    })
    return made[place]
  }

  /** The next one to come by makes it anew. */
  function giveUp(place: number, connection: Promise<Client>): void {
    if (made[place] !== connection) return
    made[place] = undefined
    connection.then((client) => client.end()).catch(() => {})
  }

  return {
    async run(statement, values) {
      turn = (turn + 1) % made.length
      const place = turn
      const connection = at(place)
      try {
        return await runOn(await connection, statement, values)
      } catch (error) {
        if (!isLost(error)) throw error
        giveUp(place, connection)
        if (!mayGoBetter(error)) throw error
        return runOn(await at(place), statement, values)
      }
    },
    async end() {
      await Promise.all(made.map((connection) => connection?.then((client) => client.end()).catch(() => {})))
    },
  }
}
