import type { Ports } from '@reeve/core'
import { redactDeliveries, removePlayerNames, statement, type Transaction } from '@reeve/db'
import { keepErased } from './records.ts'
import type { ErasureCounts } from './store.ts'

/** What is stored about an erased player besides records. Both kinds of erasure delete it. */

interface Players {
  readonly workspaceId: string
  readonly userIds: readonly string[]
}
interface RowKey {
  readonly workspaceId: string
  readonly id: string
}

const someAppeals = statement<Players & { limit: number }>()((sql, p, dialect) =>
  sql
    .selectFrom('appeal')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds))
    .limit(p.limit),
)
const deleteAppealClaim = statement<RowKey>()((sql, p) =>
  sql
    .deleteFrom('claim')
    .where('workspace_id', '=', p.workspaceId)
    .where('target_kind', '=', 'appeal')
    .where('target_id', '=', p.id),
)
/** With it go its messages. */
const deleteAppeal = statement<RowKey>()((sql, p) =>
  sql.deleteFrom('appeal').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const notesOf = statement<Players>()((sql, p, dialect) =>
  sql
    .selectFrom('pinned_note')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds)),
)
const deleteNote = statement<RowKey>()((sql, p) =>
  sql.deleteFrom('pinned_note').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const linksOf = statement<Players>()((sql, p, dialect) =>
  sql
    .selectFrom('player_link')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) =>
      eb.or([dialect.inList('first_user_id', p.userIds), dialect.inList('second_user_id', p.userIds)]),
    ),
)
const deleteLink = statement<RowKey>()((sql, p) =>
  sql.deleteFrom('player_link').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const membersOf = statement<Players>()((sql, p, dialect) =>
  sql
    .selectFrom('member_player')
    .select(['user_id', 'account_id'])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds)),
)
const deleteMember = statement<{ workspaceId: string; userId: string }>()((sql, p) =>
  sql.deleteFrom('member_player').where('workspace_id', '=', p.workspaceId).where('user_id', '=', p.userId),
)
const stopWaitingFor = statement<Players>()((sql, p, dialect) =>
  sql
    .deleteFrom('response_time')
    .where('workspace_id', '=', p.workspaceId)
    .where('responded_at', 'is', null)
    .where(dialect.inList('user_id', p.userIds)),
)
const forgetResponses = statement<Players>()((sql, p, dialect) =>
  sql
    .updateTable('response_time')
    .set({ user_id: '' })
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds)),
)
const deleteStagedRows = statement<Players>()((sql, p, dialect) =>
  sql
    .deleteFrom('workspace_job_row')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('user_id', p.userIds)),
)
const deleteBatchItems = statement<Players>()((sql, p, dialect) =>
  sql
    .deleteFrom('batch_item')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('target', p.userIds)),
)

/** Appeals per transaction. */
const APPEALS_PER_SLICE = 20

/** Deletes some appeals of the player, with their messages. @returns how many; fewer than those of a slice at the end */
export async function eraseSomeAppeals(
  tx: Transaction,
  ports: Ports,
  players: Players,
): Promise<{ readonly appeals: number; readonly isComplete: boolean }> {
  const { workspaceId } = players
  const appeals = await tx.all(someAppeals, { ...players, limit: APPEALS_PER_SLICE })
  for (const { id } of appeals) {
    await redactDeliveries(tx, workspaceId, id)
    await tx.run(deleteAppealClaim, { workspaceId, id })
    await tx.run(deleteAppeal, { workspaceId, id })
    await keepErased(tx, ports.now(), { workspaceId, id }, '')
    tx.announce({ kind: 'appeal', workspaceId, id })
  }
  return { appeals: appeals.length, isComplete: appeals.length < APPEALS_PER_SLICE }
}

/** Deletes pinned notes, links, names and what else has the player's id in a column. @returns how many of each */
export async function erasePlayerRows(
  tx: Transaction,
  ports: Ports,
  players: Players,
): Promise<ErasureCounts> {
  const { workspaceId, userIds } = players
  const now = ports.now()
  const notes = await tx.all(notesOf, players)
  for (const { id } of notes) {
    await tx.run(deleteNote, { workspaceId, id })
    await keepErased(tx, now, { workspaceId, id }, '')
    tx.announce({ kind: 'pinned_note', workspaceId, id })
  }
  const links = await tx.all(linksOf, players)
  for (const { id } of links) {
    await tx.run(deleteLink, { workspaceId, id })
    await keepErased(tx, now, { workspaceId, id }, '')
    tx.announce({ kind: 'player_link', workspaceId, id })
  }
  const members = await tx.all(membersOf, players)
  for (const { user_id: userId, account_id: id } of members) {
    await tx.run(deleteMember, { workspaceId, userId })
    tx.announce({ kind: 'member', workspaceId, id })
  }
  let names = 0
  for (const userId of userIds) names += await removePlayerNames(tx, { workspaceId, userId })
  await tx.run(stopWaitingFor, players)
  await tx.run(forgetResponses, players)
  await tx.run(deleteStagedRows, players)
  const batchResults = await tx.run(deleteBatchItems, players)
  return {
    pinnedNotes: notes.length,
    links: links.length,
    members: members.length,
    names,
    batchResults,
  }
}
