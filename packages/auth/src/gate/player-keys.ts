import type { Ports } from '@reeve/core'
import { resealPlayerKey } from '@reeve/core/player-hashes'
import { statement, type Transaction, type WorkspaceTable } from '@reeve/db'

type Keys = Pick<WorkspaceTable, 'pseudonym_key' | 'erasure_key'>

/** Across workspaces, because all of them have one secret key. */
const workspacesWithKey = statement()((sql) =>
  sql
    .selectFrom('workspace')
    .select(['id', 'pseudonym_key', 'erasure_key'])
    .where((eb) => eb.or([eb('pseudonym_key', 'is not', null), eb('erasure_key', 'is not', null)])),
)
const updateKeys = statement<Keys & { workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace')
    .set({ pseudonym_key: p.pseudonym_key, erasure_key: p.erasure_key })
    .where('id', '=', p.workspaceId),
)

/** Encrypts the keys of all workspaces for hashes of players with another secret key. */
export async function reencryptPlayerKeys(tx: Transaction, from: Ports, to: Ports): Promise<void> {
  for (const { id, pseudonym_key, erasure_key } of await tx.all(workspacesWithKey, {}))
    await tx.run(updateKeys, {
      workspaceId: id,
      pseudonym_key: pseudonym_key && resealPlayerKey(from, to, 'pseudonyms', id, pseudonym_key),
      erasure_key: erasure_key && resealPlayerKey(from, to, 'erasures', id, erasure_key),
    })
}
