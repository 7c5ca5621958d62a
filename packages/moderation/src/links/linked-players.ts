import { type Actor, listKeysOfPlayers, listPlayerKeys, type Ports } from '@reeve/core'
import { createTimeSlicer, type PlayerLinkTable, type Queries } from '@reeve/db'
import { findEndingLast, hasExpired } from '../records/sanction.ts'
import { presentSanction, type SanctionInForce, sanctionsOfPlayers } from '../sanctions.ts'
import { findOtherPlayer } from './model.ts'
import { listLinksOfPlayers } from './queries.ts'

type WorkspaceOfActor = Pick<Actor, 'workspaceId' | 'platforms'>

/** How many players one statement reads, which limits how long it takes. */
const PLAYERS_PER_STATEMENT = 25

/** The players that are linked to these ones, in the order of the request, with their bans in force. */
export async function listLinkedPlayers(
  db: Queries,
  ports: Ports,
  { workspaceId, platforms }: WorkspaceOfActor,
  userIds: readonly string[],
) {
  const yieldIfDue = createTimeSlicer()
  const pairs: { userId: string; linkedUserId: string; row: PlayerLinkTable }[] = []
  for (let start = 0; start < userIds.length; start += PLAYERS_PER_STATEMENT) {
    const players = userIds.slice(start, start + PLAYERS_PER_STATEMENT)
    const rows = await listLinksOfPlayers(db, workspaceId, listKeysOfPlayers(players, platforms))
    for (const userId of players) {
      const keys = listPlayerKeys(userId, platforms)
      for (const row of rows) {
        const linkedUserId = findOtherPlayer(row, keys)
        if (linkedUserId !== null) pairs.push({ userId, linkedUserId, row })
      }
    }
    await yieldIfDue()
  }
  const linkedIds = [...new Set(pairs.map(({ linkedUserId }) => linkedUserId))]
  const bans = new Map(
    (await listBans(db, ports, { workspaceId, platforms }, linkedIds)).map((ban) => [ban.userId, ban]),
  )
  return pairs.map(({ userId, linkedUserId, row }) => ({
    userId,
    linkedUserId,
    confidence: row.confidence,
    linkId: row.id,
    ban: bans.get(linkedUserId) ?? null,
  }))
}

/** The bans in force of these players, at most one for each, under the id that was asked for, whatever form the ban has. */
async function listBans(
  db: Queries,
  ports: Ports,
  { workspaceId, platforms }: WorkspaceOfActor,
  userIds: readonly string[],
): Promise<SanctionInForce[]> {
  const now = ports.now()
  const yieldIfDue = createTimeSlicer()
  const bans: SanctionInForce[] = []
  for (let start = 0; start < userIds.length; start += PLAYERS_PER_STATEMENT) {
    const players = userIds.slice(start, start + PLAYERS_PER_STATEMENT)
    const keys = listKeysOfPlayers(players, platforms)
    const rows = await db.all(sanctionsOfPlayers, { workspaceId, kind: 'ban', userIds: keys })
    const inForce = new Map(rows.filter((row) => !hasExpired(row, now)).map((row) => [row.user_id, row]))
    for (const userId of players) {
      const row = findEndingLast(listPlayerKeys(userId, platforms).flatMap((key) => inForce.get(key) ?? []))
      if (row) bans.push({ ...presentSanction('ban', row), userId })
    }
    await yieldIfDue()
  }
  return bans
}
