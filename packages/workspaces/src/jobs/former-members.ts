import {
  type ArchiveTable,
  createTimeSlicer,
  type FormerMemberTable,
  statement,
  type Transaction,
  upsertFormerMember,
} from '@reeve/db'
import type { FilteredMemberships } from './memberships.ts'

const formerMembers = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('former_member').selectAll().where('workspace_id', '=', p.workspaceId),
)
const memberIds = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('member').select('account_id').where('workspace_id', '=', p.workspaceId),
)

const requestAgain = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('former_member')
    .set({ blanked_at: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('blank_sequence', 'is not', null),
)

/** Whom a restored workspace has as members. */
interface Restored extends Pick<FilteredMemberships, 'members'> {
  readonly workspaceId: string
  readonly ownerId: string
}

const listMemberIds = ({ members, ownerId }: Restored): ReadonlySet<unknown> =>
  new Set([ownerId, ...members.map((row) => row.account_id)])

/**
 * Inserts the former members of an archived workspace into a copy of it, whose history has their names. A name that was blanked before
 * the archive was created is not in it.
 */
export async function copyFormerMembers(
  tx: Transaction,
  archive: Pick<ArchiveTable, 'workspace_id' | 'created_at'>,
  copy: Restored,
): Promise<void> {
  const yieldIfDue = createTimeSlicer()
  const members = listMemberIds(copy)
  for (const row of await tx.all(formerMembers, { workspaceId: archive.workspace_id })) {
    if (members.has(row.account_id)) continue
    const isBlanked = row.blanked_at !== null && row.blanked_at < archive.created_at
    await tx.run(upsertFormerMember, {
      ...row,
      workspace_id: copy.workspaceId,
      ...(!isBlanked && NOT_BLANKED),
    })
    await yieldIfDue()
  }
}

/**
 * Inserts the members whom a roll-back takes out of the workspace as former ones.
 * @param before who were members
 */
export async function insertFormerMembers(
  tx: Transaction,
  before: readonly string[],
  restored: Restored & { readonly now: number },
): Promise<void> {
  const yieldIfDue = createTimeSlicer()
  const members = listMemberIds(restored)
  for (const account_id of before) {
    if (members.has(account_id)) continue
    const row = { workspace_id: restored.workspaceId, account_id, left_at: restored.now }
    await tx.run(upsertFormerMember, { ...row, ...NOT_BLANKED })
    await yieldIfDue()
  }
}

/** Lets a job blank the names again that the owner has had blanked: an archive of before brings them back. */
export const blankNamesAgain = (tx: Transaction, workspaceId: string): Promise<number> =>
  tx.run(requestAgain, { workspaceId })

/** The accounts that are members of a workspace. */
export const findMemberIds = async (tx: Transaction, workspaceId: string): Promise<readonly string[]> =>
  (await tx.all(memberIds, { workspaceId })).map(({ account_id }) => account_id)

const NOT_BLANKED = { blank_sequence: null, blanked_at: null } satisfies Partial<FormerMemberTable>
