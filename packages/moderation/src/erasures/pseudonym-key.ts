import type { Ports } from '@reeve/core'
import { generatePseudonymKey, openPseudonymKey } from '@reeve/core/pseudonyms'
import { statement, type Transaction } from '@reeve/db'

const storedKey = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('pseudonym_key').where('id', '=', p.workspaceId),
)
const updateKey = statement<{ workspaceId: string; sealed: string }>()((sql, p) =>
  sql.updateTable('workspace').set({ pseudonym_key: p.sealed }).where('id', '=', p.workspaceId),
)

/**
 * The key of the pseudonyms of a workspace, which it gets with its first one: from then on, its ban checks look for pseudonyms. A key that
 * belongs to a lost secret key is replaced: its pseudonyms match nobody any more.
 */
export async function ensurePseudonymKey(
  tx: Transaction,
  ports: Ports,
  workspaceId: string,
): Promise<Uint8Array> {
  const stored = (await tx.first(storedKey, { workspaceId }))?.pseudonym_key ?? null
  const existing = openPseudonymKey(ports, workspaceId, stored)
  if (existing !== null) return existing
  const { key, sealed } = generatePseudonymKey(ports, workspaceId)
  await tx.run(updateKey, { workspaceId, sealed })
  tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
  return key
}
