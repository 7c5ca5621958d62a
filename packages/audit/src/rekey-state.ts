import type { Ports } from '@reeve/core'
import { decryptSecret, encryptSecret, type SecretUse } from '@reeve/core/keys'
import { type AuditKey, authenticateData } from './authenticate.ts'

/** How far the keying of a log is. */
export interface RekeyState {
  readonly chain: string
  /** The last keyed row of the chain; 0 for none. */
  readonly sequence: number
  /** The hash that this row had before, and the one that it has now. */
  readonly unkeyedHash: string
  readonly keyedHash: string
  /** Whether the hashes cannot be verified, because the key that they were computed with is lost. */
  readonly isUnverified: boolean
  /** The key that the rows were authenticated with before, encrypted with the one that they get; null if there was none, or it is lost. */
  readonly previousKey: string | null
  /** Whether a row of the chain did not match its hash. */
  readonly isBroken: boolean
  /** The rows of all chains so far, and the broken chains. */
  readonly rows: number
  readonly faults: number
}

/** Authenticated, because a log that somebody has rewritten without the key could be keyed by a forged state. */
export const formatRekeyState = (key: AuditKey, state: RekeyState): string => {
  const json = JSON.stringify(state)
  return `${authenticateData(key, 'rekey', json)} ${json}`
}

/** @throws Error with advice if it was changed in the database */
export function parseRekeyState(key: AuditKey, text: string): RekeyState {
  const [mac, json = ''] = [text.slice(0, 64), text.slice(65)]
  if (authenticateData(key, 'rekey', json) === mac) return JSON.parse(json)
  throw new Error(
    'The state of the audit log was changed in the database (audit-rekey in instance_secret). Restore a backup of the database.',
  )
}

const PREVIOUS_KEY: SecretUse = { purpose: 'audit', context: 'audit-rekey' }

/** Encrypts the key that a log has, for `requestRekey` of another one. */
export const encryptPreviousKey = (
  ports: Pick<Ports, 'deriveKey' | 'randomBytes'>,
  previous: AuditKey,
): string => encryptSecret(ports, PREVIOUS_KEY, Buffer.from(previous.deriveKey('audit')).toString('base64'))

/** The key that the rows were authenticated with before; null if there was none, or it is lost. */
export function decryptPreviousKey(key: AuditKey, { previousKey }: RekeyState): AuditKey | null {
  if (previousKey === null) return null
  const bytes = Buffer.from(decryptSecret(key, PREVIOUS_KEY, previousKey), 'base64')
  return { deriveKey: () => bytes }
}
