import { resolveClientIp } from '../ip-address.ts'
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
}

/** Describes where a request comes from. */
export function createClient(
  { getPeerIp, settings }: ClientDependencies,
  request: Request,
  requestId: string,
): Client {
  let ip: string | null = null
  return {
    requestId,
    get ip() {
      ip ??= resolveClientIp(
        getPeerIp(request),
        request.headers.get('x-forwarded-for'),
        settings.trustedProxies,
      )
      return ip
    },
  }
}
