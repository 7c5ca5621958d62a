import type { Ports } from '@reeve/core'
import { decryptSecret, encryptSecret, SecretDecryptionError, type SecretUse } from '@reeve/core/keys'
import type { WebhookTable } from '@reeve/db'

type WebhookKey = Pick<WebhookTable, 'workspace_id' | 'id'>

const SECRET_BYTES = 32
/** Source: Standard Webhooks 1.0.0, "Signature scheme". */
const SECRET_PREFIX = 'whsec_'

/** Binds an encrypted secret to its webhook: copied to another row, it cannot be decrypted. */
export const getSecretUse = ({ workspace_id, id }: WebhookKey): SecretUse => ({
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
): string => encryptSecret(ports, getSecretUse(webhook), secret)

/** Decrypts what `sealSecret` returned. @returns null if it cannot be decrypted with the key of this instance */
export function openSecret(
  ports: Pick<Ports, 'deriveKey'>,
  webhook: WebhookKey,
  sealed: string | null,
): string | null {
  if (sealed === null) return null
  try {
    return decryptSecret(ports, getSecretUse(webhook), sealed)
  } catch (error) {
    if (error instanceof SecretDecryptionError) return null
    throw error
  }
}
