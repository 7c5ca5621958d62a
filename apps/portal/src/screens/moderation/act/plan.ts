import type { Held, KnownPlayer } from '../data.ts'
import { sayLength, sayMoment, sayUntil } from '../when.ts'
import { isRestraint, playerName, type Restraint, type Verb } from '../words.ts'
import type { Length } from './length.ts'

/** What is about to be done, and how things stand. */
export interface Plan {
  readonly action: Verb
  readonly userId: string
  readonly userUsername: string | null
  /** Null where the action has none, or it is not chosen yet. */
  readonly length: Length | null
  readonly isExact: boolean
  readonly standing: KnownPlayer | null
  /** Whether the reader may end a ban sooner. */
  readonly mayLift: boolean
}

export interface Told {
  /** What will happen, in a sentence or two. */
  readonly sentence: string
  /** What whoever does it may not have meant. */
  readonly warning: string | null
  /** Whether the rules do not let the reader do it. */
  readonly isBarred: boolean
}

const SECOND = 1000

/** Says what will happen, before it does. */
export function tell(plan: Plan, now: number): Told {
  const { action, standing, length } = plan
  if (!isRestraint(action))
    return { sentence: simple[action](playerName(plan)), warning: null, isBarred: false }
  const held = standing?.[action] ?? null
  const givesWay = held ? ` The ${action} in force ${sayUntil(held.expiresAt, now)} gives way.` : ''
  if (!length || length.problem) {
    return { sentence: `Choose how long to ${action} ${playerName(plan)}.`, warning: null, isBarred: false }
  }
  const { seconds } = length
  const isShorter = held !== null && endsSooner(seconds, held, now)
  const isBarred = isShorter && action === 'ban' && !plan.mayLift
  return {
    sentence: `${verbs[action]} ${playerName(plan)} ${forHowLong(plan, seconds, now)}.${givesWay}`,
    warning: isShorter ? shorter(action, held, isBarred, now) : null,
    isBarred,
  }
}

const verbs = { ban: 'Bans', mute: 'Mutes' } as const

const simple: Readonly<Record<Exclude<Verb, Restraint>, (player: string) => string>> = {
  kick: (player) => `Records that ${player} was kicked. It holds nobody back from joining again.`,
  warn: (player) => `Records a warning of ${player}.`,
  note: (player) => `Adds a note on ${player}. It changes nothing for the player.`,
}

function forHowLong({ isExact }: Plan, seconds: number | null, now: number): string {
  if (seconds === null) return 'without end, until somebody lifts it'
  const end = sayMoment(now + seconds * SECOND, now)
  return isExact ? `until ${end}` : `for ${sayLength(seconds)}, until ${end}`
}

/** Whether a new one of so many seconds would end before the one in force. */
export function endsSooner(seconds: number | null, { expiresAt }: Held, now: number): boolean {
  if (seconds === null) return false
  return expiresAt === null || now + seconds * SECOND < new Date(expiresAt).getTime()
}

function shorter(action: Restraint, { expiresAt }: Held, isBarred: boolean, now: number): string {
  const end = `This ends sooner than the ${action} in force, which holds ${sayUntil(expiresAt, now)}.`
  return isBarred
    ? `${end} You may not make a ban end sooner: choose a longer time, or ask somebody who may lift bans.`
    : `${end} The player will be free earlier than now.`
}
