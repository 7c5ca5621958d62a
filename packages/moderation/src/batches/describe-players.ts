import {
  type Actor,
  hasPermission,
  isSanctionKind,
  resolvePlayerId,
  type SanctionKind,
  wire,
} from '@reeve/core'
import { listSanctionKeys } from '@reeve/core/player-hashes'
import type { Queries } from '@reeve/db'
import { listActiveSanctions, listNames } from '../players/queries.ts'
import { findEndingLast } from '../records/sanction.ts'
import type { PreviewResult, TargetResult } from './model.ts'

type Target = Pick<TargetResult, 'target' | 'userId'>

const toUserId = ({ platforms }: Actor, { userId, target }: Target): string =>
  resolvePlayerId(userId ?? target, platforms)

/** The players of results, if the actor may see them; empty otherwise. */
const listVisiblePlayers = (actor: Actor, results: readonly Target[]): string[] =>
  hasPermission(actor, 'moderation.view')
    ? [...new Set(results.map((result) => toUserId(actor, result)))]
    : []

/** Adds to results the newest names of their players, if the actor may see them. */
export async function addNames<Result extends Target>(
  db: Queries,
  actor: Actor,
  results: readonly Result[],
): Promise<(Result & { userUsername: string | null })[]> {
  const { workspaceId, platforms } = actor
  const players = listVisiblePlayers(actor, results)
  const { keys, toRequested } = listSanctionKeys(players, actor)
  const toPlayer = (key: string): string => resolvePlayerId(toRequested(key), platforms)
  const names = new Map<string, { readonly id: number; readonly name: string }>()
  for (const rows of (await listNames(db, workspaceId, keys)).values())
    for (const { user_id, id, name } of rows)
      if (id > (names.get(toPlayer(user_id))?.id ?? -1)) names.set(toPlayer(user_id), { id, name })
  return results.map((result) => ({
    ...result,
    userUsername: names.get(toUserId(actor, result))?.name ?? null,
  }))
}

/** Adds to the results of a preview whom they are about, and which bans and mutes would be replaced. */
export async function describePlayers(
  db: Queries,
  actor: Actor,
  now: number,
  results: readonly TargetResult[],
): Promise<PreviewResult[]> {
  const resultsWithNames = await addNames(db, actor, results)
  const findActive = await findActiveSanctions(db, actor, now, listVisiblePlayers(actor, results))
  return resultsWithNames.map((result) => {
    const { state, action, caseNumber } = result
    const userId = toUserId(actor, result)
    const kind = action ?? ''
    const isNewSanction = state === 'succeeded' && caseNumber === null && isSanctionKind(kind)
    const replaced = isNewSanction ? findActive(kind, userId) : undefined
    return {
      ...result,
      replacesCaseNumber: replaced ? String(replaced.case_number) : null,
      replacesExpiresAt: wire.writeNullableTime(replaced?.expires_at ?? null),
    }
  })
}

/**
 * Reads the bans and mutes of players that are in force.
 * @param now epoch milliseconds
 * @returns a function that finds the one of a player that ends last
 */
export async function findActiveSanctions(
  db: Queries,
  actor: Actor,
  now: number,
  userIds: readonly string[],
) {
  const { workspaceId, platforms } = actor
  const { keys, toRequested } = listSanctionKeys(
    userIds.map((userId) => resolvePlayerId(userId, platforms)),
    actor,
  )
  const rows = await listActiveSanctions(db, workspaceId, keys, now)
  const sanctions = Map.groupBy(
    rows,
    (row) => `${row.action} ${resolvePlayerId(toRequested(row.user_id), platforms)}`,
  )
  return (kind: SanctionKind, userId: string) =>
    findEndingLast(sanctions.get(`${kind} ${resolvePlayerId(userId, platforms)}`) ?? [])
}
