import { Kysely, PostgresDialect } from 'kysely'
import { type Client, Pool } from 'pg'
import type { Database, DataChange, Queries } from '../database.ts'
import { DatabaseServerError, toUnavailable } from '../errors.ts'
import type { Statement } from '../statement.ts'
import type { Tables } from '../tables/index.ts'
import { createAvailability } from './availability.ts'
import { createLimitReport } from './connection-limit.ts'
import {
  CONNECTIONS,
  type ConnectionTarget,
  createReadPool,
  createWritePool,
  type LimitHandlers,
  type WritePool,
} from './connections.ts'
import { isRetryable, isServerError } from './errors.ts'
import { readHistoryId } from './history-id.ts'
import { createKeyedMutex } from './keyed-mutex.ts'
import { listen } from './listener.ts'
import type { Notification, NotificationCodec } from './notifications.ts'
import { createPing } from './ping.ts'
import { createPipelinedReads } from './pipelined-reads.ts'
import { createStatementCache, runStatement } from './statements.ts'
import { createTransactionLimit } from './transaction-limit.ts'
import { createUnitRunner } from './unit-runner.ts'

/** How long to wait for the server when connections are closed, in milliseconds: one that hangs would never confirm it. */
const MAX_CLOSE_MS = 2000

/**
 * The database on a PostgreSQL server. The schema must be migrated.
 * @param url the URL of the server: a pooler in transaction mode passes on no notifications
 * @param target where reads and transactions connect to
 * @param engine the name and version of the engine
 * @param notifications writes and reads the notifications to other processes
 */
