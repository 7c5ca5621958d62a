import type { HistoryPosition } from '@reeve/audit'
import { type Actor, resolvePlayerId, type SanctionKind } from '@reeve/core'
import { listSanctionKeys } from '@reeve/core/pseudonyms'
import type { Queries } from '@reeve/db'
import { formatPlayerMessage } from '../appeals/player-message.ts'
import { hasExpired } from '../records/sanction.ts'
import { presentSanction, type SanctionRow, sanctionsOfPlayers } from '../sanctions.ts'

/**
 * A tag: the position of the workspace before the check, the time at which the first of the sanctions expires, and a hash of
 * the players. While it matches, the response would be the same, and nothing is read.
 */

const hashPlayers = (userIds: readonly string[]): string => Bun.hash([...userIds].sort().join()).toString(36)

const createTag = (
  { epoch, sequence }: HistoryPosition,
  userIds: readonly string[],
  rows: readonly SanctionRow[],
): string => {
  const expiries = rows.flatMap(({ expires_at }) => expires_at ?? [])
  return [epoch, sequence, expiries.length > 0 ? Math.min(...expiries) : '', hashPlayers(userIds)].join('-')
}

/** Whether a tag stands for these players and this position, and none of their sanctions has expired at `now`. */
export function isFreshTag(
  tag: string,
  { epoch, sequence }: HistoryPosition,
  userIds: readonly string[],
  now: number,
): boolean {
  const prefix = `${epoch}-${sequence}-`
  if (!tag.startsWith(prefix)) return false
  const [, freshUntil, hash] = /^(\d*)-([0-9a-z]+)$/.exec(tag.slice(prefix.length)) ?? []
  return (freshUntil === '' || now < Number(freshUntil)) && hash === hashPlayers(userIds)
}

const presentChecked = (kind: SanctionKind, row: SanctionRow) => ({
  ...presentSanction(kind, row),
  message: formatPlayerMessage(kind, row),
})

/**
 * Finds the bans and mutes in force of the players of a game server.
 * @param position read before, so that a change in between is returned twice rather than missed
 * @param now epoch milliseconds
 */
export async function checkPlayers(
  db: Queries,
  { workspaceId, ...players }: Pick<Actor, 'workspaceId' | 'platforms' | 'pseudonymKey'>,
  position: HistoryPosition,
  userIds: readonly string[],
  now: number,
) {
  const { keys, toRequested } = listSanctionKeys(userIds, players)
  const present = (kind: SanctionKind, row: SanctionRow) =>
    // A game server finds a player by the id that it asked for.
    presentChecked(kind, { ...row, user_id: resolvePlayerId(toRequested(row.user_id), players.platforms) })
  const [bans, mutes] = await Promise.all(
    (['ban', 'mute'] as const).map(async (kind) => {
      const rows = await db.all(sanctionsOfPlayers, { workspaceId, kind, userIds: keys })
      return rows.filter((row) => !hasExpired(row, now))
    }),
  )
  return {
    bans: (bans ?? []).map((row) => present('ban', row)),
    mutes: (mutes ?? []).map((row) => present('mute', row)),
    tag: createTag(position, userIds, [...(bans ?? []), ...(mutes ?? [])]),
  }
}
