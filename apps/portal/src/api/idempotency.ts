import { MINUTE_MS } from '@reeve/core'
import { routesWithoutIdempotencyKey } from '../../dist/api/routes-without-idempotency-key.ts'

/** How long a write without a response keeps its key: a retry after that is a new write. */
const KEY_TTL_MS = 10 * MINUTE_MS

const pendingWrites = new Map<string, { readonly key: string; readonly sentAt: number }>()
/** The identity of each sent request, whose body cannot be read again. */
const fingerprints = new WeakMap<Request, string>()

/**
 * Sets the `Idempotency-Key` of a write. A retry of a write that got no response reuses its key, so that it has no second
 * effect.
 */
export async function addIdempotencyKey(request: Request): Promise<void> {
  if (request.method === 'GET') return
  if (routesWithoutIdempotencyKey.has(`${request.method} ${new URL(request.url).pathname}`)) return
  const fingerprint = JSON.stringify([request.method, request.url, await request.clone().text()])
  const pending = pendingWrites.get(fingerprint)
  const key = pending && Date.now() - pending.sentAt < KEY_TTL_MS ? pending.key : crypto.randomUUID()
  fingerprints.set(request, fingerprint)
  pendingWrites.set(fingerprint, { key, sentAt: Date.now() })
  request.headers.set('idempotency-key', key)
}

/** Marks a write as completed: the same request again is a new write. */
export function markCompleted(request: Request): void {
  const fingerprint = fingerprints.get(request)
  if (fingerprint !== undefined) pendingWrites.delete(fingerprint)
}
