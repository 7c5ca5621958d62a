import type { Statement } from './statement.ts'

/** Runs statements. On `Database.read` each sees what is committed; in a unit, the unit's own changes too. */
export interface Queries {
  /** The first row, or undefined where there is none. */
  readonly first: <Params, Row>(statement: Statement<Params, Row>, params: Params) => Promise<Row | undefined>
  readonly all: <Params, Row>(statement: Statement<Params, Row>, params: Params) => Promise<Row[]>
}

/** Something others keep a copy of has changed: told to listeners once it is committed. */
export interface DataChange {
  readonly kind:
    | 'api_key'
    | 'workspace'
    | 'endpoint_control'
    | 'invitation'
    | 'member'
    | 'role'
    | 'record'
    | 'department'
    | 'event'
  readonly workspaceId: string
  readonly id: string
  /** An event that was a draft before and after: only those who manage events may know of it. */
  readonly isDraft?: boolean
}

/** One unit of work: all of it happens, or none. */
export interface Transaction extends Queries {
  /** Runs a changing statement and returns how many rows it changed. */
  readonly run: <Params>(statement: Statement<Params, unknown>, params: Params) => Promise<number>
  /** Tells listeners of a change, after the commit and only if there is one. */
  readonly announce: (change: DataChange) => void
}

/** How busy a database is. */
export interface DatabaseStats {
  /** Units committed since it was opened. */
  readonly committed: number
  /** Units that wait for their turn. */
  readonly waiting: number
}

/** How much room a database takes, and what there is on the disk that it lies on; null where that is another machine's. */
export interface DiskUsage {
  readonly bytes: number
  readonly disk: { readonly free: number; readonly total: number } | null
}

/**
 * The one door to storage. `write` is the only way to change anything: it resolves after the commit is on disk, runs
 * waiting units together, and may run a unit again. So a unit touches nothing outside its transaction.
 */
export interface Database {
  readonly read: Queries
  readonly write: <Result>(unit: (tx: Transaction) => Promise<Result>) => Promise<Result>
  /** @returns a function that ends the listening */
  readonly onChange: (listener: (change: DataChange) => void) => () => void
  /**
   * Tells when changes that other processes made may have gone unheard, so that what is kept in memory is to be read anew:
   * again and again for as long as that lasts, and a last time (`true`) when it is over. Never where there is one process.
   * @returns a function that ends the listening
   */
  readonly onMissedChanges: (listener: (isRecovered: boolean) => void) => () => void
  /** Resolves where the database answers; rejects where it does not. */
  readonly ping: () => Promise<void>
  /** Whether other processes may have it open too. */
  readonly isShared: boolean
  /** Tells them of lines, which are kept nowhere; they hear them by `onTold`. */
  readonly broadcast: (lines: readonly string[]) => Promise<void>
  /** @returns a function that ends the listening */
  readonly onBroadcast: (listener: (line: string) => void) => () => void
  readonly stats: () => DatabaseStats
  readonly diskUsage: () => Promise<DiskUsage>
  /** The engine and its version, such as `SQLite 3.54.1`. */
  readonly engine: () => string
  /**
   * Resolves, if ever, with the error of a disk that failed to confirm a write. Nothing is written from then on, and the
   * process has to end: what is on the disk shows at the next start.
   */
  readonly fatalError: Promise<Error>
  /** Waits for the writes under way, then closes. */
  readonly close: () => Promise<void>
}

/** Where the data of an instance lies: in a database of PostgreSQL where one is named, else in a folder. */
export interface DataLocation {
  readonly dataDir: string
  /** Such as `postgres://user:password@host:5432/name`. */
  readonly databaseUrl: string | null
  /** The same database by way of a pooler that lends connections for single transactions. */
  readonly poolerUrl?: string | null
}
