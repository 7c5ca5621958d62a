import { listUnlinkedSubjects } from '@reeve/auth'
import { type Actor, forbidden, identifyPlayer, listPlayerKeys, outranks } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'

/** The members who are a player: one that the workspace lists as theirs, or that of the account of an identity provider that they sign in with. */

/** In both statements, roles are joined last: SQLite would read every member first, because it moves no table across an outer join. */
const membersByPlayer = statement<{ workspaceId: string; userIds: readonly string[] }>({ isLookup: true })(
  (sql, p, dialect) =>
    sql
      .selectFrom('member_player as linked')
      .innerJoin('member', (join) =>
        join
          .onRef('member.workspace_id', '=', 'linked.workspace_id')
          .onRef('member.account_id', '=', 'linked.account_id'),
      )
      .where('linked.workspace_id', '=', p.workspaceId)
      .where(dialect.inList('linked.user_id', p.userIds))
      .leftJoin('member_role', (join) =>
        join
          .onRef('member_role.workspace_id', '=', 'member.workspace_id')
          .onRef('member_role.account_id', '=', 'member.account_id'),
      )
      .leftJoin('role', (join) =>
        join
          .onRef('role.workspace_id', '=', 'member_role.workspace_id')
          .onRef('role.id', '=', 'member_role.role_id'),
      )
      .select(['member.account_id', 'role.rank']),
)
const membersByIdentity = statement<{ workspaceId: string; provider: string; subject: string }>({
  isLookup: true,
})((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('account_identity', 'account_identity.account_id', 'member.account_id')
    .where('member.workspace_id', '=', p.workspaceId)
    .where('account_identity.subject', '=', p.subject)
    .where('account_identity.provider', '=', p.provider)
    .leftJoin('member_role', (join) =>
      join
        .onRef('member_role.workspace_id', '=', 'member.workspace_id')
        .onRef('member_role.account_id', '=', 'member.account_id'),
    )
    .leftJoin('role', (join) =>
      join
        .onRef('role.workspace_id', '=', 'member_role.workspace_id')
        .onRef('role.id', '=', 'member_role.role_id'),
    )
    .select(['member.account_id', 'role.rank']),
)

/** The platforms that people sign in with: the provider has the name of the platform, and its subjects are the ids of players. */
const SIGN_IN_PLATFORMS: ReadonlySet<string> = new Set(['roblox', 'discord'])

/** A member who is a player. */
interface MemberOfPlayer {
  readonly accountId: string
  /** The highest of their ranks; 0 without a role. */
  readonly rank: number
}

/** The members who are this player. */
async function listMembersOfPlayer(
  db: Queries,
  { workspaceId, platforms }: Pick<Actor, 'workspaceId' | 'platforms'>,
  userId: string,
): Promise<MemberOfPlayer[]> {
  const { platform, id } = identifyPlayer(userId, platforms)
  const rows = [
    ...(await db.all(membersByPlayer, { workspaceId, userIds: listPlayerKeys(userId, platforms) })),
    ...(SIGN_IN_PLATFORMS.has(platform)
      ? await db.all(membersByIdentity, { workspaceId, provider: platform, subject: id })
      : []),
  ]
  return [...Map.groupBy(rows, (row) => row.account_id)].map(([accountId, roles]) => ({
    accountId,
    rank: Math.max(0, ...roles.map(({ rank }) => rank ?? 0)),
  }))
}

/** The accounts of the members who are this player; none for null. */
export async function listAccountsOfPlayer(
  db: Queries,
  actor: Pick<Actor, 'workspaceId' | 'platforms'>,
  userId: string | null,
): Promise<string[]> {
  if (userId === null) return []
  const members = await listMembersOfPlayer(db, actor, userId)
  return members.map(({ accountId }) => accountId)
}

/**
 * Tells whether one of some accounts was a player by an account of an identity provider that its owner has unlinked since: they are
 * the same person still. What is unlinked is read once, when it first matters.
 */
export function createFormerPlayerCheck(
  db: Queries,
  { platforms }: Pick<Actor, 'platforms'>,
  accountIds: readonly string[],
) {
  let subjects: Promise<ReadonlySet<unknown>> | null = null
  return async (userId: string | null): Promise<boolean> => {
    if (userId === null) return false
    const { platform, id } = identifyPlayer(userId, platforms)
    if (!SIGN_IN_PLATFORMS.has(platform)) return false
    subjects ??= listUnlinkedSubjects(db, accountIds)
    return (await subjects).has(id)
  }
}

/** Whether the actor outranks every member who is this player. The command line outranks everybody. */
export async function outranksPlayer(
  db: Queries,
  actor: Pick<Actor, 'kind' | 'rank' | 'workspaceId' | 'platforms'>,
  userId: string,
): Promise<boolean> {
  if (actor.kind === 'system') return true
  const members = await listMembersOfPlayer(db, actor, userId)
  return members.every(({ rank }) => outranks(actor, rank))
}

/** @throws AppError `forbidden` (`insufficient_rank`) if the player is a member whom the actor does not outrank */
export async function assertOutranksPlayer(
  db: Queries,
  actor: Pick<Actor, 'kind' | 'rank' | 'workspaceId' | 'platforms'>,
  userId: string,
): Promise<void> {
  if (await outranksPlayer(db, actor, userId)) return
  throw forbidden(
    'insufficient_rank',
    'This player is a member of the workspace with your rank or a higher one. Only somebody who outranks them can act.',
  )
}
