import { findEndingLast } from '../ending-last.ts'
import type { Change, Sanction, SanctionKind } from '../resources/changes.ts'
import { ExpiryQueue } from './expiry-queue.ts'

/** What has happened to a player. */
export interface SanctionChange {
  /** `set`: has this sanction from now on, or it was changed; `clear`: it was lifted; `expire`: its time is over. */
  readonly op: 'set' | 'clear' | 'expire'
  readonly kind: SanctionKind
  readonly userId: string
  /** The sanction; the one that ended for `clear` and `expire`. */
  readonly sanction: Sanction
}

/** How the ID of a player begins who was pseudonymised. */
const PSEUDONYM = 'pseudonym:'

type ByPlayer = Map<string, Sanction>

/** The sanctions of a workspace. Those that have expired stay until `expire` removes them. */
export class SanctionSet {
  readonly #players: Readonly<Record<SanctionKind, ByPlayer>> = { ban: new Map(), mute: new Map() }
  readonly #expiries = new ExpiryQueue<Sanction>()
  /** The IDs that stand for erased players. */
  readonly #pseudonyms = new Set<string>()

  /** Whether it may contain sanctions of players who were erased, which no ID of a player matches. */
  get hasPseudonyms(): boolean {
    return this.#pseudonyms.size > 0
  }

  /** When the first sanction may expire, in epoch milliseconds; null if none does. */
  get nextExpiry(): number | null {
    return this.#expiries.nextTime
  }

  /**
   * The sanction of a player that counts: the one that ends last, as they can have one under each of several IDs.
   * @param now epoch milliseconds
   */
  find(kind: SanctionKind, userIds: readonly string[], now: number): Sanction | null {
    const sanctions = userIds.flatMap((userId) => this.#players[kind].get(userId) ?? [])
    return findEndingLast(sanctions.filter((sanction) => !hasExpired(sanction, now)))
  }

  /** @param now epoch milliseconds */
  *list(kind: SanctionKind, now: number): Generator<Sanction> {
    for (const sanction of this.#players[kind].values()) if (!hasExpired(sanction, now)) yield sanction
  }

  /** @returns the change; null if nothing has changed, as when a change is read twice */
  apply({ op, sequence: _, ...sanction }: Change): SanctionChange | null {
    return op === 'set' ? this.set(sanction) : this.#clear(sanction)
  }

  set(sanction: Sanction): SanctionChange | null {
    const { kind, userId, expiresAt } = sanction
    const players = this.#players[kind as SanctionKind]
    const before = players?.get(userId)
    if (!players || (before && isSame(before, sanction))) return null
    players.set(userId, sanction)
    if (userId.startsWith(PSEUDONYM)) this.#pseudonyms.add(userId)
    if (expiresAt !== null) this.#expiries.add(Date.parse(expiresAt), sanction)
    return toChange('set', sanction)
  }

  #clear({ kind, userId }: Sanction): SanctionChange | null {
    const players = this.#players[kind as SanctionKind]
    const before = players?.get(userId)
    if (!before) return null
    players.delete(userId)
    return toChange('clear', before)
  }

  /** Removes what has expired. @param now epoch milliseconds */
  *expire(now: number): Generator<SanctionChange> {
    for (const sanction of this.#expiries.takeUntil(now)) {
      const players = this.#players[sanction.kind as SanctionKind]
      // Replaced, changed or lifted in the meantime otherwise.
      if (players.get(sanction.userId) !== sanction) continue
      players.delete(sanction.userId)
      yield toChange('expire', sanction)
    }
  }

  /** What has changed from another set to this one. */
  *compare(before: SanctionSet): Generator<SanctionChange> {
    for (const kind of ['ban', 'mute'] as const) {
      const [old, current] = [before.#players[kind], this.#players[kind]]
      for (const [userId, sanction] of old) if (!current.has(userId)) yield toChange('clear', sanction)
      for (const [userId, sanction] of current) {
        const known = old.get(userId)
        if (!known || !isSame(known, sanction)) yield toChange('set', sanction)
      }
    }
  }
}

const toChange = (op: SanctionChange['op'], sanction: Sanction): SanctionChange => ({
  op,
  kind: sanction.kind as SanctionKind,
  userId: sanction.userId,
  sanction,
})

const hasExpired = ({ expiresAt }: Sanction, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now

const isSame = (one: Sanction, other: Sanction): boolean =>
  one.recordId === other.recordId && one.expiresAt === other.expiresAt && one.reason === other.reason
