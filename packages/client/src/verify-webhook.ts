import type { Schemas } from './input.ts'

/** What webhooks report: the events that they can receive, and that of a test. */
export type WebhookEventName = Schemas['Delivery']['type']

/** A webhook whose signature is valid. */
export interface WebhookEvent<Data = Record<string, unknown>> {
  /** Does not differ between the attempts to deliver it: process an ID once. */
  readonly id: string
  /** What happened. A version of the server that is newer than the package can have further types. */
  readonly type: WebhookEventName
  /** When it happened. */
  readonly timestamp: string
  readonly data: Data
}

/** The headers of a request, in any form that runtimes and frameworks use. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How far the time of the request may be from now, in seconds, so that an old request cannot be replayed. Default: 300. */
  readonly tolerance?: number | undefined
}

/** A webhook that must not be processed: respond with status 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const DEFAULT_TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'
const VERSION = 'v1,'

/**
 * Verifies a webhook as Standard Webhooks 1.0.0 specifies it.
 * @param headers of the request
 * @param body of the request, as it arrived: parsing and serializing it again changes its bytes
 * @param secret of the webhook, `whsec_…`; during a rotation the old and the new one
 * @throws WebhookVerificationError if the request was not signed with the secret, or at another time
 */
export async function verifyWebhook<Data = Record<string, unknown>>(
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  secret: string | readonly string[],
  { tolerance = DEFAULT_TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent<Data>> {
  const read = (name: string): string => {
    const value = readHeader(headers, name)
    if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`)
    return value
  }
  const id = read('webhook-id')
  const timestamp = read('webhook-timestamp')
  const signatures = read('webhook-signature').split(' ')
  assertRecent(timestamp, tolerance)

  const bytes = typeof body === 'string' ? encode(body) : new Uint8Array(body)
  const signed = concatenate(encode(`${id}.${timestamp}.`), bytes)
  const secrets = typeof secret === 'string' ? [secret] : secret
  const keys = await Promise.all(secrets.map(importSecret))
  const candidates = signatures
    .filter((one) => one.startsWith(VERSION))
    .map((one) => decode(one.slice(VERSION.length)))
  for (const key of keys) {
    // Web Crypto compares in constant time.
    for (const signature of candidates)
      if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return parse(id, bytes)
  }
  throw new WebhookVerificationError('No signature matches: check that the secret is that of this webhook.')
}

function readHeader(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return (headers as { get(name: string): string | null }).get(name)
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  const value: unknown = entry?.[1]
  return typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : null
}

function assertRecent(timestamp: string, tolerance: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('The header webhook-timestamp is not a number of seconds.')
  const difference = Date.now() / 1000 - Number(timestamp)
  if (Math.abs(difference) <= tolerance) return
  const relation = difference > 0 ? 'ago' : 'in the future'
  throw new WebhookVerificationError(
    `The webhook was sent ${Math.abs(Math.round(difference))} seconds ${relation}, more than ${tolerance}: check the clocks.`,
  )
}

/** @throws TypeError if the secret is not one: a mistake in the program, not in the request */
async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = decode(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (bytes === null || bytes.length === 0)
    throw new TypeError('secret: must be the secret of the webhook, whsec_…')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function parse<Data>(id: string, bytes: Uint8Array): WebhookEvent<Data> {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent<Data>
    return { ...event, id }
  } catch {
    throw new WebhookVerificationError('The body is not JSON.')
  }
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** @returns null if the text is not base64 */
function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
