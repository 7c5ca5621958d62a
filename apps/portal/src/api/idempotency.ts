import { MINUTE_MS } from '@reeve/core'
import { routesWithoutIdempotencyKey } from '../../dist/api/routes-without-idempotency-key.ts'

/** How long a write without a response keeps its key: a retry after that is a new write. */
const KEY_TTL_MS = 10 * MINUTE_MS

interface PendingWrite {
  readonly key: string
  readonly sentAt: number
  /** What it changes. */
  readonly target: string
}

const pendingWrites = new Map<string, PendingWrite>()
/** The identity of each sent request, whose body cannot be read again. */
const fingerprints = new WeakMap<Request, string>()

/** The path of a request and the ids that it names: other writes to the same path may have nothing to do with it. */
function findTarget({ pathname, searchParams }: URL, body: string): string {
  const fields = { ...Object.fromEntries(searchParams), ...(body === '' ? {} : JSON.parse(body)) }
  const ids = Object.entries(fields).filter(([name]) => /^id$|Id$/.test(name))
  return JSON.stringify([pathname, ids.sort(([one], [other]) => one.localeCompare(other))])
}

/**
 * Sets the `Idempotency-Key` of a write. A retry of a write that got no response reuses its key, so that it has no second
 * effect. It is no retry if it expects another version, or once another write has changed the same thing: the response to
 * the first one would confirm what is no longer true.
 */
export async function addIdempotencyKey(request: Request): Promise<void> {
  if (request.method === 'GET') return
  const url = new URL(request.url)
  if (routesWithoutIdempotencyKey.has(`${request.method} ${url.pathname}`)) return
  const body = await request.clone().text()
  const fingerprint = JSON.stringify([request.method, url.href, request.headers.get('if-match'), body])
  const pending = pendingWrites.get(fingerprint)
  const key = pending && Date.now() - pending.sentAt < KEY_TTL_MS ? pending.key : crypto.randomUUID()
  fingerprints.set(request, fingerprint)
  pendingWrites.set(fingerprint, { key, sentAt: Date.now(), target: findTarget(url, body) })
  request.headers.set('idempotency-key', key)
}

/**
 * Marks a write as completed: the same request again is a new write.
 * @param isDone whether it succeeded
 */
export function markCompleted(request: Request, isDone: boolean): void {
  const fingerprint = fingerprints.get(request) ?? ''
  const completed = pendingWrites.get(fingerprint)
  pendingWrites.delete(fingerprint)
  if (!completed || !isDone) return
  for (const [other, { target }] of pendingWrites)
    if (target === completed.target) pendingWrites.delete(other)
}
