/** What happens to a request instead of being forwarded, or to its response. */
export type Fault =
  /** The server never gets the request, and the client gets this response. */
  | { readonly kind: 'respond'; readonly response: () => Response }
  /** The server gets the request, and the client gets this response instead. */
  | { readonly kind: 'replace'; readonly response: () => Response }
  /** The server gets the request, and the client gets no response before this promise is resolved. */
  | { readonly kind: 'hold'; readonly until: Promise<void> }

/** A request as it arrived. */
export interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly idempotencyKey: string | null
  readonly body: string
}

/** Starts a proxy in front of a server: a stand-in for the proxies and networks between it and its clients. */
export function startFaultProxy(target: string) {
  const faults: Fault[] = []
  const requests: ProxiedRequest[] = []
  const waiting = new Set<() => void>()

  async function forward(request: Request, body: string): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const response = await fetch(`${target}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      ...(body && { body }),
      redirect: 'manual',
    }).catch(() => new Response('The server is away.', { status: 502 }))
    const headers = new Headers(response.headers)
    // `fetch` has decompressed the body.
    for (const name of ['content-encoding', 'content-length']) headers.delete(name)
    const { status } = response
    return new Response(status === 304 ? null : await response.text(), { status, headers })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const body = await request.text()
      const idempotencyKey = request.headers.get('idempotency-key')
      requests.push({ method: request.method, path: pathname + search, idempotencyKey, body })
      const fault = faults.shift()
      for (const check of waiting) check()
      if (fault?.kind === 'respond') return fault.response()
      const response = await forward(request, body)
      if (fault?.kind === 'hold') await fault.until
      return fault?.kind === 'replace' ? fault.response() : response
    },
  })

  return {
    url: server.url.origin,
    /** Every request so far. */
    requests,
    /** Waits until a request has arrived that matches. */
    waitForRequest: (matches: (request: ProxiedRequest) => boolean): Promise<void> =>
      new Promise((resolve) => {
        const check = () => {
          if (!requests.some(matches)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    /** The faults of the next requests, in this order. */
    failNext: (...next: Fault[]) => void faults.push(...next),
    close: () => server.stop(true),
  }
}

export type FaultProxy = ReturnType<typeof startFaultProxy>
