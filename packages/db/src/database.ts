import type { Statement } from './statement.ts'

/** Runs statements. `Database.read` sees committed data; a transaction also sees its own changes. */
export interface Queries {
  /** The first row, or undefined where there is none. */
  readonly first: <Params, Row>(statement: Statement<Params, Row>, params: Params) => Promise<Row | undefined>
  readonly all: <Params, Row>(statement: Statement<Params, Row>, params: Params) => Promise<Row[]>
}

/** The kinds of data whose changes are announced. */
export const changeKinds = [
  'api_key',
  'workspace',
  'workspace_job',
  'batch',
  'endpoint_control',
  'invitation',
  'member',
  'role',
  'record',
  'department',
  'saved_view',
  'template',
  'ladder',
  'claim',
  'assignment',
  'mention',
  'pinned_note',
  'player_link',
  'appeal',
  'appeal_settings',
  'approval',
  'retention',
  'event',
  'webhook',
  'import',
  'erasure',
] as const

/** A change to data that is cached elsewhere. Sent to listeners after the commit. */
export interface DataChange {
  readonly kind: (typeof changeKinds)[number]
  readonly workspaceId: string
  readonly id: string
  /** The event was a draft before and after: only callers who manage events may learn of it. */
  readonly isDraft?: boolean
}

/** A transaction: all of its changes are committed, or none. */
export interface Transaction extends Queries {
  /** Runs a statement that writes. @returns the number of rows that it changed */
  readonly run: <Params>(statement: Statement<Params, unknown>, params: Params) => Promise<number>
  /**
   * Runs a statement that writes and whose result nothing needs. A database server gets it without waiting for the results of those before. If it
   * fails, so does the transaction, after its function has returned: do not use it for an error that the function handles.
   */
  readonly send: <Params>(statement: Statement<Params, unknown>, params: Params) => Promise<void>
  /**
   * Runs a statement for each of several parameters, in their order. A database server gets them without waiting for each result; an
   * engine in this process lets reads run in between.
   * @returns the rows of each
   */
  readonly allEach: <Params, Row>(
    statement: Statement<Params, Row>,
    list: readonly Params[],
  ) => Promise<Row[][]>
  /**
   * Runs an insert of one row for each of several parameters, in their order, like `send`. A database server gets them in few statements; an engine in
   * this process lets reads run in between.
   */
  readonly insertEach: <Params>(
    statement: Statement<Params, unknown>,
    list: readonly Params[],
  ) => Promise<void>
  /** Queues a change for the listeners. It is sent after the commit, and dropped on a rollback. */
  readonly announce: (change: DataChange) => void
}

export interface DatabaseStats {
  /** Transactions committed since the database was opened. */
  readonly committed: number
  /** Transactions in the write queue. */
  readonly waiting: number
  /** Null for an engine without a server. */
  readonly connections: ConnectionStats | null
}

/** The connections of a process to a database server. */
export interface ConnectionStats {
  readonly pools: readonly PoolStats[]
  /** Whether notifications of other processes are received. */
  readonly isListening: boolean
}

export interface PoolStats {
  readonly name: 'lookups' | 'reads' | 'writes'
  readonly max: number
  readonly open: number
  /** Connections that a request uses; null for the pool of lookups, whose requests share connections. */
  readonly inUse: number | null
  /** Requests that wait for a connection. */
  readonly waiting: number
}

/** The size of a database and the space on its disk, in bytes; `disk` and `walBytes` are null for a database server. */
export interface DiskUsage {
  /** The WAL included. */
  readonly bytes: number
  readonly walBytes: number | null
  readonly disk: { readonly free: number; readonly total: number } | null
}

/**
 * The storage of an instance, on any engine. `write` runs a function as one transaction and resolves after the commit is on
 * disk. It may commit several transactions together, and may run a function again, so the function must have no side effects
 * outside its transaction.
 */
export interface Database {
  readonly read: Queries
  readonly write: <Result>(unit: (tx: Transaction) => Promise<Result>) => Promise<Result>
  /** Subscribes to committed changes, including those of other processes. @returns unsubscribes */
  readonly onChange: (listener: (change: DataChange) => void) => () => void
  /**
   * Subscribes to losses of the notification connection. While changes of other processes may be missed, and caches therefore
   * be stale, the listener is called repeatedly; once notifications arrive again, it is called a last time with `true`.
   * Never called on an engine that serves a single process.
   * @returns unsubscribes
   */
  readonly onMissedChanges: (listener: (isRecovered: boolean) => void) => () => void
  /**
   * Subscribes to refusals of connections because of a limit of the database server. While that goes on, the listener is called
   * only once, with the number of connections that are open. Never called on an engine without connections.
   * @returns unsubscribes
   */
  readonly onConnectionLimit: (listener: (open: number) => void) => () => void
  /** @throws Error where the database does not respond */
  readonly ping: () => Promise<void>
  /**
   * The id of the history of changes. It changes when the data is restored or moved: then the same sequence may stand for
   * another change than before. A process that reconnects to its database must read it again.
   */
  readonly readHistoryId: () => Promise<string>
  /** Whether other processes may use the same database. */
  readonly isShared: boolean
  /**
   * Sends at least one line of text to the `onBroadcast` listeners of other processes. Lines are not stored. Every process gets
   * all lines in the same order. Resolves when this process has got those that were sent before, or may have missed some.
   */
  readonly broadcast: (lines: readonly string[]) => Promise<void>
  /** Subscribes to the lines that other processes broadcast. @returns unsubscribes */
  readonly onBroadcast: (listener: (line: string) => void) => () => void
  readonly stats: () => DatabaseStats
  readonly diskUsage: () => Promise<DiskUsage>
  /** The name and version of the engine, such as `SQLite 3.54.1`. */
  readonly engine: () => string
  /**
   * Resolves with the error of a failed fsync, if there is one. All writes are rejected from then on, and the process must
   * exit: only the next start can tell what is on disk.
   */
  readonly fatalError: Promise<Error>
  /** Waits for pending writes, then closes. */
  readonly close: () => Promise<void>
}

/** Where the data of an instance is stored: in PostgreSQL where `databaseUrl` is set, otherwise in a folder. */
export interface DataLocation {
  readonly dataDir: string
  /** For example `postgres://user:password@host:5432/name`. */
  readonly databaseUrl: string | null
  /** The URL of a connection pooler in transaction mode for the same database. */
  readonly poolerUrl?: string | null
}
