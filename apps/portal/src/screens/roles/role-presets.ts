import { type Permission, permissions } from '@reeve/core'
import { type RolePresetId, rolePresetIds, rolePresetNames } from '../../components/role-preset-names.ts'

const everyone: readonly RolePresetId[] = rolePresetIds
const moderators: readonly RolePresetId[] = ['moderator', 'senior-moderator', 'administrator']
const seniors: readonly RolePresetId[] = ['senior-moderator', 'administrator']
const hosts: readonly RolePresetId[] = ['event-host', 'administrator']
const administrators: readonly RolePresetId[] = ['administrator']
/** Decisions about the workspace as a whole, which no preset grants. */
const nobody: readonly RolePresetId[] = []

/** Which presets grant a permission. A new permission does not compile before it is decided here. */
export const presetsByPermission: Readonly<Record<Permission, readonly RolePresetId[]>> = {
  'moderation.view': moderators,
  'moderation.note': moderators,
  'moderation.warn': moderators,
  'moderation.mute': moderators,
  'moderation.kick': moderators,
  'moderation.ban': moderators,
  'moderation.unban': seniors,
  'moderation.edit': seniors,
  'moderation.revoke': seniors,
  'moderation.evidence': moderators,
  'moderation.redact': administrators,
  'moderation.erase': nobody,
  'moderation.import': nobody,
  'moderation.export': nobody,
  'moderation.approve': seniors,
  'moderation.bulk': administrators,
  'moderation.insights': seniors,
  'moderation.configure': administrators,
  'appeals.submit': administrators,
  'appeals.view': moderators,
  'appeals.decide': seniors,
  'moderation.override': seniors,
  'moderation.link': seniors,
  'departments.view': everyone,
  'departments.manage': administrators,
  'events.view': everyone,
  'events.manage': hosts,
  'events.publish': hosts,
  'workspace.view': administrators,
  'workspace.create': nobody,
  'workspace.rename': administrators,
  'workspace.archive': nobody,
  'workspace.restore': nobody,
  'roles.view': everyone,
  'roles.manage': administrators,
  'members.view': everyone,
  'members.manage': administrators,
  'api_keys.manage': administrators,
  'endpoint_controls.view': seniors,
  'endpoint_controls.manage': administrators,
  'webhooks.manage': administrators,
  'usage.view': administrators,
  'audit.view': administrators,
}

/** A role to start from. */
export interface RolePreset {
  readonly id: RolePresetId
  readonly name: string
  readonly description: string
  readonly color: string
  /** With room above and below for other roles. */
  readonly rank: number
  readonly permissions: readonly Permission[]
}

const descriptions: Readonly<Record<RolePresetId, Omit<RolePreset, 'id' | 'name' | 'permissions'>>> = {
  moderator: {
    description: 'Finds players, takes notes, and warns, mutes, kicks and bans. Cannot lift a ban.',
    color: '#3f9b4f',
    rank: 20,
  },
  'senior-moderator': {
    description: 'Everything a moderator does, and corrects it: lifts bans, edits and revokes cases.',
    color: '#1f9c93',
    rank: 50,
  },
  'event-host': {
    description: 'Plans, publishes and changes events. No access to moderation.',
    color: '#e07b21',
    rank: 10,
  },
  administrator: {
    description:
      'Runs the workspace: people, roles, API keys and settings. Archiving and restoring it stay with the owner.',
    color: '#9a4fc9',
    rank: 100,
  },
}

/** Common roles, in the order in which they are offered. */
export const rolePresets: readonly RolePreset[] = rolePresetIds.map((id) => ({
  id,
  name: rolePresetNames[id],
  ...descriptions[id],
  permissions: permissions.filter((permission) => presetsByPermission[permission].includes(id)),
}))
