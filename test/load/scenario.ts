import type { WorkspaceCredentials } from '../faults/support/populate.ts'
import type { OpenSocket } from './support/sockets.ts'

/** The data that the scenarios run on. */
export interface Dataset {
  /** 1 for 1,000,000 records and 1 GB of images. */
  readonly scale: number
  /** The workspace whose ban checks are measured. No scenario sends a request to it. */
  readonly checked: WorkspaceCredentials
  /** The players with a ban in the checked workspace: `FIRST_PLAYER` and those after it. */
  readonly bannedPlayers: number
  /** The workspace with many records and images. */
  readonly large: WorkspaceCredentials
  readonly largeRecords: number
  /** An empty workspace, whose owner creates what a scenario needs. */
  readonly texts: WorkspaceCredentials
  /** Further workspaces, each with its own owner. */
  readonly others: readonly WorkspaceCredentials[]
  /** An account that can sign in. */
  readonly account: { readonly username: string; readonly password: string }
}

/** What a scenario works with. It crosses a process boundary as JSON. */
export interface LoadContext {
  readonly url: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** A folder next to the data for what a scenario writes. It counts as disk growth. */
  readonly outputDir: string
  readonly dataset: Dataset
  /** How long the load lasts at least. Work that has begun is completed. */
  readonly seconds: number
}

/** Ids and tokens that `prepare` creates for `run`. */
export type Prepared = Readonly<Record<string, string>>

export interface Scenario {
  readonly name: string
  readonly title: string
  /** For a scenario that only SQLite has. */
  readonly sqliteOnly?: true
  /** The p99 of a ban check during the load, relative to p99 without it, where the promise is stricter than S10. */
  readonly maxRatio?: number
  /** How much the connections of `connect` may add to the resident memory of the server, in bytes. */
  readonly maxConnectionMemory?: number
  /** How long the load may last, in seconds, for one that the server ends. */
  readonly maxSeconds?: number
  /** Creates what the load needs, before anything is measured. */
  readonly prepare?: (context: LoadContext) => Promise<Prepared>
  /** Opens connections in the process of `run` for a load that begins with them: opening them is not measured. */
  readonly connect?: (context: LoadContext) => Promise<readonly OpenSocket[]>
  /**
   * Generates the load, in a process of its own.
   * @param connections those that `connect` has opened
   * @returns what was done, such as `3 archives`, or that with figures that have a bound of their own
   * @throws if the load did not happen, because the scenario would show nothing then
   */
  readonly run: (
    context: LoadContext,
    prepared: Prepared,
    connections: readonly OpenSocket[],
  ) => Promise<string | LoadResult>
}

/** What a load did, and how long the server took for it. It crosses a process boundary as JSON. */
export interface LoadResult {
  readonly work: string
  /** The p99 of the time from a change to the response of a request that waits for it, in milliseconds. */
  readonly wakeUpP99?: number
  /** The share of what the load has created for receivers that they had received when it ended. */
  readonly receivedShare?: number
}

/** Repeats an action until the load has lasted long enough. @returns how often it ran */
export async function repeatAction(
  { seconds }: Pick<LoadContext, 'seconds'>,
  action: (index: number) => Promise<void>,
): Promise<number> {
  const endsAt = performance.now() + seconds * 1000
  let count = 0
  do {
    await action(count)
    count += 1
  } while (performance.now() < endsAt)
  return count
}

/** Counts responses by status, such as `200: 12, 503: 4`. */
export function createStatusCounter() {
  const counts = new Map<string, number>()
  return {
    add: (status: number | string) => counts.set(String(status), (counts.get(String(status)) ?? 0) + 1),
    get: (status: number | string) => counts.get(String(status)) ?? 0,
    format: () =>
      [...counts]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
  }
}
