import { insertImage, type MediaTable, statement, type Transaction } from '@reeve/db'
import { type ContentTable, content, contentTables, putRow, type Row } from './content.ts'
import type { Redactions } from './redacted.ts'
import { damaged, type Unsealed } from './unseal.ts'

const accountById = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('account').select('id').where('id', '=', p.id),
)
const putMember = statement<{ workspaceId: string; accountId: string; now: number }>()((sql, p) =>
  sql
    .insertInto('member')
    .values({ workspace_id: p.workspaceId, account_id: p.accountId, joined_at: p.now })
    .onConflict((conflict) => conflict.doNothing()),
)

const tableOf = new Map(contentTables.map((table) => [content[table].kind, table]))

/** Where the content of an archive goes. */
export interface Target {
  readonly workspaceId: string
  /** The account that owns the workspace, and that alone holds the owner role, whoever did in the archive. */
  readonly ownerId: string
  /** When the owner joins, where the archive does not know them. Epoch milliseconds. */
  readonly now: number
}

/**
 * Puts what an archive holds into a workspace that holds nothing. Ids stay what they are. Left out: members whose account
 * is gone, and the owner role of whoever owned the workspace then; they stay members with their other roles, so that
 * a restore gives nobody a workspace.
 */
export async function putContent(
  tx: Transaction,
  archive: Unsealed,
  target: Target,
  redactions: Redactions,
): Promise<void> {
  const { workspaceId, ownerId, now } = target
  const present = new Map<unknown, boolean>()
  let ownerRoleId: unknown = null

  /** The row as it goes into the workspace; null where it is left out. */
  const fitted: Partial<Record<ContentTable, (row: Row) => Row | null | Promise<Row | null>>> = {
    role: (row) => {
      if (row.is_owner === 1) ownerRoleId = row.id
      return row
    },
    member: async (row) => {
      const isPresent = (await tx.first(accountById, { id: String(row.account_id) })) !== undefined
      present.set(row.account_id, isPresent)
      return isPresent ? row : null
    },
    member_role: (row) => (present.get(row.account_id) && row.role_id !== ownerRoleId ? row : null),
    department_member: (row) => (present.get(row.account_id) ? row : null),
    record: redactions.ofRecord,
    record_version: (row) => withWorkspace(redactions.ofVersion(row), workspaceId),
  }

  for await (const [kind, row] of archive.lines()) {
    if (kind === 'media') {
      await tx.run(insertImage, mediaFrom(row))
      continue
    }
    const table = tableOf.get(kind)
    if (table === undefined) throw damaged()
    const fit = fitted[table]
    const put = fit ? await fit(row) : row
    if (put) await tx.run(putRow({ table }), { ...put, workspaceId })
  }
  if (ownerRoleId === null) throw damaged()
  await tx.run(putMember, { workspaceId, accountId: ownerId, now })
  await tx.run(putRow({ table: 'member_role' }), { workspaceId, account_id: ownerId, role_id: ownerRoleId })
}

/** An earlier version holds the record as it was answered then, workspace and all. */
const withWorkspace = (row: Row, workspaceId: string): Row => ({
  ...row,
  snapshot: JSON.stringify({ ...JSON.parse(String(row.snapshot)), workspaceId }),
})

const mediaFrom = (row: Row): MediaTable => ({
  ...(row as unknown as MediaTable),
  bytes: row.bytes === null ? null : Buffer.from(String(row.bytes), 'base64'),
})
