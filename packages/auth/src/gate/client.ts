import { findUntrustedHeader, resolveClientIp } from '../proxies.ts'
import type { Settings } from '../settings.ts'

/** Where a request comes from. */
export interface Client {
  readonly requestId: string
  /** Read when it is first used: to read it takes 6 % of the time of a ban check, which rarely needs it. */
  readonly ip: string
}

export interface ClientDependencies {
  readonly settings: Settings
  /** The IP address that a request came from; empty without a network connection. */
  readonly getPeerIp: (request: Request) => string
  /** Called if a proxy that is not trusted describes the client, with its IP address and the header. */
  readonly onUntrustedProxy: (peerIp: string, header: string) => void
}

/** Describes where a request comes from. */
export function createClient(deps: ClientDependencies, request: Request, requestId: string): Client {
  let ip: string | null = null
  return {
    requestId,
    get ip() {
      ip ??= readClientIp(deps, request)
      return ip
    },
  }
}

function readClientIp(
  { getPeerIp, settings, onUntrustedProxy }: ClientDependencies,
  request: Request,
): string {
  const peerIp = getPeerIp(request)
  const { headers } = request
  const header = findUntrustedHeader(peerIp, headers, settings.trustedProxies)
  if (header !== null) onUntrustedProxy(peerIp, header)
  return resolveClientIp(peerIp, headers.get('x-forwarded-for'), settings.trustedProxies)
}
