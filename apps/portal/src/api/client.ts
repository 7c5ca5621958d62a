import createClient from 'openapi-fetch'
import type { components as PortalComponents, paths as PortalPaths } from '../../dist/api/portal.d.ts'
import type { components as PublicComponents, paths as PublicPaths } from '../../dist/api/public.d.ts'
import { createNetworkError, parseErrorResponse } from './error.ts'
import { addIdempotencyKey, markCompleted } from './idempotency.ts'
import { handleSessionError } from './session-expiry.ts'

/** The records of the public interface, by name: `Schemas['Department']`. */
export type Schemas = PublicComponents['schemas']
/** The records of what serves the portal alone, by name: `PortalSchemas['Member']`. */
export type PortalSchemas = PortalComponents['schemas']

let reads = new AbortController()

/** Aborts running reads and rejects new ones without sending them. @returns a function that allows reads again */
export function pauseReads(): () => void {
  reads.abort()
  return () => {
    reads = new AbortController()
  }
}

/**
 * The server, typed from the documents that are made of its handlers. Every failure is thrown as an `ApiError`; a write
 * that is repeated after a lost connection has no second effect.
 * @example const { departments } = await take(api.GET('/api/departments', { params: { query: { workspaceId } } }))
 */
export const api = createClient<PublicPaths & PortalPaths>({
  fetch: (request) =>
    fetch(request.method === 'GET' ? new Request(request, { signal: reads.signal }) : request),
  headers: { accept: 'application/json' },
  cache: 'no-store',
})

api.use({
  async onRequest({ request }) {
    await addIdempotencyKey(request)
  },
  async onResponse({ request, response }) {
    // What is in between may have lost an answer of Reeve's, so the next try may be the same write again.
    if (response.status < 500) markCompleted(request)
    if (response.ok) return
    const error = await parseErrorResponse(response)
    handleSessionError(error)
    throw error
  },
  onError: ({ error }) =>
    error instanceof DOMException && error.name === 'AbortError' ? error : createNetworkError(),
})

/** What a call answered; a failure is thrown. */
export async function unwrap<Data>(request: Promise<{ readonly data?: Data }>): Promise<NonNullable<Data>> {
  const { data } = await request
  if (data === undefined || data === null) throw createNetworkError()
  return data
}

/** The header of a write that must not go over what somebody else changed meanwhile: a stale version is a 412. */
export const ifMatch = (version: string) => ({ 'If-Match': `"${version}"` })
