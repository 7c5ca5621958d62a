import {
  type LoggedChange,
  openWorkspaceLog,
  PAGE_ROWS,
  type ResourceDifference,
  RowReader,
} from '@reeve/audit'
import { HIGHEST_ID } from '@reeve/core'
import { FIRST_USERNAME_KEY, type Queries, statement } from '@reeve/db'
import { MembershipHistory } from './membership-history.ts'
import { readOwnership } from './ownership-log.ts'

const membersBelow = statement<{ workspaceId: string; beforeId: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('member')
    .select('account_id')
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '<', p.beforeId)
    .orderBy('account_id', 'desc')
    .limit(p.limit),
)
const rolesOfMembers = statement<{ workspaceId: string; accountIds: readonly string[] }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('member_role')
      .select(['account_id', 'role_id'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('account_id', p.accountIds)),
)
const rolesOfWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('role').select(['id', 'is_owner']).where('workspace_id', '=', p.workspaceId),
)
const ownerOfWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('owner_id').where('id', '=', p.workspaceId),
)
const accountById = statement<{ id: string }>()((sql, p) =>
  sql
    .selectFrom('account')
    .select('id')
    .where('id', '=', p.id)
    .where('username_key', '>', FIRST_USERNAME_KEY),
)

interface MemberRow {
  readonly accountId: string
  readonly roleIds: readonly string[]
}

/** What the members of a workspace are compared with. */
interface Expectations {
  /** The roles that exist: deleting one takes it from its members. */
  readonly roleIds: ReadonlySet<string>
  readonly ownerRoleId: string | undefined
  /** By the log; undefined if it does not say. */
  readonly ownerId: string | undefined
  /** By the row of the workspace. */
  readonly storedOwnerId: string
  /** Whether all members have joined in this workspace, not in the one that it was copied from. */
  readonly isOriginal: boolean
}

/**
 * Compares the members of a workspace, their roles and its owner with the audit log.
 * @returns the number of members
 */
export async function compareMembers(
  read: Queries,
  workspaceId: string,
  onDifference: (difference: ResourceDifference) => void,
): Promise<number> {
  const log = await openWorkspaceLog(read, workspaceId)
  const workspace = await read.first(ownerOfWorkspace, { workspaceId })
  if (log === null || !workspace) return 0
  const ownership = await readOwnership(log)
  const roles = await read.all(rolesOfWorkspace, { workspaceId })
  const expectations: Expectations = {
    roleIds: new Set(roles.map(({ id }) => id)),
    ownerRoleId: roles.find((role) => role.is_owner === 1)?.id,
    ownerId: ownership.ownerId,
    storedOwnerId: workspace.owner_id,
    isOriginal: log.copiedUntil === 0,
  }
  const changes = log.readChanges('member')
  const rows = new RowReader<MemberRow>(PAGE_ROWS, (last) =>
    readMembers(read, workspaceId, last?.accountId ?? HIGHEST_ID),
  )
  const accountIds = new Set([...ownership.accountIds, workspace.owner_id])
  let count = 0
  const compare = async (accountId: string, logged: readonly LoggedChange[], row: MemberRow | undefined) => {
    accountIds.delete(accountId)
    if (row !== undefined) count += 1
    const history = new MembershipHistory()
    for (const event of ownership.mergeEvents(accountId, logged)) history.apply(event)
    const difference = compareMember(expectations, accountId, history, row)
    if (difference === null) return
    if (difference.kind === 'missing' && !(await read.first(accountById, { id: accountId }))) return
    onDifference({ workspaceId, id: accountId, ...difference })
  }
  for (;;) {
    const [row, change] = [await rows.peek(), await changes.peek()]
    const accountId = [row?.accountId, change?.target_id]
      .filter((id) => id !== undefined)
      .sort()
      .at(-1)
    if (accountId === undefined) break
    const logged = await readChangesOf(changes, accountId)
    const current = row?.accountId === accountId ? row : undefined
    if (current !== undefined) rows.skip()
    await compare(accountId, logged, current)
  }
  for (const accountId of [...accountIds]) await compare(accountId, [], undefined)
  return count
}

async function readMembers(read: Queries, workspaceId: string, beforeId: string): Promise<MemberRow[]> {
  const members = await read.all(membersBelow, { workspaceId, beforeId, limit: PAGE_ROWS })
  if (members.length === 0) return []
  const accountIds = members.map((row) => row.account_id)
  const assigned = await read.all(rolesOfMembers, { workspaceId, accountIds })
  const rolesByAccount = Map.groupBy(assigned, (row) => row.account_id)
  return accountIds.map((accountId) => ({
    accountId,
    roleIds: (rolesByAccount.get(accountId) ?? []).map((row) => row.role_id),
  }))
}

/** The changes of one member, oldest first. */
async function readChangesOf(changes: RowReader<LoggedChange>, accountId: string): Promise<LoggedChange[]> {
  const logged: LoggedChange[] = []
  for (let change = await changes.peek(); change?.target_id === accountId; change = await changes.peek()) {
    changes.skip()
    logged.push(change)
  }
  return logged.reverse()
}

function compareMember(
  { roleIds, ownerRoleId, ownerId, storedOwnerId, isOriginal }: Expectations,
  accountId: string,
  history: MembershipHistory,
  row: MemberRow | undefined,
): Pick<ResourceDifference, 'kind' | 'fields'> | null {
  const isOwner = accountId === (ownerId ?? storedOwnerId)
  if (row === undefined) return history.exists === true || isOwner ? { kind: 'missing', fields: [] } : null
  const fields: string[] = []
  const hasOwnerRole = row.roleIds.some((id) => id === ownerRoleId)
  if (hasOwnerRole !== isOwner || (accountId === storedOwnerId) !== isOwner) fields.push('isOwner')
  // The owner is a member whatever the log says, and may do everything.
  if (!isOwner) {
    if (history.exists === false || (history.exists === null && isOriginal && !history.isUncertain))
      return { kind: 'unknown', fields: [] }
    const actual = row.roleIds.filter((id) => id !== ownerRoleId)
    if (!history.allowsRoles(actual, roleIds)) fields.push('roles')
  }
  return fields.length === 0 ? null : { kind: 'changed', fields }
}
