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
})

const CLIENT_REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A change by an anonymous caller, such as a sign-in: it does not use `commit`, which would have marked the request as a write. */
const isAnonymousWrite = (method: string, requestContext: RequestContext, status: number): boolean =>
  requestContext.actorId === '' && status < 400 && !SAFE_METHODS.has(method)

/** Elysia's context with what the gate adds to it. Both parts of the gate are missing if the request matched no route. */
interface FrameworkContext {
  readonly set: { readonly headers: Readonly<Record<string, unknown>> }
  readonly route?: string
  readonly actor?: Actor
  readonly requestContext?: RequestContext
}

/** Adds `X-Request-Id` to every response, counts the request, and notifies the observer. */
export function createRequestObserver(observer: Observer, ports: Ports, meter: Meter) {
  const inFlight = new WeakMap<Request, { readonly context: FrameworkContext; readonly startedAt: number }>()

  const plugin = new Elysia({ name: 'request-observer' }).onRequest((context) => {
    const clientId = context.request.headers.get('x-request-id')
    context.set.headers['x-request-id'] =
      clientId !== null && CLIENT_REQUEST_ID.test(clientId) ? clientId : ports.newId()
    inFlight.set(context.request, { context: context as FrameworkContext, startedAt: performance.now() })
    // Nobody would receive the response. Bun closes the connection if it receives a pipelined request, which arrives with
    // this one, before it: neither is executed.
    if (context.request.signal.aborted) throw new AppError('client_closed_request')
  })

  /** Counts a completed request and notifies the observer. */
  function onResponse(request: Request, { status }: Response): void {
    const entry = inFlight.get(request)
    if (!entry) return
    const { context, startedAt } = entry
    const { actor, requestContext } = context
    if (requestContext?.meteredRequest && !requestContext.isCounted)
      meter.count(requestContext.meteredRequest, status)
    observer.onResponse({
      requestId: String(context.set.headers['x-request-id'] ?? ''),
      method: request.method,
      route: context.route ?? '',
      status,
      durationMs: performance.now() - startedAt,
      actorKind: actor?.kind ?? 'system',
      actorId: actor?.id ?? '',
      workspaceId: requestContext?.workspaceId ?? '',
      hasWritten:
        requestContext !== undefined &&
        (requestContext.hasWritten || isAnonymousWrite(request.method, requestContext, status)),
      trace: parseTraceparent(request.headers.get('traceparent')),
    })
  }

  return { plugin, onResponse }
}
