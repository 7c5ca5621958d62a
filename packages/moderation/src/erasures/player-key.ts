import type { Ports } from '@reeve/core'
import { generatePlayerKey, openPlayerKey, type PlayerKeyUse } from '@reeve/core/player-hashes'
import { statement, statementFamily, type Transaction } from '@reeve/db'

const storedKeys = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .select(['pseudonym_key as pseudonyms', 'erasure_key as erasures'])
    .where('id', '=', p.workspaceId),
)
const updateKey = statementFamily<{ workspaceId: string; sealed: string }, { use: PlayerKeyUse }>()(
  (sql, p, { use }) =>
    sql
      .updateTable('workspace')
      .set(use === 'pseudonyms' ? { pseudonym_key: p.sealed } : { erasure_key: p.sealed })
      .where('id', '=', p.workspaceId),
)

/**
 * A key of a workspace, which it gets when it is needed for the first time. From its first pseudonym on, ban checks look for pseudonyms. A key
 * that belongs to a lost secret key is replaced: its hashes match nobody any more.
 */
export async function ensurePlayerKey(
  tx: Transaction,
  ports: Ports,
  use: PlayerKeyUse,
  workspaceId: string,
): Promise<Uint8Array> {
  const stored = (await tx.first(storedKeys, { workspaceId }))?.[use] ?? null
  const existing = openPlayerKey(ports, use, workspaceId, stored)
  if (existing !== null) return existing
  const { key, sealed } = generatePlayerKey(ports, use, workspaceId)
  await tx.run(updateKey({ use }), { workspaceId, sealed })
  tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  return key
}
