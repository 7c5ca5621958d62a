import type { Ports } from '@reeve/core'
import { createPseudonym, hashPlayer, openPlayerKey } from '@reeve/core/player-hashes'
import { type ErasureTable, type Queries, statement } from '@reeve/db'
import { type ArchiveKey, readHeader } from './reader.ts'

/** Players who have been erased since an archive was created, in which any row about them is older than the erasure. */

const erasuresAfter = statement<{ workspaceId: string; sequence: number }>()((sql, p) =>
  sql
    .selectFrom('erasure')
    .select(['mode', 'created_at', 'user_hashes'])
    .where('workspace_id', '=', p.workspaceId)
    .where('finished_sequence', '>', p.sequence)
    .orderBy('finished_sequence'),
)
const playerKeys = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select(['pseudonym_key', 'erasure_key']).where('id', '=', p.workspaceId),
)

export interface ErasedPlayer {
  readonly erasedAt: number
  /** The pseudonym under which a restore stores the player; empty to leave the player out. */
  readonly storedAs: string
}

/** @returns undefined for a player who has not been erased since the archive was created */
export type FindErased = (userId: string) => ErasedPlayer | undefined

/** Reads who has been erased since an archive was created, and returns a function that looks a player up. No player can be erased while a job of the workspace is unfinished. */
export async function createErasedPlayerLookup(
  db: Queries,
  ports: Pick<Ports, 'deriveKey'>,
  archive: ArchiveKey,
): Promise<FindErased> {
  const workspaceId = archive.workspace_id
  const { sequence } = await readHeader(db, archive)
  const erasures = await db.all(erasuresAfter, { workspaceId, sequence })
  const keys = await db.first(playerKeys, { workspaceId })
  const key = openPlayerKey(ports, 'erasures', workspaceId, keys?.erasure_key ?? null)
  if (erasures.length === 0 || key === null) return () => undefined
  const pseudonymKey = openPlayerKey(ports, 'pseudonyms', workspaceId, keys?.pseudonym_key ?? null)
  const erasureByHash = new Map<string, Pick<ErasureTable, 'mode' | 'created_at'>>()
  // Of a player who came back and was erased again, nothing stays if one of both left nothing.
  for (const erasure of erasures)
    for (const hash of JSON.parse(String(erasure.user_hashes)) as string[])
      if (erasureByHash.get(hash)?.mode !== 'erase') erasureByHash.set(hash, erasure)
  return (userId) => {
    const erasure = erasureByHash.get(hashPlayer(key, userId))
    if (erasure === undefined) return undefined
    const staysUnderPseudonym = erasure.mode === 'pseudonymise' && pseudonymKey !== null
    return {
      erasedAt: erasure.created_at,
      storedAs: staysUnderPseudonym ? createPseudonym(pseudonymKey, userId) : '',
    }
  }
}
