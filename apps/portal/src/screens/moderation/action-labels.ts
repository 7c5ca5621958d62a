import type { Permission } from '@reeve/core'
import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconDoorExit,
  IconMessageOff,
  IconNote,
} from '@tabler/icons-react'

/** What can be done to a player. */
export const moderationActions = ['ban', 'mute', 'kick', 'warn', 'note'] as const
export type ModerationAction = (typeof moderationActions)[number]

/** The two that hold a player until they end. */
export type SanctionKind = 'ban' | 'mute'

interface ActionInfo {
  /** On the button that does it, before the player. */
  readonly label: string
  /** One of them: `Warning`. */
  readonly noun: string
  /** What happened: `Warned`. */
  readonly past: string
  readonly icon: Icon
  readonly tone: 'bad' | 'warn' | 'plain'
  readonly permission: Permission
  /** What the server takes where none is given. */
  readonly severity: string
}

export const actionInfo: Readonly<Record<ModerationAction, ActionInfo>> = {
  ban: {
    label: 'Ban',
    noun: 'Ban',
    past: 'Banned',
    icon: IconBan,
    tone: 'bad',
    permission: 'moderation.ban',
    severity: 'high',
  },
  mute: {
    label: 'Mute',
    noun: 'Mute',
    past: 'Muted',
    icon: IconMessageOff,
    tone: 'warn',
    permission: 'moderation.mute',
    severity: 'medium',
  },
  kick: {
    label: 'Kick',
    noun: 'Kick',
    past: 'Kicked',
    icon: IconDoorExit,
    tone: 'warn',
    permission: 'moderation.kick',
    severity: 'medium',
  },
  warn: {
    label: 'Warn',
    noun: 'Warning',
    past: 'Warned',
    icon: IconAlertTriangle,
    tone: 'warn',
    permission: 'moderation.warn',
    severity: 'low',
  },
  note: {
    label: 'Note',
    noun: 'Note',
    past: 'Noted',
    icon: IconNote,
    tone: 'plain',
    permission: 'moderation.note',
    severity: 'low',
  },
}

export const isModerationAction = (text: string): text is ModerationAction => Object.hasOwn(actionInfo, text)
export const isSanctionKind = (text: string): text is SanctionKind => text === 'ban' || text === 'mute'

export const severities = ['low', 'medium', 'high', 'critical'] as const
export const statuses = ['active', 'expired', 'revoked', 'superseded'] as const

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A severity or a status as a label. */
export const toLabel = capitalize

/** A name of any script within a sentence of ours, so that neither turns the other round. */
export const bidiIsolate = (name: string): string => `\u2068${name}\u2069`

/** A player in a sentence: `261 (StormRider)`. */
export const formatPlayerName = (player: {
  readonly userId: string
  readonly userUsername: string | null
}): string =>
  player.userUsername === null ? player.userId : `${player.userId} (${bidiIsolate(player.userUsername)})`

/** `a mute`, with its article. */
export const nounWithArticle = (action: ModerationAction): string =>
  `a ${actionInfo[action].noun.toLowerCase()}`
