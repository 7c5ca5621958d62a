import type { RecordAction } from '@reeve/core'
import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconDoorExit,
  IconMessageOff,
  IconNote,
} from '@tabler/icons-react'

interface ActionInfo {
  /** On the button that does it, before the player. */
  readonly label: string
  /** One of them: `Warning`. */
  readonly noun: string
  /** What happened: `Warned`. */
  readonly past: string
  readonly icon: Icon
  readonly tone: 'bad' | 'warn' | 'plain'
}

export const actionInfo: Readonly<Record<RecordAction, ActionInfo>> = {
  ban: {
    label: 'Ban',
    noun: 'Ban',
    past: 'Banned',
    icon: IconBan,
    tone: 'bad',
  },
  mute: {
    label: 'Mute',
    noun: 'Mute',
    past: 'Muted',
    icon: IconMessageOff,
    tone: 'warn',
  },
  kick: {
    label: 'Kick',
    noun: 'Kick',
    past: 'Kicked',
    icon: IconDoorExit,
    tone: 'warn',
  },
  warn: {
    label: 'Warn',
    noun: 'Warning',
    past: 'Warned',
    icon: IconAlertTriangle,
    tone: 'warn',
  },
  note: {
    label: 'Note',
    noun: 'Note',
    past: 'Noted',
    icon: IconNote,
    tone: 'plain',
  },
}

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
export const nounWithArticle = (action: RecordAction): string => `a ${actionInfo[action].noun.toLowerCase()}`
