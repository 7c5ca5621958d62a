import { ReeveError } from '../errors.ts'
import type { UserId } from '../input.ts'
import type { Changes, ChangesPage, Sanction, SanctionKind } from '../resources/changes.ts'
import { chooseDelay, isRetryable, sleep } from '../retry.ts'
import { type SanctionChange, SanctionSet } from './sanction-set.ts'
import { ServerClock } from './server-clock.ts'
import { listStoredIds, type Platforms } from './stored-ids.ts'

/** Options of `Reeve.follow`. */
export interface FollowOptions {
  /** What to follow. Default: bans and mutes. */
  readonly kinds?: readonly SanctionKind[] | undefined
  /** Called with every change after `ready`, also with those that were missed while the server was unreachable. */
  readonly onChange?: ((change: SanctionChange) => void) | undefined
  /** Called when `status` has changed. */
  readonly onStatus?: ((status: FollowStatus) => void) | undefined
  /** Stops following when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** How many seconds the server may hold a request until there is a change, up to 25. Default: 25. */
  readonly wait?: number | undefined
  readonly workspaceId?: string | undefined
}

/**
 * `starting`: nothing is known yet. `current`: the last request succeeded. `stale`: the last one failed, so newer changes are not known;
 * `error` says why. `stopped`: no changes are read any more.
 */
export type FollowStatus = 'starting' | 'current' | 'stale' | 'stopped'

/** The longest wait that the server accepts. */
const MAX_WAIT_SECONDS = 25
/** How much later than that a response may arrive, at most. */
const MAX_LATENCY_MS = 10_000
const MAX_DELAY_MS = 60_000
/** How much slower to ask again after an error that somebody has to resolve, such as a revoked key. */
const SLOW_FACTOR = 8
/** Timers cannot be longer than 24 days. */
const MAX_TIMER_MS = 3_600_000

/** Where the next changes begin. */
interface Position {
  readonly since: string
  readonly epoch: string
}

/** An in-memory copy of the bans and mutes in force, which follows every change. */
export class Follower {
  /** Resolves once all sanctions are known. Rejects if following is stopped before, or cannot work: with a wrong key, for example. */
  readonly ready: Promise<void>
  readonly #changes: Changes
  readonly #options: FollowOptions
  readonly #kinds: readonly SanctionKind[]
  readonly #wait: number
  /** How long a request may take that the server holds, in milliseconds. */
  readonly #timeout: number
  readonly #clock = new ServerClock()
  readonly #end = new AbortController()
  #sanctions = new SanctionSet()
  #platforms: Platforms = ['roblox']
  #status: FollowStatus = 'starting'
  #error: unknown = null
  #updatedAt = 0
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #hasStarted = false

