/** How long a write without a response keeps its key. A later attempt counts as a new write. */
const KEY_TTL_MS = 10 * 60_000

/**
 * Writes whose request or answer holds a secret: the server keeps neither, and refuses a key for them. Signing in and what
 * else comes before there is a session need none.
 */
const ROUTES_WITHOUT_KEY = new Set([
  'POST /portal/api/sign-in',
  'POST /portal/api/sign-out',
  'POST /portal/api/first-run',
  'POST /portal/api/password',
  'DELETE /portal/api/sessions',
  'POST /portal/api/api-keys',
  'POST /portal/api/api-keys/rotate',
  'POST /portal/api/invitation/sign-up',
  'POST /portal/api/invitations',
  'POST /admin/api/accounts/password',
  'POST /admin/api/accounts',
  'POST /portal/api/ownership',
])

const pendingWrites = new Map<string, { readonly key: string; readonly sentAt: number }>()
/** The identity of each sent request, whose body cannot be read again. */
const fingerprints = new WeakMap<Request, string>()

/**
 * Sets the `Idempotency-Key` of a write. A retry of a write that got no response reuses its key, so that it has no second
 * effect.
 */
export async function addIdempotencyKey(request: Request): Promise<void> {
  if (request.method === 'GET') return
  if (ROUTES_WITHOUT_KEY.has(`${request.method} ${new URL(request.url).pathname}`)) return
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
