import { combineRoles, type Settings } from '@reeve/auth'
import { type Actor, AppError, normalizeName, paginate, parsePage, wire } from '@reeve/core'
import { type Queries, type RoleTable, statement, statementFamily } from '@reeve/db'
import type { MembersQueryInput, PresentedMember } from './model.ts'
import { readRobloxAccounts } from './roblox.ts'
import { assertCanFilterBySecondFactor, readSecondFactors } from './second-factors.ts'

const memberByAccount = statement<{ workspaceId: string; accountId: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['member.account_id', 'member.joined_at', 'account.username', 'account.username_key'])
    .where('member.workspace_id', '=', p.workspaceId)
    .where('member.account_id', '=', p.accountId),
)
const membersByName = statementFamily<
  { workspaceId: string; after: string; limit: number; roleId: string; q: string },
  { filterByRole: boolean; withoutSecondFactor: boolean }
>()((sql, p, { filterByRole, withoutSecondFactor }, dialect) => {
  const all = sql
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['member.account_id', 'member.joined_at', 'account.username', 'account.username_key'])
    .where('member.workspace_id', '=', p.workspaceId)
    .where('account.username_key', '>', p.after)
    .where(dialect.contains('account.username_key', p.q))
    .orderBy('account.username_key')
    .limit(p.limit)
  const page = withoutSecondFactor
    ? all.where((eb) =>
        eb.not(
          eb.or([
            eb.exists(
              eb.selectFrom('passkey').select('id').whereRef('passkey.account_id', '=', 'member.account_id'),
            ),
            eb.exists(
              eb.selectFrom('totp').select('secret').whereRef('totp.account_id', '=', 'member.account_id'),
            ),
          ]),
        ),
      )
    : all
  if (!filterByRole) return page
  return page.where((eb) =>
    eb.exists(
      eb
        .selectFrom('member_role')
        .select('role_id')
        .where('workspace_id', '=', p.workspaceId)
        .where('role_id', '=', p.roleId)
        .whereRef('member_role.account_id', '=', 'member.account_id'),
    ),
  )
})
const rolesByMembers = statement<{ workspaceId: string; accountIds: readonly string[] }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('member_role')
      .innerJoin('role', (join) =>
        join
          .onRef('role.workspace_id', '=', 'member_role.workspace_id')
          .onRef('role.id', '=', 'member_role.role_id'),
      )
      .selectAll('role')
      .select('member_role.account_id')
      .where('member_role.workspace_id', '=', p.workspaceId)
      .where(dialect.inList('member_role.account_id', p.accountIds))
      .orderBy('role.rank', 'desc')
      .orderBy('role.name_key'),
)

/** A member with its roles, highest rank first, and their combined rank. */
export interface Member {
  readonly accountId: string
  readonly username: string
  readonly joinedAt: number
  readonly roles: readonly RoleTable[]
  readonly rank: number
  readonly isOwner: boolean
}

interface MemberRow {
  readonly account_id: string
  readonly username: string
  readonly joined_at: number
}

async function attachRoles(
  db: Queries,
  workspaceId: string,
  members: readonly MemberRow[],
): Promise<Member[]> {
  const memberRoles = await db.all(rolesByMembers, {
    workspaceId,
    accountIds: members.map((row) => row.account_id),
  })
  return members.map((row) => {
    const roles = memberRoles.filter((role) => role.account_id === row.account_id)
    return {
      accountId: row.account_id,
      username: row.username,
      joinedAt: row.joined_at,
      roles,
      rank: combineRoles(roles).rank,
      isOwner: roles.some((role) => role.is_owner === 1),
    }
  })
}

/** A member of the actor's workspace. @throws AppError `not_found` */
export async function requireMember(db: Queries, { workspaceId }: Actor, accountId: string): Promise<Member> {
  const row = await db.first(memberByAccount, { workspaceId, accountId })
  const [member] = row ? await attachRoles(db, workspaceId, [row]) : []
  if (!member) throw new AppError('not_found', { message: 'Member not found.' })
  return member
}

/** The response for one member. @throws AppError `not_found` */
export async function getMember(
  db: Queries,
  { oidcProviders }: Pick<Settings, 'oidcProviders'>,
  actor: Actor,
  accountId: string,
) {
  const member = presentMember(await requireMember(db, actor, accountId))
  const addRobloxAccount = await readRobloxAccounts(db, oidcProviders, [accountId])
  const addSecondFactor = await readSecondFactors(db, actor, [accountId])
  return { member: addSecondFactor(addRobloxAccount(member)) }
}

const LIST = 'members'

/** A page of members, sorted by username. */
export async function listMembers(
  db: Queries,
  { oidcProviders }: Pick<Settings, 'oidcProviders'>,
  actor: Actor,
  input: MembersQueryInput,
) {
  const page = parsePage(LIST, input, ['string'])
  const withoutSecondFactor = input.secondFactor === 'missing'
  if (withoutSecondFactor) assertCanFilterBySecondFactor(actor)
  const filter = { filterByRole: input.roleId !== undefined, withoutSecondFactor }
  const results = await db.all(membersByName(filter), {
    workspaceId: actor.workspaceId,
    after: String(page.after?.[0] ?? ''),
    limit: page.limit + 1,
    roleId: input.roleId ?? '',
    q: normalizeName(input.q ?? ''),
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.username_key])
  const members = await attachRoles(db, actor.workspaceId, rows)
  const accountIds = members.map((member) => member.accountId)
  const addRobloxAccount = await readRobloxAccounts(db, oidcProviders, accountIds)
  const addSecondFactor = await readSecondFactors(db, actor, accountIds)
  return {
    members: members.map((member) => addSecondFactor(addRobloxAccount(presentMember(member)))),
    nextCursor,
  }
}

export const presentMember = (member: Member): PresentedMember => ({
  accountId: member.accountId,
  username: member.username,
  roles: member.roles.map(({ id, name, color, rank }) => ({ id, name, color, rank: String(rank) })),
  rank: String(member.rank),
  joinedAt: wire.time.write(member.joinedAt),
  isOwner: wire.boolean.write(member.isOwner),
})