  /** @param latency how much later than after `wait` a response may arrive, in milliseconds */
  constructor(changes: Changes, latency: number, options: FollowOptions) {
    this.#changes = changes
    this.#options = options
    this.#kinds = options.kinds ?? ['ban', 'mute']
    this.#wait = options.wait ?? MAX_WAIT_SECONDS
    this.#timeout = this.#wait * 1000 + Math.min(latency, MAX_LATENCY_MS)
    const { signal } = options
    if (signal?.aborted) this.stop()
    signal?.addEventListener('abort', () => this.stop(), { signal: this.#end.signal })
    this.ready = new Promise((resolve, reject) => {
      this.#run(resolve).then(
        () => reject(new Error('Stopped before the sanctions were known.')),
        (error) => reject(error),
      )
    })
    // Programs that do not wait for it see `status` and `error`.
    this.ready.catch(() => {})
  }

  get status(): FollowStatus {
    return this.#status
  }

  /** Why `status` is `stale`, or why following has ended; null otherwise. */
  get error(): unknown {
    return this.#error
  }

  /** Milliseconds since the server last confirmed that no change is missing: up to 25,000 while `status` is `current`. */
  get age(): number {
    return this.#hasStarted ? performance.now() - this.#updatedAt : Number.POSITIVE_INFINITY
  }

  /**
   * Whether a ban or mute may be in force of a player who was erased and is stored under a pseudonym: no ID matches it here. While it is
   * true, use `Reeve.check` for players who join, too.
   */
  get hasPseudonyms(): boolean {
    return this.#sanctions.hasPseudonyms
  }

  /**
   * Whether a player is banned now. The ID may be written in any form that the API accepts, such as `steam:STEAM_0:0:11101`.
   * @throws Error before `ready`: unknown is not the same as not banned
   * @throws TypeError for an ID that its platform cannot have
   */
  isBanned(userId: UserId): boolean {
    return this.find('ban', userId) !== null
  }

  /** Whether a player is muted now. @throws as `isBanned` does */
  isMuted(userId: UserId): boolean {
    return this.find('mute', userId) !== null
  }

  /** The sanction of a player, with reason and expiry; null if there is none. @throws as `isBanned` does */
  find(kind: SanctionKind, userId: UserId): Sanction | null {
    this.#assertFollows(kind)
    return this.#sanctions.find(kind, listStoredIds(userId, this.#platforms), this.#clock.now())
  }

  /** All sanctions in force. @throws Error before `ready` */
  list(kind: SanctionKind): Iterable<Sanction> {
    this.#assertFollows(kind)
    return this.#sanctions.list(kind, this.#clock.now())
  }

  /** Stops following. What is known stays readable, and gets older. */
  stop(): void {
    if (this.#status === 'stopped') return
    this.#end.abort(new Error('Stopped.'))
    clearTimeout(this.#timer)
    this.#setStatus('stopped')
  }

  #assertFollows(kind: SanctionKind): void {
    if (!this.#kinds.includes(kind)) throw new TypeError(`kinds: does not contain ${kind}.`)
    if (!this.#hasStarted) throw new Error('The sanctions are not known yet: wait for `ready` first.')
  }

  /** Follows until it is stopped. @throws ReeveError if it cannot start */
  async #run(onReady: () => void): Promise<void> {
    let position: Position | null = null
    while (!this.#end.signal.aborted) {
      try {
        position = position === null ? await this.#readAll() : await this.#readChanges(position)
        this.#failures = 0
        onReady()
      } catch (error) {
        if (this.#end.signal.aborted) return
        const isGone = error instanceof ReeveError && error.code === 'cursor_gone'
        if (isGone) position = null
        await this.#handleFailure(error, isGone)
      }
    }
  }

  /** Reads the snapshot, and the changes since its first page. */
  async #readAll(): Promise<Position> {
    const sanctions = new SanctionSet()
    const options = { signal: this.#end.signal, retries: 0 }
    const scope = this.#getScope()
    let cursor: string | undefined
    let position: Position
    do {
      const page = await this.#changes.getSnapshot({ ...scope, ...(cursor && { cursor }) }, options)
      for (const sanction of page.sanctions) sanctions.set(sanction)
      position = { since: page.sequence, epoch: page.epoch }
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    for (let more = true; more; ) {
      const page = await this.#changes.list({ ...scope, ...position }, options)
      for (const change of page.changes) sanctions.apply(change)
      this.#adjust(page)
      position = { since: page.next, epoch: page.epoch }
      more = page.more === 'true'
    }
    const before = this.#sanctions
    this.#sanctions = sanctions
    const differences = this.#hasStarted ? [...sanctions.compare(before)] : []
    this.#markCurrent()
    for (const change of differences) this.#report(change)
    this.#expire()
    return position
  }

  async #readChanges(position: Position): Promise<Position> {
    const page: ChangesPage = await this.#changes.list(
      { ...this.#getScope(), ...position, wait: this.#wait },
      { signal: this.#end.signal, retries: 0, timeout: this.#timeout },
    )
    this.#adjust(page)
    const changes = page.changes.flatMap((change) => this.#sanctions.apply(change) ?? [])
    if (page.more !== 'true') this.#markCurrent()
    for (const change of changes) this.#report(change)
    this.#expire()
    const next = { since: page.next, epoch: page.epoch }
    // Not all at the same time, if many clients poll.
    await sleep(Number(page.pollAfter) * 1000 * (1 + Math.random() / 5), this.#end.signal)
    return next
  }

  /** Reads what every page of the changes contains besides them. */
  #adjust({ now, platforms }: ChangesPage): void {
    this.#clock.adjust(now)
    this.#platforms = platforms as unknown as Platforms
  }

  #getScope() {
    const { workspaceId } = this.#options
    return { kinds: this.#kinds, ...(workspaceId !== undefined && { workspaceId }) }
  }

  /** Waits before the next attempt. @throws the error, if it shows before the start that following cannot work */
  async #handleFailure(error: unknown, isGone: boolean): Promise<void> {
    const failure = error instanceof ReeveError ? error : null
    this.#error = error
    if (!this.#hasStarted && !isGone && !(failure && isRetryable(failure))) {
      this.stop()
      throw error
    }
    if (this.#hasStarted) this.#setStatus('stale')
    const requested = (failure?.retryAfter ?? 0) * 1000
    const backOff =
      chooseDelay(this.#failures) * (failure && (isGone || isRetryable(failure)) ? 1 : SLOW_FACTOR)
    // The first time, a position that is gone only means to read everything again.
    const delay = isGone && this.#failures === 0 ? 0 : requested + backOff
    this.#failures += 1
    await sleep(Math.min(delay, MAX_DELAY_MS), this.#end.signal).catch(() => {})
  }

  #markCurrent(): void {
    this.#hasStarted = true
    this.#updatedAt = performance.now()
    this.#error = null
    this.#setStatus('current')
  }

  #setStatus(status: FollowStatus): void {
    if (this.#status === status || this.#status === 'stopped') return
    this.#status = status
    this.#call(this.#options.onStatus, status)
  }

  #report(change: SanctionChange): void {
    this.#call(this.#options.onChange, change)
  }

  /** Calls a listener: its error is not one of following. */
  #call<Event>(listener: ((event: Event) => void) | undefined, event: Event): void {
    try {
      listener?.(event)
    } catch (error) {
      setTimeout(() => {
        throw error
      })
    }
  }

  /** Reports what has expired, and comes back when the next sanction does. */
  #expire(): void {
    for (const change of this.#sanctions.expire(this.#clock.now())) this.#report(change)
    clearTimeout(this.#timer)
    const next = this.#sanctions.nextExpiry
    if (next === null || this.#end.signal.aborted) return
    const delay = Math.max(0, next - this.#clock.now())
    this.#timer = setTimeout(() => this.#expire(), Math.min(delay, MAX_TIMER_MS))
  }
}
