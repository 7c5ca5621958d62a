import { type Actor, hasPermission, isSanctionKind, resolvePlayerId, wire } from '@reeve/core'
import { listSanctionKeys } from '@reeve/core/player-hashes'
import type { Queries } from '@reeve/db'
import { listActiveSanctions, listNames } from '../players/queries.ts'
import type { BatchResult, PreviewResult } from './model.ts'

/** Adds to the results of a preview whom they are about, and which bans and mutes would be replaced. */
export async function describePlayers(
  db: Queries,
  actor: Actor,
  now: number,
  results: readonly BatchResult[],
): Promise<PreviewResult[]> {
  const { workspaceId, platforms } = actor
  const toUserId = ({ userId, target }: BatchResult): string => resolvePlayerId(userId ?? target, platforms)
  const players = hasPermission(actor, 'moderation.view') ? [...new Set(results.map(toUserId))] : []
  const { keys, toRequested } = listSanctionKeys(players, actor)
  const toPlayer = (key: string): string => resolvePlayerId(toRequested(key), platforms)
  const names = new Map<string, { readonly id: number; readonly name: string }>()
  for (const rows of (await listNames(db, workspaceId, keys)).values())
    for (const { user_id, id, name } of rows)
      if (id > (names.get(toPlayer(user_id))?.id ?? -1)) names.set(toPlayer(user_id), { id, name })
  const sanctions = new Map(
    (await listActiveSanctions(db, workspaceId, keys, now)).map((row) => [
      `${row.action} ${toPlayer(row.user_id)}`,
      row,
    ]),
  )
  return results.map((result) => {
    const { state, action, caseNumber } = result
    const userId = toUserId(result)
    const isNewSanction = state === 'succeeded' && caseNumber === null && isSanctionKind(action ?? '')
    const replaced = isNewSanction ? sanctions.get(`${action} ${userId}`) : undefined
    return {
      ...result,
      userUsername: names.get(userId)?.name ?? null,
      replacesCaseNumber: replaced ? String(replaced.case_number) : null,
      replacesExpiresAt: wire.writeNullableTime(replaced?.expires_at ?? null),
    }
  })
}
