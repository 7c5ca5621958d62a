import {
  MAX_ID,
  normalizeName,
  paginate,
  parsePage,
  resolveStorageQuota,
  sumStorage,
  wire,
} from '@reeve/core'
import { type Dialect, type Queries, type Sql, statement } from '@reeve/db'
import { type Meter, type StorageGuard, toStorageBytes } from '@reeve/metering'
import type { WorkspacesQueryInput } from './model.ts'

const COUNTERS = ['record_bytes', 'image_bytes', 'evidence_bytes', 'archive_bytes', 'response_bytes'] as const

interface Params {
  readonly before: string
  readonly q: string
  readonly id: string
  readonly limit: number
}

const selectNewestFirst = (sql: Sql, p: Params, dialect: Dialect) =>
  sql
    .selectFrom('workspace')
    .innerJoin('account', 'account.id', 'workspace.owner_id')
    .leftJoin('workspace_head', 'workspace_head.workspace_id', 'workspace.id')
    .selectAll('workspace')
    .select((eb) => [
      'account.username as owner',
      ...(['case_number', ...COUNTERS] as const).map((counter) =>
        eb.fn.coalesce(`workspace_head.${counter}`, eb.lit(0)).as(counter),
      ),
    ])
    .where('workspace.id', '<', p.before)
    .where('workspace.hidden', 'is', null)
    .where((eb) =>
      eb.or([
        dialect.contains('workspace.group_key', p.q),
        dialect.contains('account.username_key', p.q),
        eb('workspace.id', '=', p.id),
      ]),
    )
    .orderBy('workspace.id', 'desc')
    .limit(p.limit)
const workspacesNewestFirst = statement<Params>()(selectNewestFirst)
const pendingDeletionsNewestFirst = statement<Params>()((sql, p, dialect) =>
  selectNewestFirst(sql, p, dialect).where('workspace.delete_at', 'is not', null),
)
const memberCounts = statement<{ ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('member')
    .select((eb) => ['workspace_id', eb.fn.countAll<number>().as('members')])
    .where(dialect.inList('workspace_id', p.ids))
    .groupBy('workspace_id'),
)

const LIST = 'all-workspaces'

/** Lists a page of the instance's workspaces with their size and usage, newest first. */
export async function listWorkspaces(
  db: Queries,
  { meter, storage }: { readonly meter: Meter; readonly storage: StorageGuard },
  input: WorkspacesQueryInput,
) {
  const page = parsePage(LIST, input, ['string'])
  const q = input.q ?? ''
  const results = await db.all(input.deleting ? pendingDeletionsNewestFirst : workspacesNewestFirst, {
    before: String(page.after?.[0] ?? MAX_ID),
    q: normalizeName(q),
    id: q.toLowerCase(),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  const memberRows = await db.all(memberCounts, { ids: rows.map((row) => row.id) })
  const members = new Map(memberRows.map((row) => [row.workspace_id, row.members]))
  const workspaces = []
  for (const row of rows) {
    workspaces.push({
      id: row.id,
      groupName: row.group_name,
      ownerId: row.owner_id,
      owner: row.owner,
      status: row.archived_at === null ? 'active' : 'archived',
      archivedAt: wire.writeNullableTime(row.archived_at),
      deleteAt: wire.writeNullableTime(row.delete_at),
      createdAt: wire.time.write(row.created_at),
      members: String(members.get(row.id) ?? 0),
      records: String(row.case_number),
      monthlyQuota: presentQuota(row.monthly_quota),
      callsThisMonth: String(await meter.countThisMonth(row.id)),
      storageBytes: String(sumStorage(toStorageBytes(row))),
      storageQuota: presentQuota(row.storage_quota),
      storageLimit: presentQuota(resolveStorageQuota(row.storage_quota, storage.defaultQuota)),
    })
  }
  return { workspaces, nextCursor }
}

const presentQuota = (quota: number | null): string | null => (quota === null ? null : String(quota))
