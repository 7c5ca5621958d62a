import type { Ports } from '@reeve/core'
import { resealPseudonymKey } from '@reeve/core/pseudonyms'
import { statement, type Transaction } from '@reeve/db'

/** Across workspaces, because all of them have one secret key. */
const workspacesWithKey = statement()((sql) =>
  sql.selectFrom('workspace').select(['id', 'pseudonym_key']).where('pseudonym_key', 'is not', null),
)
const updateKey = statement<{ workspaceId: string; sealed: string }>()((sql, p) =>
  sql.updateTable('workspace').set({ pseudonym_key: p.sealed }).where('id', '=', p.workspaceId),
)

/** Encrypts the keys of pseudonyms of all workspaces with another secret key. */
export async function reencryptPseudonymKeys(tx: Transaction, from: Ports, to: Ports): Promise<void> {
  for (const { id, pseudonym_key } of await tx.all(workspacesWithKey, {})) {
    if (pseudonym_key === null) continue
    await tx.run(updateKey, { workspaceId: id, sealed: resealPseudonymKey(from, to, id, pseudonym_key) })
  }
}
