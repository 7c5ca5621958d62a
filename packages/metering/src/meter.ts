import { AppError, type Ports } from '@reeve/core'
import { type Database, statement, type Transaction } from '@reeve/db'

/** One call to be counted. */
export interface MeteredCall {
  readonly workspaceId: string
  readonly endpoint: string
  readonly actorId: string
}

/** What a workspace has used of a calendar month. */
interface Month {
  readonly from: number
  calls: number
  /** Calls let through that are still under way. */
  pending: number
  /** When it was read, by a clock that nobody sets. */
  readAt: number
}

/** What other processes have counted is known this much later at the most, in milliseconds, once they have written it. */
const AS_OF_MS = 1000

interface Counted extends MeteredCall {
  readonly hour: number
  readonly statusClass: number
  calls: number
}

const HOUR = 3_600_000

const addCalls = statement<Counted>({ commutes: true })((sql, p) =>
  sql
    .insertInto('usage')
    .values({
      workspace_id: p.workspaceId,
      hour: p.hour,
      endpoint: p.endpoint,
      actor_id: p.actorId,
      status_class: p.statusClass,
      calls: p.calls,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'hour', 'endpoint', 'actor_id', 'status_class'])
        .doUpdateSet((eb) => ({ calls: eb('usage.calls', '+', eb.ref('excluded.calls')) })),
    ),
)
const callsSince = statement<{ workspaceId: string; hour: number }>()((sql, p) =>
  sql
    .selectFrom('usage')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('calls'), eb.lit(0)).as('calls'))
    .where('workspace_id', '=', p.workspaceId)
    .where('hour', '>=', p.hour),
)

/** Processes that add to the same rows do so in the same order: none then holds what another one waits for. */
const inOrder = (one: Counted, other: Counted): number =>
  byText(one.workspaceId, other.workspaceId) ||
  byText(one.actorId, other.actorId) ||
  byText(one.endpoint, other.endpoint) ||
  one.hour - other.hour ||
  one.statusClass - other.statusClass

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const hourOf = (at: number): number => at - (at % HOUR)

