import {
  addPlayerName,
  insertAll,
  isCompleteResponse,
  type MediaTable,
  statement,
  storeImageRow,
  type Transaction,
} from '@reeve/db'
import { requestRecount } from '@reeve/metering'
import { type ContentTable, content, contentTables, insertRow, type Row } from './content.ts'
import { type ArchiveReader, archiveDamagedError } from './reader.ts'
import type { Redactions } from './redactions.ts'

const accountById = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('account').select('id').where('id', '=', p.id),
)
const insertMemberIfAbsent = statement<{ workspaceId: string; accountId: string; now: number }>()((sql, p) =>
  insertAll(sql, 'member', {
    workspace_id: p.workspaceId,
    account_id: p.accountId,
    joined_at: p.now,
  }).onConflict((conflict) => conflict.doNothing()),
)

const tableByKind = new Map(contentTables.map((table) => [content[table].kind, table]))

/** The workspace to restore to. */
export interface RestoreTarget {
  readonly workspaceId: string
  /** The owner of the workspace: the only account that gets the owner role, regardless of the archive. */
  readonly ownerId: string
  /** The owner's joining time if they are not a member in the archive. Epoch milliseconds. */
  readonly now: number
}

/**
 * Restores the content of an archive to an empty workspace. IDs are preserved. Members whose account no longer exists are
 * skipped. A former owner stays a member with their other roles but does not get the owner role, so that restoring never
 * grants ownership.
 */
export async function restoreContent(
  tx: Transaction,
  archive: ArchiveReader,
  target: RestoreTarget,
  redactions: Redactions,
): Promise<void> {
  const { workspaceId, ownerId, now } = target
  const existingAccounts = new Map<unknown, boolean>()
  let ownerRoleId: unknown = null

  /** Converts an archived row to the restored one; null skips it. */
  const transforms: Partial<Record<ContentTable, (row: Row) => Row | null | Promise<Row | null>>> = {
    role: (row) => {
      if (row.is_owner === 1) ownerRoleId = row.id
      return row
    },
    member: async (row) => {
      const exists = (await tx.first(accountById, { id: String(row.account_id) })) !== undefined
      existingAccounts.set(row.account_id, exists)
      return exists ? row : null
    },
    member_role: (row) => (existingAccounts.get(row.account_id) && row.role_id !== ownerRoleId ? row : null),
    department_member: (row) => (existingAccounts.get(row.account_id) ? row : null),
    // Archives of version 1 do not have it.
    event: (row) => ({ host_account_id: null, ...row }),
    record: (row) => redactions.redactRecord(withItemCounts(row)),
    record_version: (row) => withWorkspaceId(redactions.redactVersion(row), workspaceId),
  }

  for await (const [kind, row] of archive.lines()) {
    if (kind === 'media') {
      await storeImageRow(tx, toMedia(row))
      continue
    }
    const table = tableByKind.get(kind)
    if (table === undefined) throw archiveDamagedError()
    const transform = transforms[table]
    const restored = transform ? await transform(row) : row
    if (!restored) continue
    await tx.run(insertRow({ table }), { ...restored, workspace_id: workspaceId })
    if (table === 'record' && typeof restored.user_username === 'string') {
      await addPlayerName(tx, { workspaceId, userId: String(restored.user_id), name: restored.user_username })
    }
  }
  if (ownerRoleId === null) throw archiveDamagedError()
  await tx.run(insertMemberIfAbsent, { workspaceId, accountId: ownerId, now })
  await tx.run(insertRow({ table: 'member_role' }), {
    workspace_id: workspaceId,
    account_id: ownerId,
    role_id: ownerRoleId,
  })
  await requestRecount(tx, workspaceId)
}

/** Archives before version 3 do not have the counts. */
const withItemCounts = (row: Row): Row => ({
  evidence_count: JSON.parse(String(row.evidence)).length,
  comment_count: JSON.parse(String(row.comments)).length,
  ...row,
})

/** In archives before version 4, a version is an API response, which contains the workspace ID. */
function withWorkspaceId(row: Row, workspaceId: string): Row {
  const version: object = JSON.parse(String(row.snapshot))
  return isCompleteResponse(version) ? { ...row, snapshot: JSON.stringify({ ...version, workspaceId }) } : row
}

/** Archives from before sizes were stored do not have it. */
const toMedia = (row: Row): MediaTable => ({
  ...({ size_bytes: null, ...row } as unknown as MediaTable),
  bytes: row.bytes === null ? null : Buffer.from(String(row.bytes), 'base64'),
})
