import { expiresBefore, isSanctionKind, type RecordAction, type SanctionKind } from '@reeve/core'
import { formatPlayerName } from '../action-labels.ts'
import { formatMoment, formatSanctionDuration, formatUntil } from '../format-time.ts'
import type { ActiveSanction, PlayerSummary } from '../queries.ts'
import type { SanctionDuration } from './duration.ts'

/** What is about to be done, and how things stand. */
export interface PlannedAction {
  readonly action: RecordAction
  readonly userId: string
  readonly userUsername: string | null
  /** Null where the action has none, or it is not chosen yet. */
  readonly duration: SanctionDuration | null
  readonly isUntilDate: boolean
  readonly player: PlayerSummary | null
  /** Whether the user can lift this kind of sanction, and therefore shorten it. */
  readonly canLift: boolean
}

export interface ActionPreview {
  /** What will happen, in a sentence or two. */
  readonly summary: string
  /** What whoever does it may not have meant. */
  readonly warning: string | null
  /** Whether the rules do not let the reader do it. */
  readonly isForbidden: boolean
}

const SECOND = 1000

/** Says what will happen, before it does. */
export function previewAction(planned: PlannedAction, now: number): ActionPreview {
  const { action, player, duration } = planned
  if (!isSanctionKind(action))
    return { summary: recordSummaries[action](formatPlayerName(planned)), warning: null, isForbidden: false }
  const sanction = player?.[action] ?? null
  const supersedesText = sanction
    ? ` The ${action} in force ${formatUntil(sanction.expiresAt, now)} gives way.`
    : ''
  if (!duration || duration.problem) {
    return {
      summary: `Choose how long to ${action} ${formatPlayerName(planned)}.`,
      warning: null,
      isForbidden: false,
    }
  }
  const { seconds } = duration
  const isShorter = sanction !== null && expiresSooner(seconds, sanction, now)
  const isForbidden = isShorter && !planned.canLift
  return {
    summary: `${presentTense[action]} ${formatPlayerName(planned)} ${formatEffect(planned, seconds, now)}.${supersedesText}`,
    warning: isShorter ? explainShorter(action, sanction, isForbidden, now) : null,
    isForbidden,
  }
}

const presentTense = { ban: 'Bans', mute: 'Mutes' } as const

const recordSummaries: Readonly<Record<Exclude<RecordAction, SanctionKind>, (player: string) => string>> = {
  kick: (player) => `Records that ${player} was kicked. It holds nobody back from joining again.`,
  warn: (player) => `Records a warning of ${player}.`,
  note: (player) => `Adds a note on ${player}. It changes nothing for the player.`,
}

function formatEffect({ isUntilDate }: PlannedAction, seconds: number | null, now: number): string {
  if (seconds === null) return 'without end, until somebody lifts it'
  const end = formatMoment(now + seconds * SECOND, now)
  return isUntilDate ? `until ${end}` : `for ${formatSanctionDuration(seconds)}, until ${end}`
}

/** Whether a new one of so many seconds would end before the one in force. */
export function expiresSooner(seconds: number | null, { expiresAt }: ActiveSanction, now: number): boolean {
  return expiresBefore(
    seconds === null ? null : now + seconds * SECOND,
    expiresAt === null ? null : new Date(expiresAt).getTime(),
  )
}

function explainShorter(
  action: SanctionKind,
  { expiresAt }: ActiveSanction,
  isForbidden: boolean,
  now: number,
): string {
  const end = `This ends sooner than the ${action} in force, which holds ${formatUntil(expiresAt, now)}.`
  return isForbidden
    ? `${end} You may not make a ban end sooner: choose a longer time, or ask somebody who may lift bans.`
    : `${end} The player will be free earlier than now.`
}
