import type { Ports } from '@reeve/core'
import { LOWEST_ID } from '@reeve/core'
import { reencryptSecret } from '@reeve/core/keys'
import { statement, type Transaction, type WebhookTable } from '@reeve/db'
import { getSecretUse } from './secret.ts'

type Secrets = Pick<WebhookTable, 'workspace_id' | 'id' | 'secret' | 'previous_secret'>

const secretsAfter = statement<{ workspaceId: string; id: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('webhook')
    .select(['workspace_id', 'id', 'secret', 'previous_secret'])
    .where('workspace_id', '>=', p.workspaceId)
    .where((eb) => eb.or([eb('workspace_id', '>', p.workspaceId), eb('id', '>', p.id)]))
    .orderBy('workspace_id')
    .orderBy('id')
    .limit(p.limit),
)
const updateSecrets = statement<Secrets>()((sql, p) =>
  sql
    .updateTable('webhook')
    .set({ secret: p.secret, previous_secret: p.previous_secret })
    .where('workspace_id', '=', p.workspace_id)
    .where('id', '=', p.id),
)
const BATCH_ROWS = 500

/** Encrypts the secrets and the Discord URLs of all webhooks with another key. */
export async function reencryptWebhookSecrets(tx: Transaction, from: Ports, to: Ports): Promise<void> {
  let after = { workspaceId: LOWEST_ID, id: LOWEST_ID }
  for (;;) {
    const rows = await tx.all(secretsAfter, { ...after, limit: BATCH_ROWS })
    for (const row of rows) {
      const reencrypt = (sealed: string | null) =>
        sealed === null ? null : reencryptSecret(from, to, getSecretUse(row), sealed)
      await tx.run(updateSecrets, {
        ...row,
        secret: reencrypt(row.secret),
        previous_secret: reencrypt(row.previous_secret),
      })
    }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_ROWS) return
    after = { workspaceId: last.workspace_id, id: last.id }
  }
}
