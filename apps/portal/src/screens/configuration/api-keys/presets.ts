import { type Permission, permissions } from '@reeve/core'

/** Permissions that only affect portal routes, which need a session, and no webhook; a key gains nothing from them. */
const signedInOnlyPermissions: ReadonlySet<Permission> = new Set<Permission>([
  'moderation.evidence',
  'moderation.import',
  'moderation.export',
  'appeals.decide',
  'members.manage',
  'endpoint_controls.manage',
  'usage.view',
  'audit.view',
])

/** All permissions that are useful for a key. */
export const keyPermissions = permissions.filter((permission) => !signedInOnlyPermissions.has(permission))

export interface Preset {
  readonly id: string
  readonly label: string
  readonly description: string
  readonly permissions: readonly Permission[]
}

/** Common uses of a key. */
export const presets: readonly Preset[] = [
  {
    id: 'ban-check',
    label: 'Game server: ban check',
    description: 'Checks whether joining players are banned. Read-only.',
    permissions: ['moderation.view'],
  },
  {
    id: 'server-moderation',
    label: 'Game server: moderation',
    description: 'The ban check, plus notes, warnings, kicks, mutes and bans by staff in the game.',
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
    id: 'appeals',
    label: 'Game server: appeals',
    description: 'The ban check, plus appeals that banned players submit in the game.',
    permissions: ['moderation.view', 'appeals.submit'],
  },
  {
    id: 'bot',
    label: 'Bot: moderation',
    description: 'All of the above, plus lifting bans and mutes, for staff who use a chat bot.',
    permissions: [
      'moderation.view',
      'moderation.note',
      'moderation.warn',
      'moderation.mute',
      'moderation.kick',
      'moderation.ban',
      'moderation.unban',
      'appeals.submit',
    ],
  },
  {
    id: 'website',
    label: 'Website: show events and departments',
    description: 'Reads published content for a page about your community. Read-only.',
    permissions: ['departments.view', 'events.view'],
  },
  {
    id: 'calendar',
    label: 'Bot: manage events',
    description: 'Creates, edits, publishes and deletes events.',
    permissions: ['events.view', 'events.manage', 'events.publish'],
  },
]

/** The option for custom permissions. */
export const CUSTOM_PRESET = 'custom'
