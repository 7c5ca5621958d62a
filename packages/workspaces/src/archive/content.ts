import type { ContentDefinition, ContentTable } from './content-definition.ts'
import { moderationContent } from './moderation-content.ts'

/**
 * The archived tables, in the order in which rows can be inserted. When a column is added, increase the version of the format
 * and convert the lines of older archives where they are read.
 */
export const content: { readonly [Table in ContentTable]: ContentDefinition<Table> } = {
  role: {
    kind: 'roles',
    key: ['id'],
    columns: {
      id: true,
      name: true,
      name_key: true,
      color: true,
      rank: true,
      permissions: true,
      limits: true,
      is_owner: true,
      second_factor_since: true,
      created_at: true,
      updated_at: true,
      version: true,
    },
  },
  member: { kind: 'members', key: ['account_id'], columns: { account_id: true, joined_at: true } },
  member_role: {
    kind: 'memberRoles',
    key: ['account_id', 'role_id'],
    columns: { account_id: true, role_id: true, assigned_at: true },
  },
  member_player: {
    kind: 'memberPlayers',
    key: ['user_id'],
    columns: { user_id: true, account_id: true, linked_at: true },
  },
  department: {
    kind: 'departments',
    key: ['id'],
    texts: ['description'],
    columns: {
      id: true,
      name: true,
      name_key: true,
      color: true,
      description: true,
      created_at: true,
      updated_at: true,
      position: true,
      deleted_at: true,
      version: true,
    },
  },
  department_member: {
    kind: 'departmentMembers',
    key: ['department_id', 'account_id'],
    columns: { department_id: true, account_id: true, is_lead: true },
  },
  ...moderationContent,
  endpoint_control: {
    kind: 'endpointControls',
    key: ['endpoint'],
    columns: { endpoint: true, mode: true, message: true, updated_at: true, updated_by: true },
  },
  event: {
    kind: 'events',
    key: ['id'],
    texts: ['description'],
    columns: {
      id: true,
      title: true,
      description: true,
      scheduled_for: true,
      ends_at: true,
      published: true,
      event_type: true,
      image_url: true,
      training_start: true,
      training_end: true,
      training_host: true,
      host_account_id: true,
      experience_id: true,
      experience_name: true,
      experience_place_id: true,
      experience_thumbnail_url: true,
      experience_url: true,
      created_by: true,
      created_at: true,
      updated_at: true,
      version: true,
    },
  },
}

export const contentTables = Object.keys(content) as readonly ContentTable[]

/** The kinds that an archive counts. `media` are the images of its events. */
export const countedKinds = [
  'members',
  'roles',
  'departments',
  'records',
  'recordVersions',
  'evidenceFiles',
  'events',
  'media',
] as const
