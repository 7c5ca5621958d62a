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
  /** The verb, for buttons: `Ban`. */
  readonly label: string
  /** `Warning` */
  readonly noun: string
  /** `Warned` */
  readonly past: string
  /** The key that opens its form on a player's page. */
  readonly shortcut: string
  readonly icon: Icon
  readonly tone: 'danger' | 'warning' | 'neutral'
}

export const actionInfo: Readonly<Record<RecordAction, ActionInfo>> = {
  ban: {
    label: 'Ban',
    noun: 'Ban',
    past: 'Banned',
    shortcut: 'B',
    icon: IconBan,
    tone: 'danger',
  },
  mute: {
    label: 'Mute',
    noun: 'Mute',
    past: 'Muted',
    shortcut: 'M',
    icon: IconMessageOff,
    tone: 'warning',
  },
  kick: {
    label: 'Kick',
    noun: 'Kick',
    past: 'Kicked',
    shortcut: 'K',
    icon: IconDoorExit,
    tone: 'warning',
  },
  warn: {
    label: 'Warn',
    noun: 'Warning',
    past: 'Warned',
    shortcut: 'W',
    icon: IconAlertTriangle,
    tone: 'warning',
  },
  note: {
    label: 'Note',
    noun: 'Note',
    past: 'Note',
    shortcut: 'N',
    icon: IconNote,
    tone: 'neutral',
  },
}

/** `active` → `Active`: a severity, a status or any other text as a label. */
export const toLabel = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `a mute` */
export const nounWithArticle = (action: RecordAction): string => `a ${actionInfo[action].noun.toLowerCase()}`
