import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  findManageObstacle,
  forbidden,
  hasSameIds,
  OWNER_RANK,
  type Ports,
  requireFields,
} from '@reeve/core'
import { insertAll, type MemberPlayerTable, type Queries, statement, type Transaction } from '@reeve/db'
import type { MemberKey } from './assign.ts'
import type { MemberPlayersInput } from './model.ts'
import { requireMember } from './read.ts'

const playersOfMember = statement<MemberKey>()((sql, p) =>
  sql
    .selectFrom('member_player')
    .select('user_id')
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '=', p.accountId)
    .orderBy('user_id'),
)
const linkedPlayers = statement<{ workspaceId: string; userIds: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('member_player')
    .innerJoin('account', 'account.id', 'member_player.account_id')
    .select(['user_id', 'account_id', 'username'])
    .where('member_player.workspace_id', '=', p.workspaceId)
    .where(dialect.inList('member_player.user_id', p.userIds)),
)
const insertPlayer = statement<MemberPlayerTable>()((sql, p) => insertAll(sql, 'member_player', p))
const deletePlayer = statement<MemberKey & { userId: string }>()((sql, p) =>
  sql
    .deleteFrom('member_player')
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '=', p.accountId)
    .where('user_id', '=', p.userId),
)

/** The players who are a member, linked in the workspace. @throws AppError `not_found` */
export async function listMemberPlayers(db: Queries, actor: Actor, accountId: string) {
  await requireMember(db, actor, accountId)
  const rows = await db.all(playersOfMember, { workspaceId: actor.workspaceId, accountId })
  return { accountId, userIds: rows.map(({ user_id }) => user_id) }
}

/**
 * Replaces the players who are a member. Only somebody who outranks the member can do that, because nobody of the member's rank can
 * sanction these players; the owner can do it for themselves.
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`), `conflict` for a player who is another member, `version_mismatch`
 */
export async function replaceMemberPlayers(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: MemberPlayersInput,
) {
  const { accountId, userIds } = requireFields(input, 'accountId', 'userIds')
  const member = await requireMember(tx, actor, accountId)
  const isOwner = actor.rank >= OWNER_RANK && member.isOwner
  if (!isOwner && findManageObstacle(actor, member)) throw forbidden('insufficient_rank')
  const { workspaceId } = actor
  const before = (await listMemberPlayers(tx, actor, accountId)).userIds
  if (input.expectedUserIds && !hasSameIds(input.expectedUserIds, before))
    throw new AppError('version_mismatch', {
      message: 'The member has other players than in expectedUserIds; read them again and retry.',
    })
  const after = [...userIds].sort()
  const linked = await tx.all(linkedPlayers, { workspaceId, userIds: after })
  const taken = linked.find((row) => row.account_id !== accountId)
  if (taken) {
    throw new AppError('conflict', {
      message: `The player ${taken.user_id} is linked to ${taken.username} already. Remove that link first.`,
    })
  }
  const removed = before.filter((userId) => !after.includes(userId))
  const added = after.filter((userId) => !before.includes(userId))
  if (removed.length + added.length === 0) return { accountId, userIds: before }
  for (const userId of removed) await tx.run(deletePlayer, { workspaceId, accountId, userId })
  for (const userId of added) {
    await tx.run(insertPlayer, {
      workspace_id: workspaceId,
      user_id: userId,
      account_id: accountId,
      linked_at: ports.now(),
    })
  }
  await appendAuditEntry(tx, ports, actor, {
    action: 'members.set_players',
    target: { kind: 'member', id: accountId },
    before: { username: member.username, players: before },
    after: { username: member.username, players: after },
  })
  tx.announce({ kind: 'member', workspaceId, id: accountId })
  return { accountId, userIds: after }
}
