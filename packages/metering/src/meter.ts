import { AppError, errorCodes, HOUR_MS, type Ports } from '@reeve/core'
import { type Database, insertAll, type Queries, statement, type Transaction } from '@reeve/db'
import { createMonth, type MonthlyUsage, monthBounds } from './month.ts'

/** A request to count. */
export interface MeteredRequest {
  readonly workspaceId: string
  readonly endpoint: string
  readonly actorId: string
}

/**
 * The status class of requests that were rejected because the quota was used up. They do not count against it: otherwise
 * they would use up a quota that an operator raises, and the share of a write that another process has in flight.
 */
export const OVER_QUOTA_CLASS = 429

/** A request whose client did not wait for the response, such as a follower that stops, was not rejected. */
const toStatusClass = (status: number): number =>
  status === errorCodes.client_closed_request.status ? 2 : Math.floor(status / 100)

/** How long a month's usage is cached where other processes count requests too. */
const MAX_STALENESS_MS = 1000

interface UsageCount extends MeteredRequest {
  readonly hour: number
  readonly statusClass: number
  calls: number
}

const incrementUsage = statement<UsageCount>({ isCommutative: true })((sql, p) =>
  insertAll(sql, 'usage', {
    workspace_id: p.workspaceId,
    hour: p.hour,
    endpoint: p.endpoint,
    actor_id: p.actorId,
    status_class: p.statusClass,
    calls: p.calls,
  }).onConflict((conflict) =>
    conflict
      .columns(['workspace_id', 'hour', 'endpoint', 'actor_id', 'status_class'])
      .doUpdateSet((eb) => ({ calls: eb('usage.calls', '+', eb.ref('excluded.calls')) })),
  ),
)
// Without the lock of the instance: one that is deleted after this fails the flush, and the next one does without it.
const existingWorkspaces = statement<{ ids: readonly string[] }>({ isCommutative: true })((sql, p, dialect) =>
  sql.selectFrom('workspace').select('id').where(dialect.inList('id', p.ids)).where('hidden', 'is', null),
)
const usageBetween = statement<{ workspaceId: string; from: number; until: number }>()((sql, p) =>
  sql
    .selectFrom('usage')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('calls'), eb.lit(0)).as('calls'))
    .where('workspace_id', '=', p.workspaceId)
    .where('hour', '>=', p.from)
    .where('hour', '<', p.until)
    .where((eb) => eb('status_class', '!=', eb.lit(OVER_QUOTA_CLASS))),
)

/** The requests of one workspace that are stored and count against its quota, in these hours. */
const sumStored = async (
  db: Pick<Queries, 'first'>,
  workspaceId: string,
  from: number,
  until: number,
): Promise<number> => Number((await db.first(usageBetween, { workspaceId, from, until }))?.calls ?? 0)

/** All processes update rows in the same order, which prevents deadlocks. */
const compareUsageCounts = (a: UsageCount, b: UsageCount): number =>
  compareText(a.workspaceId, b.workspaceId) ||
  compareText(a.actorId, b.actorId) ||
  compareText(a.endpoint, b.endpoint) ||
  a.hour - b.hour ||
  a.statusClass - b.statusClass

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const startOfHour = (at: number): number => at - (at % HOUR_MS)

/**
 * Counts requests. Reads and rejected requests are counted in memory until `flush`; a write is counted in its own
 * transaction, so that no acknowledged write is uncounted.
 */
