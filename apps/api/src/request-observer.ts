import type { SignInFailure } from '@reeve/auth'
import { type Actor, AppError, type Ports } from '@reeve/core'
import type { RequestContext } from '@reeve/http'
import type { Meter } from '@reeve/metering'
import { Elysia } from 'elysia'
import { parseTraceparent, type TraceContext } from './traceparent.ts'

/** A request that has been answered. Never contains a secret. */
export interface CompletedRequest {
  readonly requestId: string
  readonly method: string
  /** The route's pattern; empty if no route matched. */
  readonly route: string
  readonly status: number
  /** Without the time that it waited for something to happen. */
  readonly durationMs: number
  readonly actorKind: Actor['kind']
  readonly actorId: string
  readonly workspaceId: string
  /** Whether the request changed something. */
  readonly hasWritten: boolean
  /** The trace that the client says the request is part of. */
  readonly trace: TraceContext | null
}

/** Receives completed requests and server errors: the log and the metrics. */
export interface Observer {
  readonly onResponse: (request: CompletedRequest) => void
  readonly onFailure: (error: unknown, requestId: string) => void
  /** Called for every session that starts. */
  readonly onSignIn: () => void
  readonly onSignInFailure: (failure: SignInFailure) => void
}

/** Forwards everything to two observers. */
export const combineObservers = (one: Observer, other: Observer): Observer => ({
  onResponse(request) {
    one.onResponse(request)
    other.onResponse(request)
  },
  onFailure(error, requestId) {
    one.onFailure(error, requestId)
    other.onFailure(error, requestId)
  },
  onSignIn() {
    one.onSignIn()
    other.onSignIn()
  },
  onSignInFailure(failure) {
    one.onSignInFailure(failure)
    other.onSignInFailure(failure)
  },
})

const CLIENT_REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A change by an anonymous caller, such as a sign-in: it does not use `commit`, which would have marked the request as a write. */
const isAnonymousWrite = (method: string, requestContext: RequestContext, status: number): boolean =>
  requestContext.actorId === '' && status < 400 && !SAFE_METHODS.has(method)

/** What is known about a request in progress. */
interface RequestInProgress {
  readonly requestId: string
  readonly startedAt: number
  /** Empty until the request has matched a route. */
  route: string
  /** Null until the gate has identified the caller. */
  caller: { readonly actor: Actor; readonly requestContext: RequestContext } | null
}

/** Adds `X-Request-Id` to every response, counts the request, and notifies the observer. */
export function createRequestObserver(observer: Observer, ports: Ports, meter: Meter) {
  const inProgress = new WeakMap<Request, RequestInProgress>()

  const plugin = new Elysia({ name: 'request-observer' })
    .onRequest(({ request, set }) => {
      const clientId = request.headers.get('x-request-id')
      const requestId = clientId !== null && CLIENT_REQUEST_ID.test(clientId) ? clientId : ports.newId()
      set.headers['x-request-id'] = requestId
      inProgress.set(request, { requestId, startedAt: performance.now(), route: '', caller: null })
      // Nobody would receive the response. Bun closes the connection if it receives a pipelined request, which arrives with
      // this one, before it: neither is executed.
      if (request.signal.aborted) throw new AppError('client_closed_request')
    })
    .onTransform({ as: 'global' }, ({ request, route }) => {
      const entry = inProgress.get(request)
      if (entry) entry.route = route
    })

  /** Called by the gate when it knows who sent a request. */
  function onIdentified(request: Request, actor: Actor, requestContext: RequestContext): void {
    const entry = inProgress.get(request)
    if (entry) entry.caller = { actor, requestContext }
  }

  /** Counts a completed request and notifies the observer. */
  function onResponse(request: Request, { status }: Response): void {
    const entry = inProgress.get(request)
    if (!entry) return
    const { requestId, startedAt, route, caller } = entry
    const { actor, requestContext } = caller ?? {}
    if (requestContext?.meteredRequest && !requestContext.isCounted)
      meter.count(requestContext.meteredRequest, status)
    observer.onResponse({
      requestId,
      method: request.method,
      route,
      status,
      durationMs: performance.now() - startedAt - (requestContext?.waitedMs ?? 0),
      actorKind: actor?.kind ?? 'system',
      actorId: actor?.id ?? '',
      workspaceId: requestContext?.workspaceId ?? '',
      hasWritten:
        requestContext !== undefined &&
        (requestContext.hasWritten || isAnonymousWrite(request.method, requestContext, status)),
      trace: parseTraceparent(request.headers.get('traceparent')),
    })
  }

  return { plugin, onIdentified, onResponse }
}
