import type { CallCosts, EngineCosts } from './costs.ts'
import type { Load } from './demand.ts'

/** How busy a processor may be, so that calls do not wait for one another for long. */
const BUSY = 0.6

/** What a key may ask in a minute, and how many keys a workspace may have, unless a setting says otherwise. */
export const KEY_RATE = 600
export const KEYS = 50

/** Connections that PostgreSQL takes unless told otherwise, and that a process of Reeve keeps. */
export const SERVER_CONNECTIONS = 100
export const PROCESS_CONNECTIONS = 13

const kinds = ['check', 'roster', 'events', 'write'] as const

/** Processors that a load keeps busy: of Reeve, and of the database server. */
export function processors(load: Load, calls: CallCosts): { reeve: number; database: number } {
  const sum = (part: 'reeve' | 'database') =>
    kinds.reduce((total, kind) => total + load[kind] * calls[kind][part], 0) / 1_000_000
  return { reeve: sum('reeve'), database: sum('database') }
}

/** Processes of Reeve that a load needs: each answers on one processor. */
export const processesFor = (load: Load, calls: CallCosts): number =>
  Math.max(1, Math.ceil(processors(load, calls).reeve / BUSY))

/** Processors that a database server needs for a load. */
export const databaseProcessorsFor = (load: Load, calls: CallCosts): number =>
  Math.max(1, Math.ceil(processors(load, calls).database / BUSY))

/** Something that gives way, and at how many times a load. */
export interface Limit {
  readonly what: string
  readonly at: number
  readonly wayOut: string
}

const callsOf = (load: Load): number => kinds.reduce((sum, kind) => sum + load[kind], 0)

/** What gives way as a load grows, that which does so first at the head; all of it in one workspace. */
export function limitsOf(load: Load, sqlite: EngineCosts, postgres: EngineCosts): Limit[] {
  const oneProcess = BUSY / processors(load, sqlite.calls).reeve
  const processesOfServer = Math.floor((SERVER_CONNECTIONS - 3) / PROCESS_CONNECTIONS)
  const replicas = (BUSY * processesOfServer) / processors(load, postgres.calls).reeve
  const limits = [
    {
      what: `one API key at ${KEY_RATE} calls a minute, the default`,
      at: KEY_RATE / 60 / callsOf(load),
      wayOut: 'raise `REEVE_KEY_RATE_PER_MINUTE`, or spread servers over more keys',
    },
    {
      what: `all ${KEYS} keys of a workspace at the default`,
      at: (KEYS * KEY_RATE) / 60 / callsOf(load),
      wayOut: 'raise `REEVE_KEY_RATE_PER_MINUTE`',
    },
    {
      what: 'one binary on SQLite, at 60 % of one processor',
      at: oneProcess,
      wayOut: 'several processes over PostgreSQL',
    },
    {
      what: 'records of one workspace on SQLite',
      at: sqlite.writesOfOneWorkspace / load.write,
      wayOut: 'none is needed: staff do not write that much',
    },
    {
      what: 'records of one workspace on PostgreSQL, one commit after another',
      at: postgres.writesOfOneWorkspace / load.write,
      wayOut: 'several workspaces, which write side by side',
    },
    {
      what: 'a PostgreSQL server of 8 processors, at 60 %',
      at: (8 * BUSY) / processors(load, postgres.calls).database,
      wayOut: 'a larger one, then shards',
    },
    {
      what: `${processesOfServer} processes at PostgreSQL’s default of ${SERVER_CONNECTIONS} connections`,
      at: replicas,
      wayOut: 'PgBouncer, or a larger `max_connections`',
    },
  ]
  return limits.sort((one, other) => one.at - other.at)
}