/** The first moment of the calendar month (UTC) of `at`, and of the next one. */
function monthOf(at: number): { from: number; until: number } {
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
  #waiting = new Map<string, Counted[]>()
  /** Calls of this month, of the workspaces that were asked for it. */
  readonly #months = new Map<string, Month>()
  readonly #loading = new Map<string, Promise<Month>>()
  /** Calls under way that have been let through and not been counted yet: in which month, under which quota. */
  readonly #admitted = new WeakMap<MeteredCall, { readonly month: Month; readonly quota: number }>()
  /** What is written and what is read for a month follow one another, so that no call is in both or in neither. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(db: Database, ports: Ports) {
    this.#db = db
    this.#ports = ports
  }

  /** Counts a call in memory. */
  count(call: MeteredCall, status: number): void {
    this.#addToMonth(call)
    this.#gather(call, hourOf(this.#ports.now()), Math.floor(status / 100), 1)
  }

  /**
   * Counts a successful write in the transaction of its effect. Where other processes write too, this is where it shows
   * whether one of them took the last call that was left.
   * @throws AppError `quota_exceeded`
   */
  async countIn(tx: Transaction, call: MeteredCall): Promise<void> {
    const admitted = this.#admitted.get(call)
    if (admitted && this.#db.isShared) {
      const { workspaceId } = call
      const stored = await tx.first(callsSince, { workspaceId, hour: admitted.month.from })
      if (Number(stored?.calls ?? 0) >= admitted.quota) throw this.#exceeded()
    }
    await tx.run(addCalls, { ...call, hour: hourOf(this.#ports.now()), statusClass: 2, calls: 1 })
  }

  /** Tells the meter that a write counted by `countIn` has been committed. */
  committed(call: MeteredCall): void {
    this.#addToMonth(call)
  }

  /** Writes what has gathered. A crash loses at most what came since the last flush, and only reads. */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#writeGathered())
  }

  /**
   * Holds a workspace to its monthly quota. A call that is let through takes its place at once, so that any number at the
   * same time get no more than is left.
   * @throws AppError `quota_exceeded` with `Retry-After`: the seconds until the month (UTC) ends
   */
  async needQuota(call: MeteredCall, quota: number): Promise<void> {
    const month = await this.#monthOf(call.workspaceId)
    if (month.calls + month.pending < quota) {
      month.pending += 1
      this.#admitted.set(call, { month, quota })
      return
    }
    throw this.#exceeded()
  }

  #exceeded(): AppError {
    const now = this.#ports.now()
    const seconds = Math.max(1, Math.ceil((monthOf(now).until - now) / 1000))
    return new AppError('quota_exceeded', { headers: { 'retry-after': String(seconds) } })
  }

  /** Calls of a workspace in this calendar month (UTC), those not yet written included. */
  async callsThisMonth(workspaceId: string): Promise<number> {
    return (await this.#monthOf(workspaceId)).calls
  }

  async #monthOf(workspaceId: string): Promise<Month> {
    const { from } = monthOf(this.#ports.now())
    const known = this.#months.get(workspaceId)
    if (known?.from === from && !this.#isBehind(known)) return known
    const loading = this.#loading.get(workspaceId) ?? this.#inTurn(() => this.#loadMonth(workspaceId, from))
    this.#loading.set(workspaceId, loading)
    return loading
  }

  /** Where other processes count calls too, what is known of a month gets old. */
  #isBehind({ readAt }: Month): boolean {
    return this.#db.isShared && performance.now() - readAt > AS_OF_MS
  }

  async #loadMonth(workspaceId: string, from: number): Promise<Month> {
    try {
      await this.#writeGathered()
      const stored = await this.#db.read.first(callsSince, { workspaceId, hour: from })
      const known = this.#months.get(workspaceId)
      const month = known?.from === from ? known : { from, calls: 0, pending: 0, readAt: 0 }
      month.calls = Number(stored?.calls ?? 0)
      month.readAt = performance.now()
      for (const counted of [...this.#waiting.values()].flat()) {
        if (counted.workspaceId === workspaceId && counted.hour >= from) month.calls += counted.calls
      }
      this.#months.set(workspaceId, month)
      return month
    } finally {
      this.#loading.delete(workspaceId)
    }
  }

  async #writeGathered(): Promise<void> {
    if (this.#waiting.size === 0) return
    const gathered = [...this.#waiting.values()].flat()
    this.#waiting = new Map()
    try {
      await this.#db.write(async (tx) => {
        for (const counted of gathered.sort(inOrder)) await tx.run(addCalls, counted)
      })
    } catch (error) {
      for (const { hour, statusClass, calls, ...call } of gathered)
        this.#gather(call, hour, statusClass, calls)
      throw error
    }
  }

  #inTurn<Answer>(step: () => Promise<Answer>): Promise<Answer> {
    const taken = this.#turn.then(step)
    this.#turn = taken.catch(() => undefined)
    return taken
  }

  #gather(call: MeteredCall, hour: number, statusClass: number, calls: number): void {
    const { workspaceId, endpoint, actorId } = call
    const ofActor = this.#waiting.get(actorId)
    const known = ofActor?.find(
      (one) =>
        one.endpoint === endpoint &&
        one.statusClass === statusClass &&
        one.hour === hour &&
        one.workspaceId === workspaceId,
    )
    if (known) {
      known.calls += calls
      return
    }
    const counted = { workspaceId, endpoint, actorId, hour, statusClass, calls }
    if (ofActor) ofActor.push(counted)
    else this.#waiting.set(actorId, [counted])
  }

  #addToMonth(call: MeteredCall): void {
    const admitted = this.#admitted.get(call)
    if (admitted) {
      admitted.month.pending -= 1
      this.#admitted.delete(call)
    }
    const month = this.#months.get(call.workspaceId)
    if (month) month.calls += 1
  }
}
