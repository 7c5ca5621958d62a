import { HOUR_MS, MINUTE_MS } from '@reeve/core'
import { routesWithoutIdempotencyKey } from '../../dist/api/routes-without-idempotency-key.ts'
import { isOutcomeUnknown } from './error.ts'
import { createRandomId } from './random-id.ts'

/** How long a write without a response keeps its key in the form that sent it: a little less than the server stores the response. */
const FORM_KEY_TTL_MS = 23 * HOUR_MS
/** How long it keeps its key elsewhere: later, the same content in a new form is a new write. */
const KEY_TTL_MS = 10 * MINUTE_MS

/** What only adds to a record or a player: it undoes no other write, and none undoes it. */
const additions: ReadonlySet<unknown> = new Set(['note', 'warn', 'kick', 'comment', 'evidence'])

interface PendingWrite {
  readonly key: string
  /** When the first and the last attempt were sent. */
  readonly firstSentAt: number
  readonly sentAt: number
  /** What it changes; null for an addition. */
  readonly target: string | null
}

/** The fingerprints of what each form sent whose submission is running. */
const submittingForms = new Set<Set<string>>()
const pendingWrites = new Map<string, PendingWrite>()
/** The identity of each sent request, whose body cannot be read again. */
const fingerprints = new WeakMap<Request, string>()

/** The path of a request and the ids that it names: other writes to the same path may have nothing to do with it. */
function findTarget({ pathname, searchParams }: URL, body: string): string | null {
  const fields: Record<string, unknown> = {
    ...Object.fromEntries(searchParams),
    ...(body === '' ? {} : JSON.parse(body)),
  }
  if (additions.has(fields.action)) return null
  const ids = Object.entries(fields).filter(([name]) => /^id$|Id$/.test(name))
  return JSON.stringify([pathname, ids.sort(([one], [other]) => one.localeCompare(other))])
}

/**
 * Whether a write sets what it names, whatever it was before, and expects no version. It needs no key: a retry has no second effect, and a
 * stored response would confirm what somebody else has changed since.
 */
const setsState = ({ method, headers }: Request): boolean => method === 'PATCH' && !headers.has('if-match')

/** Lets the writes of one form keep their keys as long as the server knows them, however late the user submits it again. */
export function createFormWrites() {
  const sent = new Set<string>()
  return {
    /** Runs a submission of the form. */
    async run<Result>(submit: () => Promise<Result>): Promise<Result> {
      submittingForms.add(sent)
      try {
        return await submit()
      } finally {
        submittingForms.delete(sent)
      }
    },
    /** The form begins anew: what it sends from now on retries nothing of before. */
    forget: (): void => sent.clear(),
  }
}

/** The pending write that a write is a retry of; null if it is a new one. */
function findRetried(fingerprint: string): PendingWrite | null {
  const pending = pendingWrites.get(fingerprint)
  if (!pending) return null
  const isOfForm = [...submittingForms].some((sent) => sent.has(fingerprint))
  const isKnown = isOfForm
    ? Date.now() - pending.firstSentAt < FORM_KEY_TTL_MS
    : Date.now() - pending.sentAt < KEY_TTL_MS
  return isKnown ? pending : null
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
  if (setsState(request)) return
  const body = await request.clone().text()
  const fingerprint = JSON.stringify([request.method, url.href, request.headers.get('if-match'), body])
  const sentAt = Date.now()
  const { key, firstSentAt } = findRetried(fingerprint) ?? { key: createRandomId(), firstSentAt: sentAt }
  fingerprints.set(request, fingerprint)
  for (const sent of submittingForms) sent.add(fingerprint)
  pendingWrites.set(fingerprint, { key, firstSentAt, sentAt, target: findTarget(url, body) })
  request.headers.set('idempotency-key', key)
}

/** Notes the response to a write: once its outcome is known, the same request again is a new write. */
export function noteResponse(request: Request, response: Response): void {
  if (isOutcomeUnknown(response)) return
  const fingerprint = fingerprints.get(request) ?? ''
  const completed = pendingWrites.get(fingerprint)
  pendingWrites.delete(fingerprint)
  if (!completed || completed.target === null || !response.ok) return
  for (const [other, { target }] of pendingWrites)
    if (target === completed.target) pendingWrites.delete(other)
}
