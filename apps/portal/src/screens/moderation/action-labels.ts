import type { Permission } from '@reeve/core'
import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconDoorExit,
  IconMessageOff,
  IconNote,
} from '@tabler/icons-react'

/** The actions that staff can take on a player. */
export const moderationActions = ['ban', 'mute', 'kick', 'warn', 'note'] as const
export type ModerationAction = (typeof moderationActions)[number]

/** The actions that stay in force until they expire or are lifted. */
export type SanctionKind = 'ban' | 'mute'

interface ActionInfo {
  /** The verb, for buttons: `Ban`. */
  readonly label: string
  /** `Warning` */
  readonly noun: string
  /** `Warned` */
  readonly past: string
  readonly icon: Icon
  readonly tone: 'danger' | 'warning' | 'neutral'
  readonly permission: Permission
  /** The server's default. */
  readonly severity: string
}

export const actionInfo: Readonly<Record<ModerationAction, ActionInfo>> = {
  ban: {
    label: 'Ban',
    noun: 'Ban',
    past: 'Banned',
    icon: IconBan,
    tone: 'danger',
    permission: 'moderation.ban',
    severity: 'high',
  },
  mute: {
    label: 'Mute',
    noun: 'Mute',
    past: 'Muted',
    icon: IconMessageOff,
    tone: 'warning',
    permission: 'moderation.mute',
    severity: 'medium',
  },
  kick: {
    label: 'Kick',
    noun: 'Kick',
    past: 'Kicked',
    icon: IconDoorExit,
    tone: 'warning',
    permission: 'moderation.kick',
    severity: 'medium',
  },
  warn: {
    label: 'Warn',
    noun: 'Warning',
    past: 'Warned',
    icon: IconAlertTriangle,
    tone: 'warning',
    permission: 'moderation.warn',
    severity: 'low',
  },
  note: {
    label: 'Note',
    noun: 'Note',
    past: 'Noted',
    icon: IconNote,
    tone: 'neutral',
    permission: 'moderation.note',
    severity: 'low',
  },
}

export const isModerationAction = (text: string): text is ModerationAction => Object.hasOwn(actionInfo, text)
export const isSanctionKind = (text: string): text is SanctionKind => text === 'ban' || text === 'mute'

export const severities = ['low', 'medium', 'high', 'critical'] as const
export const statuses = ['active', 'expired', 'revoked', 'superseded'] as const

/** `active` → `Active`: a severity, a status or any other text as a label. */
export const toLabel = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Isolates a name in a sentence, so that right-to-left text does not reorder it. */
export const bidiIsolate = (name: string): string => `\u2068${name}\u2069`

/** `261 (StormRider)` */
export const formatPlayerName = (player: {
  readonly userId: string
  readonly userUsername: string | null
}): string =>
  player.userUsername === null ? player.userId : `${player.userId} (${bidiIsolate(player.userUsername)})`

/** `a mute` */
export const nounWithArticle = (action: ModerationAction): string =>
  `a ${actionInfo[action].noun.toLowerCase()}`