export class Meter {
  readonly #db: Database
  readonly #ports: Ports
  /** By actor, with a few rows each. */
  #buffer = new Map<string, UsageCount[]>()
  /** The usage of the current month, by workspace. */
  readonly #months = new Map<string, MonthlyUsage>()
  readonly #loading = new Map<string, Promise<MonthlyUsage>>()
  /** Requests in flight that have passed the quota check, with the month and the quota. */
  readonly #reservations = new WeakMap<
    MeteredRequest,
    { readonly month: MonthlyUsage; readonly quota: number }
  >()
  /** Requests beyond the quota that may only get the response to an earlier one. */
  readonly #retries = new WeakSet<MeteredRequest>()
  /** Requests that were rejected because the quota was used up. */
  readonly #overQuota = new WeakSet<MeteredRequest>()
  /** Serializes flushes and loads of a month, so that a request is in exactly one of the two. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(db: Database, ports: Ports) {
    this.#db = db
    this.#ports = ports
  }

  /** Counts a request in memory. */
  count(request: MeteredRequest, status: number): void {
    const isOverQuota = this.#overQuota.has(request)
    const statusClass = isOverQuota ? OVER_QUOTA_CLASS : toStatusClass(status)
    this.#endReservation(request)
    if (!isOverQuota) this.#addToMonth(request)
    this.#addToBuffer(request, startOfHour(this.#ports.now()), statusClass, 1)
  }

