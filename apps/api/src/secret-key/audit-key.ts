import { type AuditKey, isRekeyPending } from '@reeve/audit'
import type { Queries } from '@reeve/db'
import { createPorts } from '../ports.ts'
import { matchesSecretKey } from './check-value.ts'
import { SecretKeyError } from './error.ts'
import { findSecretKey, type SecretKeyConfig } from './open.ts'

/** The key of an audit log, or why its rows cannot be compared with it. */
export type AuditKeyResult =
  | { readonly key: AuditKey; readonly problem: null }
  | { readonly key: null; readonly problem: string }

/** Finds the key with which the audit log of a database can be verified. */
export async function findAuditKey(config: SecretKeyConfig, read: Queries): Promise<AuditKeyResult> {
  const secretKey = readKey(config)
  if (secretKey === null) return { key: null, problem: 'the secret key of the instance is missing' }
  const ports = createPorts(secretKey)
  const matches = await matchesSecretKey(read, ports)
  if (matches === false) return { key: null, problem: 'the secret key is that of another instance' }
  if (matches === null || (await isRekeyPending(read)))
    return { key: null, problem: 'it is keyed when the server starts next' }
  return { key: ports, problem: null }
}

/** The configured key; null if there is none that can be read. The check of the key reports why. */
function readKey(config: SecretKeyConfig): Uint8Array | null {
  try {
    return findSecretKey(config)
  } catch (error) {
    if (error instanceof SecretKeyError) return null
    throw error
  }
}
