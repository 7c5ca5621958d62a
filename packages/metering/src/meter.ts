import { AppError, HOUR_MS, type Ports } from '@reeve/core'
import { type Database, insertAll, statement, type Transaction } from '@reeve/db'

/** One call to be counted. */
export interface MeteredRequest {
  readonly workspaceId: string
  readonly endpoint: string
  readonly actorId: string
}

/** What a workspace has used of a calendar month. */
interface MonthlyUsage {
  readonly from: number
  calls: number
  /** Calls let through that are still under way. */
  pending: number
  /** When it was read, by a clock that nobody sets. */
  loadedAt: number
}

/** What other processes have counted is known this much later at the most, in milliseconds, once they have written it. */
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
const usageSince = statement<{ workspaceId: string; hour: number }>()((sql, p) =>
  sql
    .selectFrom('usage')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('calls'), eb.lit(0)).as('calls'))
    .where('workspace_id', '=', p.workspaceId)
    .where('hour', '>=', p.hour),
)

/** Processes that add to the same rows do so in the same order: none then holds what another one waits for. */
const compareUsageCounts = (a: UsageCount, b: UsageCount): number =>
  compareText(a.workspaceId, b.workspaceId) ||
  compareText(a.actorId, b.actorId) ||
  compareText(a.endpoint, b.endpoint) ||
  a.hour - b.hour ||
  a.statusClass - b.statusClass

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const startOfHour = (at: number): number => at - (at % HOUR_MS)

/** The first moment of the calendar month (UTC) of `at`, and of the next one. */
function monthBounds(at: number): { from: number; until: number } {
  const date = new Date(at)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { from: Date.UTC(year, month, 1), until: Date.UTC(year, month + 1, 1) }
}

/**
 * Counts calls. Those of reads and of refused calls gather in memory until `flush`; that of a write goes into the
 * write's own transaction, so that no acknowledged write is ever uncounted.
 */
export class Meter {
  readonly #db: Database
  readonly #ports: Ports
  /** By actor: a few rows each. */
  #buffer = new Map<string, UsageCount[]>()
  /** Calls of this month, of the workspaces that were asked for it. */
  readonly #months = new Map<string, MonthlyUsage>()
  readonly #loading = new Map<string, Promise<MonthlyUsage>>()
  /** Calls under way that have been let through and not been counted yet: in which month, under which quota. */
  readonly #reservations = new WeakMap<
    MeteredRequest,
    { readonly month: MonthlyUsage; readonly quota: number }
  >()
  /** What is written and what is read for a month follow one another, so that no call is in both or in neither. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(db: Database, ports: Ports) {
    this.#db = db
    this.#ports = ports
  }

  /** Counts a call in memory. */
  count(request: MeteredRequest, status: number): void {
    this.#addToMonth(request)
    this.#addToBuffer(request, startOfHour(this.#ports.now()), Math.floor(status / 100), 1)
  }

  /**
   * Counts a successful write in the transaction of its effect. Where other processes write too, this is where it shows
   * whether one of them took the last call that was left.
   * @throws AppError `quota_exceeded`
   */
  async countInTransaction(tx: Transaction, request: MeteredRequest): Promise<void> {
    const reservation = this.#reservations.get(request)
    if (reservation && this.#db.isShared) {
      const { workspaceId } = request
      const stored = await tx.first(usageSince, { workspaceId, hour: reservation.month.from })
      if (Number(stored?.calls ?? 0) >= reservation.quota) throw this.#quotaExceeded()
    }
    await tx.run(incrementUsage, {
      ...request,
      hour: startOfHour(this.#ports.now()),
      statusClass: 2,
      calls: 1,
    })
  }

  /** Tells the meter that a write counted by `countIn` has been committed. */
  markCommitted(request: MeteredRequest): void {
    this.#addToMonth(request)
  }

  /** Writes what has gathered. A crash loses at most what came since the last flush, and only reads. */
  flush(): Promise<void> {
    return this.#runExclusive(() => this.#writeBuffer())
  }

  /**
   * Holds a workspace to its monthly quota. A call that is let through takes its place at once, so that any number at the
   * same time get no more than is left.
   * @throws AppError `quota_exceeded` with `Retry-After`: the seconds until the month (UTC) ends
   */
  async reserveQuota(request: MeteredRequest, quota: number): Promise<void> {
    const month = await this.#currentMonth(request.workspaceId)
    if (month.calls + month.pending < quota) {
      month.pending += 1
      this.#reservations.set(request, { month, quota })
      return
    }
    throw this.#quotaExceeded()
  }

  #quotaExceeded(): AppError {
    const now = this.#ports.now()
    const seconds = Math.max(1, Math.ceil((monthBounds(now).until - now) / 1000))
    return new AppError('quota_exceeded', { headers: { 'retry-after': String(seconds) } })
  }

  /** Calls of a workspace in this calendar month (UTC), those not yet written included. */
  async countThisMonth(workspaceId: string): Promise<number> {
    return (await this.#currentMonth(workspaceId)).calls
  }

  async #currentMonth(workspaceId: string): Promise<MonthlyUsage> {
    const { from } = monthBounds(this.#ports.now())
    const cached = this.#months.get(workspaceId)
    if (cached?.from === from && !this.#isStale(cached)) return cached
    const loading =
      this.#loading.get(workspaceId) ?? this.#runExclusive(() => this.#loadMonth(workspaceId, from))
    this.#loading.set(workspaceId, loading)
    return loading
  }

  /** Where other processes count calls too, what is known of a month gets old. */
  #isStale({ loadedAt }: MonthlyUsage): boolean {
    return this.#db.isShared && performance.now() - loadedAt > MAX_STALENESS_MS
  }

  async #loadMonth(workspaceId: string, from: number): Promise<MonthlyUsage> {
    try {
      await this.#writeBuffer()
      const stored = await this.#db.read.first(usageSince, { workspaceId, hour: from })
      const cached = this.#months.get(workspaceId)
      const month = cached?.from === from ? cached : { from, calls: 0, pending: 0, loadedAt: 0 }
      month.calls = Number(stored?.calls ?? 0)
      month.loadedAt = performance.now()
      for (const row of [...this.#buffer.values()].flat()) {
        if (row.workspaceId === workspaceId && row.hour >= from) month.calls += row.calls
      }
      this.#months.set(workspaceId, month)
      return month
    } finally {
      this.#loading.delete(workspaceId)
    }
  }

  async #writeBuffer(): Promise<void> {
    if (this.#buffer.size === 0) return
    const buffered = [...this.#buffer.values()].flat()
    this.#buffer = new Map()
    try {
      await this.#db.write(async (tx) => {
        for (const row of buffered.sort(compareUsageCounts)) await tx.run(incrementUsage, row)
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

  #addToMonth(request: MeteredRequest): void {
    const reservation = this.#reservations.get(request)
    if (reservation) {
      reservation.month.pending -= 1
      this.#reservations.delete(request)
    }
    const month = this.#months.get(request.workspaceId)
    if (month) month.calls += 1
  }
}
