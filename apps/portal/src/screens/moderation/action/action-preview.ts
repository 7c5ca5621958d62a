import {
  expiresBefore,
  HOUR_SECONDS,
  isSanctionKind,
  type RecordAction,
  type SanctionKind,
  SECOND_MS,
} from '@reeve/core'
import { formatPlayerName } from '../../../format/player-name.ts'
import { formatMoment, formatSanctionDuration } from '../format-time.ts'
import type { ActiveSanction, PlayerSummary } from '../queries.ts'
import type { SanctionDuration } from './duration.ts'

/** An action as entered in the form, with the player's current state. */
export interface PlannedAction {
  readonly action: RecordAction
  readonly userId: string
  readonly userUsername: string | null
  /** Null if the action has no duration. */
  readonly duration: SanctionDuration | null
  readonly isUntilDate: boolean
  readonly player: PlayerSummary | null
  /** Whether the user can lift this kind of sanction, and therefore shorten it. */
  readonly canLift: boolean
  /** How long it is in effect until another person approves it; null if it needs no approval. */
  readonly approvalHours: number | null
}

export interface ActionPreview {
  /** What will happen, in a sentence or two. */
  readonly summary: string
  /** A consequence that may be unintended. */
  readonly warning: string | null
  /** Whether the user lacks the permission. */
  readonly isForbidden: boolean
}

/** Describes what submitting the form will do. */
export function previewAction(planned: PlannedAction, now: number): ActionPreview {
  const { action, player, duration } = planned
  if (!isSanctionKind(action))
    return { summary: recordSummaries[action](formatPlayerName(planned)), warning: null, isForbidden: false }
  const sanction = player?.[action] ?? null
  const supersedesText = sanction ? ` Replaces the active ${action} (${formatEnd(sanction, now)}).` : ''
  const endsAppeal = action === 'ban' && player !== null && player.openAppeals.length > 0
  const appealText = endsAppeal ? ' The open appeal of the replaced ban ends.' : ''
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
  if (planned.approvalHours !== null && !isShorter)
    return {
      summary: `${formatRequest(planned, planned.approvalHours)}${appealText}`,
      warning: null,
      isForbidden: false,
    }
  return {
    summary: `${presentTense[action]} ${formatPlayerName(planned)} ${formatEffect(planned, seconds, now)}.${supersedesText}${appealText}`,
    warning: isShorter ? explainShorter(action, sanction, isForbidden, now) : null,
    isForbidden,
  }
}

const presentTense = { ban: 'Bans', mute: 'Mutes' } as const

const recordSummaries: Readonly<Record<Exclude<RecordAction, SanctionKind>, (player: string) => string>> = {
  kick: (player) => `Records that ${player} was kicked. This does not stop them from rejoining.`,
  warn: (player) => `Records a warning for ${player}.`,
  note: (player) => `Adds a note about ${player}. It has no effect on the player.`,
}

/** What a ban that needs approval does. It never shortens the ban that it replaces. */
function formatRequest(planned: PlannedAction, approvalHours: number): string {
  const name = formatPlayerName(planned)
  const hours = formatSanctionDuration(approvalHours * HOUR_SECONDS)
  return `Bans ${name} for ${hours}, and asks another person to approve the ban that you have chosen. Without a decision, the ban of ${hours} ends by itself.`
}

/** `permanent`, `until Friday 18:00` */
export const formatEnd = ({ expiresAt }: Pick<ActiveSanction, 'expiresAt'>, now: number): string =>
  expiresAt === null ? 'permanent' : `until ${formatMoment(expiresAt, now)}`

function formatEffect({ isUntilDate }: PlannedAction, seconds: number | null, now: number): string {
  if (seconds === null) return 'permanently, until lifted'
  const end = formatMoment(now + seconds * SECOND_MS, now)
  return isUntilDate ? `until ${end}` : `for ${formatSanctionDuration(seconds)}, until ${end}`
}

/** Whether a new sanction of this duration would end before the active one. @param seconds null is permanent */
export function expiresSooner(
  seconds: number | null,
  { expiresAt }: Pick<ActiveSanction, 'expiresAt'>,
  now: number,
): boolean {
  return expiresBefore(
    seconds === null ? null : now + seconds * SECOND_MS,
    expiresAt === null ? null : new Date(expiresAt).getTime(),
  )
}

function explainShorter(
  action: SanctionKind,
  sanction: ActiveSanction,
  isForbidden: boolean,
  now: number,
): string {
  const comparison = `This ends sooner than the active ${action} (${formatEnd(sanction, now)})`
  return isForbidden
    ? `${comparison}. You do not have permission to shorten a ban: choose a longer duration, or ask someone who can lift bans.`
    : `${comparison}, so it shortens the player’s ${action}.`
}
