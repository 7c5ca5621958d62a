import { type Permission, permissions } from '@reeve/core'

/** What only people who are signed in can do: a key with it could do no more. */
export const signedInOnlyPermissions: ReadonlySet<Permission> = new Set<Permission>([
  'members.view',
  'members.manage',
  'api_keys.manage',
  'endpoint_controls.manage',
  'usage.view',
  'audit.view',
])

/** Every permission that is of use to a key. */
export const keyPermissions = permissions.filter((permission) => !signedInOnlyPermissions.has(permission))

export interface Preset {
  readonly id: string
  readonly label: string
  readonly description: string
  readonly permissions: readonly Permission[]
}

/** What keys are mostly made for. */
export const presets: readonly Preset[] = [
  {
    id: 'ban-check',
    label: 'Game server: ban check',
    description: 'Asks whether a player who joins is banned. Changes nothing.',
    permissions: ['moderation.view'],
  },
  {
    id: 'server-moderation',
    label: 'Game server: moderate in the game',
    description: 'The ban check, and notes, warnings, kicks, mutes and bans by staff in the game.',
    permissions: [
      'moderation.view',
      'moderation.note',
      'moderation.warn',
      'moderation.mute',
      'moderation.kick',
      'moderation.ban',
    ],
  },
  {
    id: 'bot',
    label: 'Bot: moderate',
    description: 'All of that, and lifting bans and mutes, for staff who work by a chat bot.',
    permissions: [
      'moderation.view',
      'moderation.note',
      'moderation.warn',
      'moderation.mute',
      'moderation.kick',
      'moderation.ban',
      'moderation.unban',
    ],
  },
  {
    id: 'website',
    label: 'Website: show events and departments',
    description: 'Reads what is published, for a page about your community. Changes nothing.',
    permissions: ['departments.view', 'events.view'],
  },
  {
    id: 'calendar',
    label: 'Bot: plan events',
    description: 'Makes, changes, publishes and deletes events.',
    permissions: ['events.view', 'events.manage', 'events.publish'],
  },
]

/** The choice that is no preset. */
export const CUSTOM_PRESET = 'own'
