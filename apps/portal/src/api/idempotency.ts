/** How long a write whose answer was lost is remembered: whoever tries again later means a second one. */
const KEPT_MS = 10 * 60_000

/**
 * Writes whose request or answer holds a secret: the server keeps neither, and refuses a key for them. Signing in and what
 * else comes before there is a session need none.
 */
const withoutKey = new Set([
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

const unanswered = new Map<string, { readonly key: string; readonly since: number }>()
/** What tells a repeat from another request; the body of a request that was sent cannot be read again. */
const fingerprints = new WeakMap<Request, string>()

/**
 * Gives a write its `Idempotency-Key`: a new one, or that of the same write before, where no answer to it came. So a retry
 * after a lost connection has no second effect.
 */
export async function withKey(request: Request): Promise<void> {
  if (request.method === 'GET') return
  if (withoutKey.has(`${request.method} ${new URL(request.url).pathname}`)) return
  const fingerprint = JSON.stringify([request.method, request.url, await request.clone().text()])
  const known = unanswered.get(fingerprint)
  const key = known && Date.now() - known.since < KEPT_MS ? known.key : crypto.randomUUID()
  fingerprints.set(request, fingerprint)
  unanswered.set(fingerprint, { key, since: Date.now() })
  request.headers.set('idempotency-key', key)
}

/** Takes note that a write was answered: the same one again is a new one. */
export function answered(request: Request): void {
  const fingerprint = fingerprints.get(request)
  if (fingerprint !== undefined) unanswered.delete(fingerprint)
}
