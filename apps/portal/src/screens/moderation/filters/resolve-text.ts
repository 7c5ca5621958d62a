import { cleanQuery, MAX_LIMIT, toSearchText } from '@reeve/core'
import { api, unwrap } from '../../../api/client.ts'
import { isPlayerId } from '../player/player-lookup.ts'
import type { PlayerSummary } from '../queries.ts'
import { splitValues } from '../record-filters.ts'

/** How a typed text was understood. */
export interface ResolvedText {
  readonly userIds: readonly string[]
  readonly caseNumbers: readonly string[]
  /** Texts that match no player or several. */
  readonly unresolved: readonly string[]
}

/** The number in `#288`; null for any other text. */
export const parseCaseReference = (text: string): string | null => /^#\s*(\d{1,15})$/.exec(text)?.[1] ?? null

/** The number of a text that can be a case number: `288` or `#288`. */
export const parseCaseNumber = (text: string): string | null => {
  const digits = parseCaseReference(text) ?? (/^\d{1,15}$/.test(text) ? text : null)
  return digits === null || Number(digits) === 0 ? null : String(Number(digits))
}

/** Whether a text that no player matches can be the id of a player without cases. */
export const canBeUnknownId = (text: string): boolean => isPlayerId(text) && /\d/.test(text)

/** Searches players by a part of their name or id. */
export const searchPlayers = (workspaceId: string, q: string, limit = MAX_LIMIT) =>
  unwrap(api.GET('/portal/api/players', { params: { query: { workspaceId, q, limit: String(limit) } } }))

/**
 * Understands a text: player ids, names and case numbers such as `#288`, separated by commas. A name that several players
 * match stays unresolved, even if one of them has exactly this name.
 */
export async function resolveText(workspaceId: string, text: string): Promise<ResolvedText> {
  const parts = splitValues(cleanQuery(text))
  const resolved = await Promise.all(parts.map((part) => resolvePart(workspaceId, part)))
  return {
    userIds: resolved.flatMap(({ userId }) => userId ?? []),
    caseNumbers: resolved.flatMap(({ caseNumber }) => caseNumber ?? []),
    unresolved: resolved.flatMap(({ unresolved }) => unresolved ?? []),
  }
}

async function resolvePart(
  workspaceId: string,
  part: string,
): Promise<{ userId?: string; caseNumber?: string; unresolved?: string }> {
  const reference = parseCaseReference(part)
  const caseNumber = reference === null ? null : parseCaseNumber(part)
  if (caseNumber !== null) return { caseNumber }
  const { players, nextCursor } = await searchPlayers(workspaceId, part, 2)
  const exact = players.find(({ userId }) => userId === part)
  if (exact) return { userId: part }
  const [only] = players
  if (only && players.length === 1 && nextCursor === null) return { userId: only.userId }
  return players.length === 0 && canBeUnknownId(part) ? { userId: part } : { unresolved: part }
}

/** Whether a player's id or one of their names is this text. */
export const isExactMatch = ({ userId, userUsername, otherNames }: PlayerSummary, text: string): boolean =>
  userId === text ||
  [userUsername, ...otherNames].some((name) => name !== null && toSearchText(name) === toSearchText(text))
