import { createHmac } from 'node:crypto'
import { toSigningKey } from '../secret.ts'

/** What is signed. */
export interface SignedMessage {
  readonly id: string
  /** Seconds since the epoch, of this attempt. */
  readonly timestamp: number
  readonly body: string
}

const sign = ({ id, timestamp, body }: SignedMessage, secret: string): string =>
  `v1,${createHmac('sha256', toSigningKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`

/**
 * The headers of a message. Source: Standard Webhooks 1.0.0.
 * @param secrets with each of which it is signed: during a rotation the new one and the old one
 */
export const createSignatureHeaders = (message: SignedMessage, secrets: readonly string[]) => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': secrets.map((secret) => sign(message, secret)).join(' '),
})
