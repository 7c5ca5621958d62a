import type { Actor, Ports } from '@reeve/core'
import type { RequestContext } from '@reeve/http'
import type { Meter } from '@reeve/metering'
import { Elysia } from 'elysia'

/** What is known of a call once it has been answered. Never holds a secret. */
export interface Answered {
  readonly requestId: string
  readonly method: string
  /** The route's pattern; empty where no route answered. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly actorKind: Actor['kind']
  readonly actorId: string
  readonly workspaceId: string
  /** Whether the call changed something. */
  readonly wrote: boolean
}

/** Who is told of calls and failures: the log and the metrics. */
export interface Observer {
  readonly answered: (call: Answered) => void
  readonly failure: (error: unknown, requestId: string) => void
}

/** Tells two observers of everything. */
export const bothOf = (one: Observer, other: Observer): Observer => ({
  answered(call) {
    one.answered(call)
    other.answered(call)
  },
  failure(error, requestId) {
    one.failure(error, requestId)
    other.failure(error, requestId)
  },
})

const OWN_ID = /^[A-Za-z0-9_-]{1,64}$/

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A change by someone who came without a name, such as a sign-in: it goes by no commit that would have said so. */
const changesUnnamed = (method: string, call: RequestContext, status: number): boolean =>
  call.actorId === '' && status < 400 && !SAFE_METHODS.has(method)

/** What the framework knows of a call, and the gate left there: a call that never came to a gate has neither of the two. */
interface CallContext {
  readonly set: { readonly headers: Readonly<Record<string, unknown>> }
  readonly route?: string
  readonly actor?: Actor
  readonly call?: RequestContext
}

/** Gives every answer its `X-Request-Id`, counts the call, and tells the observer. */
export function observation(observer: Observer, ports: Ports, meter: Meter) {
  const underWay = new WeakMap<Request, { readonly context: CallContext; readonly startedAt: number }>()

  const plugin = new Elysia({ name: 'observation' }).onRequest((context) => {
    const given = context.request.headers.get('x-request-id')
    context.set.headers['x-request-id'] = given !== null && OWN_ID.test(given) ? given : ports.newId()
    underWay.set(context.request, { context: context as CallContext, startedAt: performance.now() })
  })

  /** Counts a call that has been answered, and tells of it. */
  function answered(request: Request, { status }: Response): void {
    const known = underWay.get(request)
    if (!known) return
    const { context, startedAt } = known
    const { actor, call } = context
    if (call?.meteredRequest && !call.isCounted) meter.count(call.meteredRequest, status)
    observer.answered({
      requestId: String(context.set.headers['x-request-id'] ?? ''),
      method: request.method,
      route: context.route ?? '',
      status,
      durationMs: performance.now() - startedAt,
      actorKind: actor?.kind ?? 'system',
      actorId: actor?.id ?? '',
      workspaceId: call?.workspaceId ?? '',
      wrote: call !== undefined && (call.hasWritten || changesUnnamed(request.method, call, status)),
    })
  }

  return { plugin, answered }
}
