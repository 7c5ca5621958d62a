import type { MigrationTools } from '../../migration.ts'
import { createIndex, createTable, type Reference } from '../create-table.ts'
import { toMember, toWorkspace } from './references.ts'

const toArchive: Reference = {
  columns: ['workspace_id', 'archive_id'],
  to: 'archive',
  keys: ['workspace_id', 'id'],
}

/** Departments, events and archives. */
export async function createContentTables(tools: MigrationTools): Promise<void> {
  await createTable(
    tools,
    'department',
    `workspace_id id!, id id!, name text!, name_key text!, color text, description text,
     created_at int!, updated_at int!, position int!, deleted_at int, version int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'department_by_name', 'department', ['workspace_id', 'name_key'], {
    unique: true,
    where: 'deleted_at is null',
  })
  // Deleting a member of the workspace deletes its department memberships too.
  await createTable(
    tools,
    'department_member',
    'workspace_id id!, department_id id!, account_id id!, is_lead int!',
    ['workspace_id', 'department_id', 'account_id'],
    {
      references: [
        { columns: ['workspace_id', 'department_id'], to: 'department', keys: ['workspace_id', 'id'] },
        { ...toMember, isDeletedTogether: true },
      ],
    },
  )
  await createIndex(tools, 'department_member_by_account', 'department_member', [
    'workspace_id',
    'account_id',
  ])
  await createTable(
    tools,
    'event',
    `workspace_id id!, id id!, title text!, description text, scheduled_for int!, ends_at int!,
     published int!, event_type text!, image_url text, training_start int, training_end int,
     training_host text, host_account_id id, experience_id text, experience_name text,
     experience_place_id text, experience_thumbnail_url text, experience_url text,
     created_by id_or_text!, created_at int!, updated_at int!, version int!`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'event_by_time', 'event', ['workspace_id', 'scheduled_for', 'id'])
  await createIndex(tools, 'event_by_image', 'event', ['image_url', 'workspace_id'], {
    where: 'image_url is not null',
  })
  await createIndex(tools, 'event_by_published_image', 'event', ['image_url'], {
    where: 'image_url is not null and published = 1',
  })
  await createTable(
    tools,
    'archive',
    `workspace_id id!, id id!, group_name text!, created_at int!, created_by id_or_text!,
     size_bytes int!, sha256 text!, counts text!, ready_at int, deleted_at int`,
    ['workspace_id', 'id'],
    { references: [toWorkspace] },
  )
  await createIndex(tools, 'archive_deleted', 'archive', ['deleted_at'], { where: 'deleted_at is not null' })
  await createTable(
    tools,
    'archive_part',
    'workspace_id id!, archive_id id!, part int!, bytes blob!',
    ['workspace_id', 'archive_id', 'part'],
    {
      references: [toArchive],
    },
  )
  await createTable(
    tools,
    'archive_image',
    'workspace_id id!, archive_id id!, hash text!',
    ['workspace_id', 'archive_id', 'hash'],
    { references: [{ ...toArchive, isDeletedTogether: true }] },
  )
  await createIndex(tools, 'archive_image_by_hash', 'archive_image', ['hash'])
}
