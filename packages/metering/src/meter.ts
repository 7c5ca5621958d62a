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
}

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
const inOrder = (one: Counted, other: Counted): number => (placeOf(one) < placeOf(other) ? -1 : 1)

const placeOf = ({ workspaceId, actorId, endpoint, hour, statusClass }: Counted): string =>
  `${workspaceId} ${actorId} ${endpoint} ${hour} ${statusClass}`

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
  /** The month in which a call under way has been let through and not been counted yet. */
  readonly #admitted = new WeakMap<MeteredCall, Month>()
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

  /** Counts a successful write in the transaction of its effect. */
  async countIn(tx: Transaction, call: MeteredCall): Promise<void> {
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
      this.#admitted.set(call, month)
      return
    }
    const now = this.#ports.now()
    const seconds = Math.max(1, Math.ceil((monthOf(now).until - now) / 1000))
    throw new AppError('quota_exceeded', { headers: { 'retry-after': String(seconds) } })
  }

  /** Calls of a workspace in this calendar month (UTC), those not yet written included. */
  async callsThisMonth(workspaceId: string): Promise<number> {
    return (await this.#monthOf(workspaceId)).calls
  }

  async #monthOf(workspaceId: string): Promise<Month> {
    const { from } = monthOf(this.#ports.now())
    const known = this.#months.get(workspaceId)
    if (known?.from === from) return known
    const loading = this.#loading.get(workspaceId) ?? this.#inTurn(() => this.#loadMonth(workspaceId, from))
    this.#loading.set(workspaceId, loading)
    return loading
  }

  async #loadMonth(workspaceId: string, from: number): Promise<Month> {
    try {
      await this.#writeGathered()
      const stored = await this.#db.read.first(callsSince, { workspaceId, hour: from })
      const month = { from, calls: Number(stored?.calls ?? 0), pending: 0 }
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
      admitted.pending -= 1
      this.#admitted.delete(call)
    }
    const month = this.#months.get(call.workspaceId)
    if (month) month.calls += 1
  }
}
