import type { EngineCosts, RequestCosts } from './costs.ts'
import type { Load } from './demand.ts'

/** Target CPU utilization, which keeps queueing short. */
const MAX_UTILIZATION = 0.6

/** Default requests per minute of a key, and keys per workspace. */
export const DEFAULT_KEY_RATE = 600
export const MAX_KEYS = 50

/** Default connection limit of PostgreSQL, and connections per Reeve process. */
export const SERVER_CONNECTIONS = 100
export const PROCESS_CONNECTIONS = 14

const kinds = ['check', 'roster', 'events', 'write'] as const

/** CPU cores that a load uses in Reeve and on the database server. */
export function computeProcessors(load: Load, calls: RequestCosts): { reeve: number; database: number } {
  const sumCores = (part: 'reeve' | 'database') =>
    kinds.reduce((total, kind) => total + load[kind] * calls[kind][part], 0) / 1_000_000
  return { reeve: sumCores('reeve'), database: sumCores('database') }
}

/** Reeve processes that a load needs: each handles requests on one core. */
export const computeProcesses = (load: Load, calls: RequestCosts): number =>
  Math.max(1, Math.ceil(computeProcessors(load, calls).reeve / MAX_UTILIZATION))

/** CPU cores that a database server needs for a load. */
export const computeDatabaseProcessors = (load: Load, calls: RequestCosts): number =>
  Math.max(1, Math.ceil(computeProcessors(load, calls).database / MAX_UTILIZATION))

/** A limit, and the multiple of a load at which it is reached. */
export interface Limit {
  readonly description: string
  readonly loadFactor: number
  readonly remedy: string
}

const totalRequests = (load: Load): number => kinds.reduce((sum, kind) => sum + load[kind], 0)

/** The limits in the order in which a growing load reaches them, with all of the load in one workspace. */
export function listLimits(load: Load, sqlite: EngineCosts, postgres: EngineCosts): Limit[] {
  const singleProcessFactor = MAX_UTILIZATION / computeProcessors(load, sqlite.calls).reeve
  const processesPerDatabase = Math.floor((SERVER_CONNECTIONS - 3) / PROCESS_CONNECTIONS)
  const replicasFactor =
    (MAX_UTILIZATION * processesPerDatabase) / computeProcessors(load, postgres.calls).reeve
  const limits = [
    {
      description: `one API key at ${DEFAULT_KEY_RATE} requests a minute, the default`,
      loadFactor: DEFAULT_KEY_RATE / 60 / totalRequests(load),
      remedy: 'raise `REEVE_KEY_RATE_PER_MINUTE`, or use more keys',
    },
    {
      description: `all ${MAX_KEYS} keys of a workspace at the default rate`,
      loadFactor: (MAX_KEYS * DEFAULT_KEY_RATE) / 60 / totalRequests(load),
      remedy: 'raise `REEVE_KEY_RATE_PER_MINUTE`',
    },
    {
      description: 'one binary on SQLite, at 60 % of one core',
      loadFactor: singleProcessFactor,
      remedy: 'several processes on PostgreSQL',
    },
    {
      description: 'records of one workspace on SQLite',
      loadFactor: sqlite.writesOfOneWorkspace / load.write,
      remedy: 'not needed: staff do not write that much',
    },
    {
      description: 'records of one workspace on PostgreSQL, one commit at a time',
      loadFactor: postgres.writesOfOneWorkspace / load.write,
      remedy: 'several workspaces, which write concurrently',
    },
    {
      description: 'a PostgreSQL server with 8 cores, at 60 %',
      loadFactor: (8 * MAX_UTILIZATION) / computeProcessors(load, postgres.calls).database,
      remedy: 'a larger server, then sharding',
    },
    {
      description: `${processesPerDatabase} processes at PostgreSQL’s default of ${SERVER_CONNECTIONS} connections`,
      loadFactor: replicasFactor,
      remedy: 'PgBouncer, or a larger `max_connections`',
    },
  ]
  return limits.sort((first, second) => first.loadFactor - second.loadFactor)
}
