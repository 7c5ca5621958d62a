import type { HistoryPosition } from '@reeve/audit'
import { type Actor, resolvePlayerId, type SanctionKind } from '@reeve/core'
import { listSanctionKeys } from '@reeve/core/player-hashes'
import type { Queries } from '@reeve/db'
import { formatPlayerMessage } from '../appeals/player-message.ts'
import { findEndingLast, hasExpired } from '../records/sanction.ts'
import { type CheckedRow, presentSanction, type SanctionRow, sanctionsOfPlayers } from '../sanctions.ts'

/**
 * A tag: the position of the workspace before the check, the time at which the first of the sanctions expires or can no longer be
 * appealed, and a hash of the players. While it matches, the response would be the same, and nothing is read.
 */

const hashPlayers = (userIds: readonly string[]): string => Bun.hash([...userIds].sort().join()).toString(36)

const createTag = (
  { epoch, sequence }: HistoryPosition,
  userIds: readonly string[],
  rows: readonly SanctionRow[],
  now: number,
): string => {
  const times = rows
    .flatMap(({ expires_at, appeal_until }) => [expires_at ?? [], appeal_until ?? []].flat())
    .filter((time) => time > now)
  return [epoch, sequence, times.length > 0 ? Math.min(...times) : '', hashPlayers(userIds)].join('-')
}

/** Whether a tag stands for these players and this position, and the time in it has not come at `now`. */
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

const presentChecked = (kind: SanctionKind, row: CheckedRow, now: number) => ({
  ...presentSanction(kind, row),
  message: formatPlayerMessage(kind, row, now),
})

/**
 * Finds the bans and mutes in force of the players of a game server, at most one of each for a player: the one that ends last.
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
  // A game server finds a player by the id that it asked for.
  const toUserId = (key: string): string => resolvePlayerId(toRequested(key), players.platforms)
  const [bans, mutes] = await Promise.all(
    (['ban', 'mute'] as const).map(async (kind) => {
      const rows = await db.all(sanctionsOfPlayers, { workspaceId, kind, userIds: keys })
      const inForce = rows
        .filter((row) => !hasExpired(row, now))
        .map((row) => ({ ...row, user_id: toUserId(row.user_id) }))
      const byPlayer = Map.groupBy(inForce, ({ user_id }) => user_id)
      return [...byPlayer.values()].flatMap((ofPlayer) => findEndingLast(ofPlayer) ?? [])
    }),
  )
  return {
    bans: (bans ?? []).map((row) => presentChecked('ban', row, now)),
    mutes: (mutes ?? []).map((row) => presentChecked('mute', row, now)),
    tag: createTag(position, userIds, [...(bans ?? []), ...(mutes ?? [])], now),
  }
}
