import type { Ports } from '@reeve/core'
import {
  decryptSecret,
  encryptSecret,
  reencryptSecret,
  SecretDecryptionError,
  type SecretUse,
} from '@reeve/core/keys'
import { statement, type Transaction, type WebhookTable } from '@reeve/db'

type WebhookKey = Pick<WebhookTable, 'workspace_id' | 'id'>

const SECRET_BYTES = 32
/** Source: Standard Webhooks 1.0.0, "Signature scheme". */
const SECRET_PREFIX = 'whsec_'

/** Binds an encrypted secret to its webhook: copied to another row, it cannot be decrypted. */
const getUse = ({ workspace_id, id }: WebhookKey): SecretUse => ({
  purpose: 'webhooks',
  context: `webhook:${workspace_id}:${id}`,
})

/** A new signing secret, in the form that receivers configure. */
export const generateSecret = (ports: Pick<Ports, 'randomBytes'>): string =>
  SECRET_PREFIX + Buffer.from(ports.randomBytes(SECRET_BYTES)).toString('base64')

/** The key of a signing secret. */
export const toSigningKey = (secret: string): Uint8Array =>
  Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')

/** Encrypts the signing secret or the Discord URL of a webhook. */
export const sealSecret = (
  ports: Pick<Ports, 'deriveKey' | 'randomBytes'>,
  webhook: WebhookKey,
  secret: string,
): string => encryptSecret(ports, getUse(webhook), secret)

/** Decrypts what `sealSecret` returned. @returns null if it cannot be decrypted with the key of this instance */
export function openSecret(
  ports: Pick<Ports, 'deriveKey'>,
  webhook: WebhookKey,
  sealed: string | null,
): string | null {
  if (sealed === null) return null
  try {
    return decryptSecret(ports, getUse(webhook), sealed)
  } catch (error) {
    if (error instanceof SecretDecryptionError) return null
    throw error
  }
}

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
/** Smaller than any id. */
const NIL_ID = '00000000-0000-0000-0000-000000000000'

/** Encrypts the secrets and the Discord URLs of all webhooks with another key. */
export async function reencryptWebhookSecrets(tx: Transaction, from: Ports, to: Ports): Promise<void> {
  let after = { workspaceId: NIL_ID, id: NIL_ID }
  for (;;) {
    const rows = await tx.all(secretsAfter, { ...after, limit: BATCH_ROWS })
    for (const row of rows) {
      const reencrypt = (sealed: string | null) =>
        sealed === null ? null : reencryptSecret(from, to, getUse(row), sealed)
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
