import { type ColumnDataType, sql } from 'kysely'
import type { Migration, MigrationTools } from '../migration.ts'

/** Adds the jobs that archive, copy and roll back workspaces in small steps, and what is incomplete while they run. */
export const workspaceJobs: Migration = {
  name: '0013-workspace-jobs',
  async up(tools) {
    await addColumns(tools)
    await createJobTable(tools)
    await createRowTable(tools)
  },
}

async function addColumns({ db, text, integer }: MigrationTools): Promise<void> {
  await db.schema
    .alterTable('archive')
    .addColumn('ready_at', integer as ColumnDataType)
    .execute()
  await db.schema
    .alterTable('archive')
    .addColumn('deleted_at', integer as ColumnDataType)
    .execute()
  await db.schema
    .alterTable('workspace')
    .addColumn('hidden', text as ColumnDataType)
    .execute()
  await db
    .updateTable('archive')
    .set((eb) => ({ ready_at: eb.ref('created_at') }))
    .execute()
  await db.schema
    .createIndex('archive_deleted')
    .on('archive')
    .column('deleted_at')
    .where(sql<boolean>`deleted_at is not null`)
    .execute()
  await db.schema
    .createIndex('workspace_hidden')
    .on('workspace')
    .column('hidden')
    .where(sql<boolean>`hidden is not null`)
    .execute()
}

async function createJobTable({ db, text, integer, finish }: MigrationTools): Promise<void> {
  const textType = text as ColumnDataType
  const integerType = integer as ColumnDataType
  await finish(db.schema.createTable('workspace_job'))
    .addColumn('workspace_id', textType, (column) => column.notNull())
    .addColumn('id', textType, (column) => column.notNull())
    .addColumn('kind', textType, (column) => column.notNull())
    .addColumn('state', textType, (column) => column.notNull())
    .addColumn('step', textType, (column) => column.notNull())
    .addColumn('done', integerType, (column) => column.notNull())
    .addColumn('total', integerType, (column) => column.notNull())
    .addColumn('position', textType)
    .addColumn('actor', textType, (column) => column.notNull())
    .addColumn('group_name', textType)
    .addColumn('archive_id', textType)
    .addColumn('new_archive_id', textType)
    .addColumn('new_workspace_id', textType)
    .addColumn('error', textType)
    .addColumn('has_staged_rows', integerType, (column) => column.notNull())
    .addColumn('runner', textType)
    .addColumn('heartbeat_at', integerType)
    .addColumn('created_at', integerType, (column) => column.notNull())
    .addColumn('started_at', integerType)
    .addColumn('finished_at', integerType)
    .addPrimaryKeyConstraint('workspace_job_key', ['workspace_id', 'id'])
    .addForeignKeyConstraint('workspace_job_refers_0', ['workspace_id'], 'workspace', ['id'])
    .execute()
  await db.schema.createIndex('workspace_job_by_state').on('workspace_job').columns(['state', 'id']).execute()
  await db.schema
    .createIndex('workspace_job_by_finish')
    .on('workspace_job')
    .column('finished_at')
    .where(sql<boolean>`finished_at is not null`)
    .execute()
  // One job at a time per instance, and per workspace one that is unfinished, whatever races.
  await db.schema
    .createIndex('workspace_job_running')
    .unique()
    .on('workspace_job')
    .column('state')
    .where(sql<boolean>`state = 'running'`)
    .execute()
  await db.schema
    .createIndex('workspace_job_unfinished')
    .unique()
    .on('workspace_job')
    .column('workspace_id')
    .where(sql<boolean>`finished_at is null`)
    .execute()
  await db.schema
    .createIndex('workspace_job_staged')
    .on('workspace_job')
    .column('has_staged_rows')
    .where(sql<boolean>`has_staged_rows = 1`)
    .execute()
}

async function createRowTable({ db, text, integer, finish }: MigrationTools): Promise<void> {
  const textType = text as ColumnDataType
  const integerType = integer as ColumnDataType
  await finish(db.schema.createTable('workspace_job_row'))
    .addColumn('workspace_id', textType, (column) => column.notNull())
    .addColumn('job_id', textType, (column) => column.notNull())
    .addColumn('number', integerType, (column) => column.notNull())
    .addColumn('kind', textType, (column) => column.notNull())
    .addColumn('user_id', textType)
    .addColumn('target_id', textType)
    .addColumn('data', textType)
    .addPrimaryKeyConstraint('workspace_job_row_key', ['workspace_id', 'job_id', 'number'])
    .execute()
  const indexes = {
    workspace_job_row_by_kind: ['workspace_id', 'job_id', 'kind', 'user_id', 'number'],
    workspace_job_row_by_target: ['workspace_id', 'job_id', 'target_id'],
  }
  for (const [name, columns] of Object.entries(indexes))
    await db.schema.createIndex(name).on('workspace_job_row').columns(columns).execute()
}