  /**
   * Counts a successful write in the transaction of its effect. With several processes, this decides whether the quota
   * allows it: writes of one workspace run one after another, and each sees those before it.
   * @throws AppError `quota_exceeded`
   */
  async countInTransaction(tx: Transaction, request: MeteredRequest): Promise<void> {
    // The response to the earlier request was deleted in the meantime.
    if (this.#retries.has(request)) throw this.#rejectOverQuota(request)
    const reservation = this.#reservations.get(request)
    if (reservation && this.#db.isShared) {
      const { month, quota } = reservation
      const { earlierCalls, recentFrom, until } = month
      const storedCalls = earlierCalls + (await sumStored(tx, request.workspaceId, recentFrom, until))
      if (storedCalls >= quota) {
        month.storedCalls = Math.max(month.storedCalls, storedCalls)
        throw this.#rejectOverQuota(request)
      }
    }
    await tx.send(incrementUsage, {
      ...request,
      hour: startOfHour(this.#ports.now()),
      statusClass: 2,
      calls: 1,
    })
  }

  /** Records that a write counted by `countInTransaction` has been committed. */
  markCommitted(request: MeteredRequest): void {
    this.#endReservation(request)
    this.#addToMonth(request)
  }

  /** Stores the counts in memory. A crash loses at most those since the last flush, and never a write. */
  flush(): Promise<void> {
    return this.#runExclusive(() => this.#writeBuffer())
  }

  /**
   * Enforces the monthly quota of a workspace. An allowed request reserves its share at once, so that concurrent requests
   * cannot exceed the quota. With several processes, it is only rejected if the stored requests have used up the quota:
   * `countInTransaction` decides otherwise.
   * @param isRetry whether the request repeats an earlier one, which used its share of the quota
   * @throws AppError `quota_exceeded` with `Retry-After`: seconds until the month (UTC) ends
   */
  async reserveQuota(request: MeteredRequest, quota: number, isRetry: () => Promise<boolean>): Promise<void> {
    const month = await this.#currentMonth(request.workspaceId)
    const used = this.#db.isShared ? month.storedCalls : month.calls + month.pending
    if (used >= quota) {
      if (!(await isRetry())) throw this.#rejectOverQuota(request)
      this.#retries.add(request)
      return
    }
    month.pending += 1
    this.#reservations.set(request, { month, quota })
  }

  #rejectOverQuota(request: MeteredRequest): AppError {
    this.#overQuota.add(request)
    const now = this.#ports.now()
    const seconds = Math.max(1, Math.ceil((monthBounds(now).until - now) / 1000))
    return new AppError('quota_exceeded', { headers: { 'retry-after': String(seconds) } })
  }

  /** The requests that count against the quota in the current calendar month (UTC), including those not stored yet. */
  async countThisMonth(workspaceId: string): Promise<number> {
    return (await this.#currentMonth(workspaceId)).calls
  }

  async #currentMonth(workspaceId: string): Promise<MonthlyUsage> {
    const bounds = monthBounds(this.#ports.now())
    const cached = this.#months.get(workspaceId)
    if (cached?.from === bounds.from && !this.#isStale(cached)) return cached
    const loading =
      this.#loading.get(workspaceId) ?? this.#runExclusive(() => this.#loadMonth(workspaceId, bounds))
    this.#loading.set(workspaceId, loading)
    return loading
  }

  /** Usage only becomes stale where other processes count requests too. */
  #isStale({ loadedAt }: MonthlyUsage): boolean {
    return this.#db.isShared && performance.now() - loadedAt > MAX_STALENESS_MS
  }

  async #loadMonth(workspaceId: string, bounds: Pick<MonthlyUsage, 'from' | 'until'>): Promise<MonthlyUsage> {
    try {
      await this.#writeBuffer()
      const cached = this.#months.get(workspaceId)
      const month = cached?.from === bounds.from ? cached : createMonth(bounds)
      await this.#loadStored(workspaceId, month)
      month.calls = month.storedCalls
      month.loadedAt = performance.now()
      for (const row of [...this.#buffer.values()].flat()) {
        const countsAgainstQuota =
          row.hour >= month.from && row.hour < month.until && row.statusClass !== OVER_QUOTA_CLASS
        if (row.workspaceId === workspaceId && countsAgainstQuota) month.calls += row.calls
      }
      this.#months.set(workspaceId, month)
      return month
    } finally {
      this.#loading.delete(workspaceId)
    }
  }

  /** Sums the stored requests. Hours before the previous one are read once an hour, because they hardly change any more. */
  async #loadStored(workspaceId: string, month: MonthlyUsage): Promise<void> {
    const recentFrom = Math.max(month.from, startOfHour(this.#ports.now()) - HOUR_MS)
    if (recentFrom !== month.recentFrom) {
      month.earlierCalls = await sumStored(this.#db.read, workspaceId, month.from, recentFrom)
      month.recentFrom = recentFrom
    }
    month.storedCalls =
      month.earlierCalls + (await sumStored(this.#db.read, workspaceId, recentFrom, month.until))
  }

  async #writeBuffer(): Promise<void> {
    if (this.#buffer.size === 0) return
    const buffered = [...this.#buffer.values()].flat()
    this.#buffer = new Map()
    try {
      await this.#db.write(async (tx) => {
        // A workspace may have been deleted since.
        const ids = [...new Set(buffered.map((row) => row.workspaceId))]
        const existing = new Set((await tx.all(existingWorkspaces, { ids })).map(({ id }) => id))
        for (const row of buffered.sort(compareUsageCounts))
          if (existing.has(row.workspaceId)) await tx.run(incrementUsage, row)
      })
    } catch (error) {
      for (const { hour, statusClass, calls, ...request } of buffered)
        this.#addToBuffer(request, hour, statusClass, calls)
      throw error
    }
  }

  #runExclusive<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(task)
    this.#queue = result.catch(() => undefined)
    return result
  }

  #addToBuffer(request: MeteredRequest, hour: number, statusClass: number, calls: number): void {
    const { workspaceId, endpoint, actorId } = request
    const actorRows = this.#buffer.get(actorId)
    const cached = actorRows?.find(
      (a) =>
        a.endpoint === endpoint &&
        a.statusClass === statusClass &&
        a.hour === hour &&
        a.workspaceId === workspaceId,
    )
    if (cached) {
      cached.calls += calls
      return
    }
    const row = { workspaceId, endpoint, actorId, hour, statusClass, calls }
    if (actorRows) actorRows.push(row)
    else this.#buffer.set(actorId, [row])
  }

  #endReservation(request: MeteredRequest): void {
    const reservation = this.#reservations.get(request)
    if (!reservation) return
    reservation.month.pending -= 1
    this.#reservations.delete(request)
  }

  #addToMonth(request: MeteredRequest): void {
    const month = this.#months.get(request.workspaceId)
    if (month) month.calls += 1
  }
}
