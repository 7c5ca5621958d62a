import createClient from 'openapi-fetch'
import type { components as PortalComponents, paths as PortalPaths } from '../../dist/api/portal.d.ts'
import type { components as PublicComponents, paths as PublicPaths } from '../../dist/api/public.d.ts'
import { recordServerTime } from '../format/clock.ts'
import { takeEarlyRead } from './early-reads.ts'
import { ApiError, createNetworkError, createTimeoutError, parseErrorResponse } from './error.ts'
import { addIdempotencyKey, noteResponse } from './idempotency.ts'
import { ME_KEY, queryClient } from './query-client.ts'
import { recordRateLimit } from './rate-limit.ts'
import { assertSameUser, handleSessionError } from './session-expiry.ts'
import { requiresVerification, verifyUser } from './verification.ts'

/** The schemas of the public API by name: `Schemas['Department']`. */
export type Schemas = PublicComponents['schemas']
/** The schemas of the portal's own API by name: `PortalSchemas['Member']`. */
export type PortalSchemas = PortalComponents['schemas']

let reads = new AbortController()

/** Aborts running reads and rejects new ones without sending them. @returns a function that allows reads again */
export function pauseReads(): () => void {
  reads.abort()
  return () => {
    reads = new AbortController()
  }
}

/** After this time the response to a write is not coming any more: the server waits half as long for a body. */
const WRITE_TIMEOUT_MS = 60_000

/**
 * Runs a write, or a step of one, which ends when there is no response, because its form stays open until then.
 * @throws ApiError as `assertSameUser`, or about the timeout
 */
async function runWrite<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(createTimeoutError()), WRITE_TIMEOUT_MS)
  try {
    await assertSameUser(timeout.signal)
    return await run(timeout.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Checks whether a write may be sent that does not use the client. @throws ApiError as `runWrite` */
export const assertCanWrite = (): Promise<void> => runWrite(async () => {})

/** Sends a request. A read ends when reads are paused. @throws ApiError as `runWrite`, for a write */
async function send(request: Request) {
  const sendUntil = async (signal: AbortSignal) => {
    const sentAt = Date.now()
    const response = await fetch(new Request(request, { signal: AbortSignal.any([request.signal, signal]) }))
    return { response, sentAt, receivedAt: Date.now() }
  }
  return request.method === 'GET' ? sendUntil(reads.signal) : runWrite(sendUntil)
}

/**
 * The API client, typed from the server's OpenAPI documents. Errors are thrown as `ApiError`. Writes carry an idempotency key,
 * so retrying one after a lost connection has no second effect. What needs a recent verification asks for it and is sent again.
 * @example const { departments } = await unwrap(api.GET('/api/departments', { params: { query: { workspaceId } } }))
 */
export const api = createClient<PublicPaths & PortalPaths>({
  async fetch(request) {
    const again = request.clone()
    const { response, sentAt, receivedAt } = (await takeEarlyRead(request)) ?? (await send(request))
    recordServerTime({ date: response.headers.get('date'), sentAt, receivedAt })
    recordRateLimit(response.headers, receivedAt)
    if (!(await requiresVerification(response))) return response
    await verifyUser()
    return (await send(again)).response
  },
  headers: { accept: 'application/json' },
  cache: 'no-store',
})

api.use({
  async onRequest({ request }) {
    await addIdempotencyKey(request)
  },
  async onResponse({ request, response }) {
    noteResponse(request, response)
    if (response.ok) return
    const error = await parseErrorResponse(response, request.method === 'GET' ? 'read' : 'write')
    handleSessionError(error)
    if (error.reason === 'second_factor_required') void queryClient.invalidateQueries({ queryKey: ME_KEY })
    throw error
  },
  onError: ({ error }) =>
    error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError')
      ? error
      : createNetworkError(),
})

/** The body of a response. @throws ApiError if the request fails */
export async function unwrap<Data>(request: Promise<{ readonly data?: Data }>): Promise<NonNullable<Data>> {
  const { data } = await request
  if (data === undefined || data === null) throw createNetworkError()
  return data
}

/** The header that makes a write fail with 412 if the version is no longer current. */
export const ifMatch = (version: string) => ({ 'If-Match': `"${version}"` })