export async function postgresDatabase(
  url: string,
  target: ConnectionTarget,
  engine: string,
  notifications: NotificationCodec,
): Promise<Database> {
  const limit = createLimitReport(() => pool.size() + readPool.size() + (pipelinedReads?.size() ?? 0))
  const handlers: LimitHandlers = {
    onDenied(isStarved) {
      limit.report()
      if (!isStarved) return
      // Transactions and the listener need one each; lookups and other reads can do without.
      const giver = pipelinedReads !== null && pipelinedReads.size() > 0 ? pipelinedReads : readPool
      giver.giveUpConnection()
    },
  }
  const transactionLimit = createTransactionLimit(CONNECTIONS.units)
  const pool = createWritePool(target, transactionLimit.get, handlers)
  const readPool = createReadPool(target, pool, handlers)
  const pipelinedReads = target.isPooled
    ? null
    : createPipelinedReads(url, readPool, transactionLimit.observe, handlers)
  const ping = createPing(target, () => limit.countOpen() > 0)
  const availability = createAvailability({
    async check() {
      await ping.check()
      // The server responds, so what is late may be lost.
      await pipelinedReads?.closeDropped(ping)
    },
  })
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new Pool() }) })
  const prepare = createStatementCache(kysely, !target.isPooled)
  const listeners = new Set<(change: DataChange) => void>()
  const lineListeners = new Set<(line: string) => void>()
  const missedChangesListeners = new Set<(isRecovered: boolean) => void>()
  const pendingBroadcasts = new Map<string, () => void>()
  const by = crypto.randomUUID()
  /** Whose changes this process has applied already. */
  let changesBy = by

  const notifyListeners = (change: DataChange) => {
    for (const listener of listeners) listener(change)
  }
  const resolveBroadcasts = () => {
    for (const resolve of pendingBroadcasts.values()) resolve()
  }
  const notifyMissedChanges = (isRecovered: boolean) => {
    for (const listener of missedChangesListeners) listener(isRecovered)
    resolveBroadcasts()
  }
  const handleMessage = (message: Notification) => {
    if ('change' in message) {
      if (message.by !== changesBy) notifyListeners(message.change)
    } else if (message.by !== by) for (const listener of lineListeners) listener(message.line)
    else pendingBroadcasts.get(message.broadcastId ?? '')?.()
  }
  const handlePayload = (payload: string) => {
    try {
      const messages = notifications.parse(payload)
      if (messages === null) return notifyMissedChanges(true)
      for (const message of messages) handleMessage(message)
    } catch {
      // A listener that cannot apply a change must not end the process: it reads everything again.
      notifyMissedChanges(true)
    }
  }
  // At a connection limit, one for transactions is enough for every request, so it is opened first.
  await openFirstConnection(pool)
  const listener = await listen(url, handlePayload, notifyMissedChanges, handlers)
  const units = createUnitRunner(
    {
      pool,
      availability,
      prepare,
      acquireMutex: createKeyedMutex(),
      broadcastSql: (changes) => notifications.toSql(changes.map((change) => ({ by: changesBy, change }))),
    },
    {
      onCommitted: (changes) => changes.forEach(notifyListeners),
      onUnconfirmed(changes) {
        // If the commit is still to come, its changes are received like those of another process.
        changesBy = crypto.randomUUID()
        changes.forEach(notifyListeners)
      },
    },
  )

  const fetchRows = async <Params, Row>(
    statement: Statement<Params, Row>,
    params: Params,
  ): Promise<Row[]> => {
    const prepared = prepare(statement as Statement<never, unknown>)
    if (prepared.compiled.isWrite)
      throw new TypeError('reads are read-only: a statement that writes needs a transaction')
    const values = prepared.compiled.values(params as Readonly<Record<string, unknown>>)
    if (!statement.isLookup || !pipelinedReads)
      return (await runRead((client) => runStatement(client, prepared, values))).rows
    try {
      return (await availability.run(() => pipelinedReads.run(prepared, values))).rows
    } catch (error) {
      throw isServerError(error) ? toUnavailable(error) : error
    }
  }
  /** Runs a read, again if its connection was broken. @throws AppError `unavailable` */
  async function runRead<Result>(runOn: (client: Client) => Promise<Result>): Promise<Result> {
    const runOnce = () => availability.run(() => readPool.run(runOn))
    try {
      // The pool drops a broken connection, so a retry runs on another one.
      return await runOnce().catch((error: unknown) => {
        if (isRetryable(error)) return runOnce()
        throw error
      })
    } catch (error) {
      throw isServerError(error) ? toUnavailable(error) : error
    }
  }
  const read: Queries = {
    first: async (statement, params) => (await fetchRows(statement, params))[0],
    all: fetchRows,
  }

  return {
    read,
    write: units.write,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onMissedChanges(listener) {
      missedChangesListeners.add(listener)
      return () => missedChangesListeners.delete(listener)
    },
    onConnectionLimit: limit.subscribe,
    isShared: true,
    readHistoryId: () => runRead(readHistoryId),
    async broadcast(lines) {
      const broadcastId = crypto.randomUUID()
      const received = Promise.withResolvers<void>()
      pendingBroadcasts.set(broadcastId, received.resolve)
      const messages = lines.map((line, index) => ({
        by,
        line,
        ...(index === lines.length - 1 && { broadcastId }),
      }))
      try {
        await readPool.run((client) => client.query(notifications.toSql(messages).join('; ')))
        await received.promise
      } finally {
        pendingBroadcasts.delete(broadcastId)
      }
    },
    onBroadcast(listener) {
      lineListeners.add(listener)
      return () => lineListeners.delete(listener)
    },
    stats: () => ({
      ...units.stats(),
      connections: {
        pools: [...(pipelinedReads === null ? [] : [pipelinedReads.stats()]), readPool.stats(), pool.stats()],
        isListening: listener.isConnected(),
      },
    }),
    async diskUsage() {
      const { rows } = await readPool.run((client) =>
        client.query('select pg_database_size(current_database()) as bytes'),
      )
      return { bytes: Number(rows[0]?.bytes ?? 0), walBytes: null, disk: null }
    },
    engine: () => engine,
    fatalError: new Promise(() => {}),
    ping: ping.check,
    async close() {
      await units.idle()
      availability.end()
      const stopListener = () => listener.stop().finally(resolveBroadcasts)
      const ends = [stopListener(), pipelinedReads?.end(), ping.end(), readPool.end(), pool.end()]
      await Promise.race([Promise.all(ends), Bun.sleep(MAX_CLOSE_MS)])
    },
  }
}

/** @throws DatabaseServerError */
async function openFirstConnection(pool: WritePool): Promise<void> {
  try {
    const connection = await pool.acquire()
    connection.release()
  } catch (error) {
    await pool.end()
    throw new DatabaseServerError(
      `The database server refuses connections for requests: ${(error as Error).message}. Raise its connection limit, or end other programs that use it.`,
    )
  }
}
