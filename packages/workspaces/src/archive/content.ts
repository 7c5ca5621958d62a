import { insertAll, type Sql, statement, statementFamily, type Tables } from '@reeve/db'

/**
 * Workspace tables that are not archived: credentials, logs, counters, personal settings, what is derived, and the archives
 * themselves.
 */
type ExcludedFromArchive =
  | 'activity'
  | 'activity_by_actor'
  | 'activity_progress'
  | 'api_key'
  | 'archive'
  | 'archive_image'
  | 'archive_part'
  | 'audit'
  | 'idempotency'
  | 'invitation'
  | 'player_name'
  | 'redaction'
  | 'saved_view'
  | 'usage'
  | 'workspace_head'
  | 'workspace_job'
  | 'workspace_job_row'

type WorkspaceScopedTable = {
  [Table in keyof Tables]: 'workspace_id' extends keyof Tables[Table] ? Table : never
}[keyof Tables]

/** Every archived table. A new workspace table must be added here or to `ExcludedFromArchive`. */
export type ContentTable = Exclude<WorkspaceScopedTable, ExcludedFromArchive>

interface ContentDefinition<Table extends ContentTable> {
  /** The name of its rows in an archive. */
  readonly kind: string
  /** The primary key after `workspace_id`: one or two columns. */
  readonly key: readonly [keyof Tables[Table] & string, (keyof Tables[Table] & string)?]
  /** Columns with texts that can be large, which limit how many rows are read at a time. */
  readonly texts?: readonly (keyof Tables[Table] & string)[]
  /** Every column except `workspace_id`: a missing one does not compile. */
  readonly columns: Readonly<Record<Exclude<keyof Tables[Table], 'workspace_id'>, true>>
}

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
      is_owner: true,
      created_at: true,
      updated_at: true,
      version: true,
    },
  },
  member: { kind: 'members', key: ['account_id'], columns: { account_id: true, joined_at: true } },
  member_role: {
    kind: 'memberRoles',
    key: ['account_id', 'role_id'],
    columns: { account_id: true, role_id: true },
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
  record: {
    kind: 'records',
    key: ['id'],
    texts: ['reason', 'evidence', 'comments', 'revoke_reason'],
    columns: {
      id: true,
      case_number: true,
      action: true,
      user_id: true,
      user_username: true,
      reason: true,
      severity: true,
      evidence: true,
      evidence_count: true,
      comments: true,
      comment_count: true,
      duration_seconds: true,
      expires_at: true,
      ended: true,
      in_force: true,
      actor_kind: true,
      actor_id: true,
      actor_username: true,
      actor_platform_user_id: true,
      created_at: true,
      updated_at: true,
      acknowledged_at: true,
      revoked_at: true,
      revoked_by: true,
      revoke_reason: true,
      redacted_at: true,
      sequence: true,
      version: true,
    },
  },
  record_version: {
    kind: 'recordVersions',
    key: ['record_id', 'version'],
    texts: ['snapshot'],
    columns: { record_id: true, version: true, snapshot: true, replaced_at: true, replaced_by: true },
  },
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
  'events',
  'media',
] as const

/** A row of any of these tables, by column name. */
export type Row = Readonly<Record<string, unknown>>

// The statements below work on every table. Kysely requires a known table name for its types, hence the casts.
const columnNames = (table: ContentTable) => Object.keys(content[table].columns)

/** The position of a row in its table: its key after `workspace_id`, of one or two columns. */
export interface KeyPosition {
  readonly first: string
  readonly second: string | number | null
}

interface AfterKey extends KeyPosition {
  readonly workspaceId: string
}

/** A table, and whether its rows are read from the first one or after a key. */
interface TableRead {
  readonly table: ContentTable
  readonly isStart: boolean
}

const selectAfter = (sql: Sql, p: AfterKey, { table, isStart }: TableRead) => {
  const [first, second] = content[table].key as ['id', 'version'?]
  const all = sql.selectFrom(table as 'record').where('workspace_id', '=', p.workspaceId)
  if (second === undefined) return (isStart ? all : all.where(first, '>', p.first)).orderBy(first)
  const rows = isStart
    ? all
    : all.where((eb) => eb(eb.refTuple(first, second), '>', eb.tuple(p.first, p.second as number)))
  return rows.orderBy(first).orderBy(second)
}

/** The keys of the next rows of a table in key order, with the size of their texts in bytes. */
export const sizesAfterKey = statementFamily<AfterKey & { limit: number }, TableRead>()<
  Row & { bytes: number }
>((sql, p, read) => {
  const { key, texts = [] } = content[read.table]
  return selectAfter(sql, p, read)
    .select(key as readonly ['id'])
    .select((eb) =>
      texts
        .map((text) => eb.fn.coalesce(eb.fn<number>('octet_length', [text as 'id']), eb.lit(0)))
        .reduce((sum, size) => eb(sum, '+', size), eb.lit<number>(0))
        .as('bytes'),
    )
    .limit(p.limit)
})

/** The rows of a table in key order, after one key and up to another. */
export const rowsBetweenKeys = statementFamily<
  AfterKey & { last: string; lastSecond: string | number | null },
  TableRead
>()<Row>((sql, p, read) => {
  const [first, second] = content[read.table].key as ['id', 'version'?]
  const rows = selectAfter(sql, p, read).select(columnNames(read.table) as 'id'[])
  return second === undefined
    ? rows.where(first, '<=', p.last)
    : rows.where((eb) => eb(eb.refTuple(first, second), '<=', eb.tuple(p.last, p.lastSecond as number)))
})

/** Inserts a row into a table. */
export const insertRow = statementFamily<Row & { workspace_id: string }, { table: ContentTable }>()(
  (sql, p, { table }) => insertAll(sql, table, p as never),
)

/** Deletes some rows of each table. */
export const deleteSomeRows = new Map(contentTables.map((table) => [table, createDeletion(table)] as const))

function createDeletion(table: ContentTable) {
  return statement<{ workspaceId: string; limit: number }>()((sql, p) => {
    const [first, second] = content[table].key as ['id', 'version'?]
    const some = sql
      .selectFrom(table as 'record')
      .where('workspace_id', '=', p.workspaceId)
      .limit(p.limit)
    const rows = sql.deleteFrom(table as 'record').where('workspace_id', '=', p.workspaceId)
    return second === undefined
      ? rows.where(first, 'in', some.select(first))
      : rows.where((eb) =>
          eb(eb.refTuple(first, second), 'in', some.select([first, second]).$asTuple(first, second)),
        )
  })
}

/** Deletes every row of a table with few rows. */
export const deleteAllRows = statementFamily<{ workspaceId: string }, { table: ContentTable }>()(
  (sql, p, { table }) => sql.deleteFrom(table as 'record').where('workspace_id', '=', p.workspaceId),
)
