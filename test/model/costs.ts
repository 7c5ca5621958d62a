/** CPU time per request in microseconds. */
export interface RequestCost {
  readonly reeve: number
  /** On the database server; 0 if the database is embedded. */
  readonly database: number
}

/** The kinds of requests that a game network sends. */
export interface RequestCosts {
  /** The ban check of one player. */
  readonly check: RequestCost
  /** The ban check of 100 players. */
  readonly roster: RequestCost
  /** The next 20 events. */
  readonly events: RequestCost
  /** Creating a moderation record, durably. */
  readonly write: RequestCost
}

export interface EngineCosts {
  readonly calls: RequestCosts
  /** Records per second in one workspace, regardless of the number of processes. */
  readonly writesOfOneWorkspace: number
  /** Disk space of a record with its indexes and its audit row, in bytes. */
  readonly bytesOfRecord: number
}

/** Measured costs and where they were measured; written by `bun test/model/measure.ts`. */
export interface Costs {
  readonly at: string
  readonly commit: string
  readonly cpu: string
  readonly cores: number
  readonly sqlite: EngineCosts
  readonly postgres: EngineCosts
}

export const costs = (await Bun.file(`${import.meta.dir}/costs.json`).json()) as Costs
