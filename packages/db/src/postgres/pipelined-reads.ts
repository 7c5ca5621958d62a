import type { QueryResult } from 'pg'
import type { PoolStats } from '../database.ts'
import type { ConnectionPool } from './connection-pool.ts'
import {
  CONNECTIONS,
  type LimitHandlers,
  openPipelinedConnection,
  type PipelinedConnection,
} from './connections.ts'
import { isConnectionDenied, isConnectionLost, isRetryable } from './errors.ts'
import type { Ping } from './ping.ts'
import { type PreparedStatement, runStatement } from './statements.ts'

/** Runs lookups pipelined on a few connections. Retries once where the connection is lost. */
export interface PipelinedReads {
  readonly run: (statement: PreparedStatement, values: unknown[]) => Promise<QueryResult>
  /** The number of open connections. */
  readonly size: () => number
  readonly stats: () => PoolStats
  /** Closes a connection once its lookups are done, so that another part of this process can open one. */
  readonly giveUpConnection: () => void
  /** Closes the connections that no longer lead to the server, although neither side was told. Their lookups are retried on new ones. */
  readonly closeDropped: (ping: Pick<Ping, 'findBusy'>) => Promise<void>
  readonly end: () => Promise<void>
}

/** For how long no connection is opened after one was refused or given up. */
const LIMITED_MS = 2000
/** A connection without a response for this long is dropped if the server is not executing anything for it. */
const DROPPED_MS = 1000

/** A connection, and how many lookups wait for their results on it. */
interface Slot {
  readonly connection: Promise<PipelinedConnection>
  /** Null until it is open. */
  opened: PipelinedConnection | null
  pending: number
  /** Since when there was no response, where lookups wait for one. */
  silentSince: number
}

/**
 * Most of the cost of a lookup, such as a ban check, is the round trip. Sending each without waiting for the previous result
 * halves the CPU time of the process.
 * @param url the URL of the server, not of a pooler
 * @param fallback runs lookups while no connection can be opened
 * @param onDuration gets how long each lookup took that was sent on an open connection
 */
export function createPipelinedReads(
  url: string,
  fallback: Pick<ConnectionPool, 'run'>,
  onDuration: (durationMs: number) => void,
  { onDenied }: LimitHandlers,
): PipelinedReads {
  const slots: (Slot | undefined)[] = Array(CONNECTIONS.lookups)
  let lastIndex = 0
  let limitedUntil = 0

  function openSlot(index: number): Slot {
    const slot: Slot = { connection: openPipelinedConnection(url), opened: null, pending: 0, silentSince: 0 }
    slots[index] = slot
    slot.connection.then(
      (connection) => {
        slot.opened = connection
        slot.silentSince = performance.now()
      },
      (error) => {
        if (slots[index] === slot) slots[index] = undefined
        if (!isConnectionDenied(error)) return
        limitedUntil = performance.now() + LIMITED_MS
        onDenied(false)
      },
    )
    return slot
  }

  /** The connection with this index; at a connection limit, one of those that are open. */
  function chooseSlot(index: number): Slot | undefined {
    if (slots[index] === undefined && performance.now() < limitedUntil)
      return slots.find((slot) => slot !== undefined)
    return slots[index] ?? openSlot(index)
  }

  /** Drops a connection. The next lookup with its index reconnects. */
  function discardSlot(slot: Slot): void {
    const index = slots.indexOf(slot)
    if (index >= 0) slots[index] = undefined
  }

  const close = (slot: Slot) => slot.connection.then(({ client }) => client.end()).catch(() => {})

  async function runOnSlot(
    slot: Slot,
    statement: PreparedStatement,
    values: unknown[],
  ): Promise<QueryResult> {
    if (slot.pending === 0) slot.silentSince = performance.now()
    slot.pending += 1
    try {
      const { client } = await slot.connection
      const sentAt = performance.now()
      const result = await runStatement(client, statement, values)
      onDuration(performance.now() - sentAt)
      return result
    } catch (error) {
      if (isConnectionLost(error)) discardSlot(slot)
      throw error
    } finally {
      slot.pending -= 1
      slot.silentSince = performance.now()
      if (slot.pending === 0 && !slots.includes(slot)) void close(slot)
    }
  }

  async function runOnce(
    index: number,
    statement: PreparedStatement,
    values: unknown[],
  ): Promise<QueryResult> {
    const slot = chooseSlot(index)
    const runOnFallback = () => fallback.run((client) => runStatement(client, statement, values))
    if (slot === undefined) return runOnFallback()
    try {
      return await runOnSlot(slot, statement, values)
    } catch (error) {
      if (isConnectionDenied(error)) return runOnFallback()
      throw error
    }
  }

  const isSilent = ({ pending, silentSince }: Slot) =>
    pending > 0 && performance.now() - silentSince >= DROPPED_MS

  const size = () => slots.filter((slot) => slot?.opened).length

  return {
    async run(statement, values) {
      lastIndex = (lastIndex + 1) % slots.length
      const index = lastIndex
      try {
        return await runOnce(index, statement, values)
      } catch (error) {
        if (!isConnectionLost(error) || !isRetryable(error)) throw error
        // On the same index, because other connections may be lost too.
        return runOnce(index, statement, values)
      }
    },
    size,
    stats: () => ({ name: 'lookups', max: slots.length, open: size(), inUse: null, waiting: 0 }),
    giveUpConnection() {
      const slot = slots.findLast((candidate) => candidate?.opened)
      if (slot === undefined) return
      limitedUntil = performance.now() + LIMITED_MS
      discardSlot(slot)
      if (slot.pending === 0) void close(slot)
    },
    async closeDropped(ping) {
      const silent = slots.flatMap((slot) =>
        slot?.opened && isSilent(slot) ? [{ slot, ...slot.opened }] : [],
      )
      if (silent.length === 0) return
      const busy = await ping.findBusy(silent.map(({ processId }) => processId))
      for (const { slot, processId, destroy } of silent) {
        if (busy.includes(processId) || !isSilent(slot)) continue
        discardSlot(slot)
        destroy()
      }
    },
    async end() {
      await Promise.all(slots.map((slot) => slot && close(slot)))
    },
  }
}
