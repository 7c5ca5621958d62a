/** What a call costs, in microseconds of processor. */
export interface RequestCost {
  readonly reeve: number
  /** On the database server; 0 where the database is embedded. */
  readonly database: number
}

/** The kinds of call that a game network makes. */
export interface RequestCosts {
  /** The ban check of one player. */
  readonly check: RequestCost
  /** The ban check of 100 players. */
  readonly roster: RequestCost
  /** The next 20 events. */
  readonly events: RequestCost
  /** A moderation record, on the disk. */
  readonly write: RequestCost
}

export interface EngineCosts {
  readonly calls: RequestCosts
  /** Records that one workspace takes in a second, however many processes there are. */
  readonly writesOfOneWorkspace: number
  /** What a record takes on the disk with its indexes and its row of the audit log, in bytes. */
  readonly bytesOfRecord: number
}

/** What was measured, and where: `bun test/model/measure.ts` writes it anew. */
export interface Costs {
  readonly at: string
  readonly commit: string
  readonly cpu: string
  readonly cores: number
  readonly sqlite: EngineCosts
  readonly postgres: EngineCosts
}

export const costs = (await Bun.file(`${import.meta.dir}/costs.json`).json()) as Costs
