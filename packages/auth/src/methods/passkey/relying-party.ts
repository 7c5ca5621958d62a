import { isIP } from 'node:net'
import { AppError } from '@reeve/core'

/** What passkeys are created for: the host of the public URL. Changing it makes every passkey useless. */
export interface RelyingParty {
  /** The RP ID: a host name. */
  readonly id: string
  /** The only origin from which passkeys are accepted. */
  readonly origin: string
  /** Why browsers refuse passkeys at the public URL, as sentences for users; null if they do not. */
  readonly problem: string | null
}

/** The relying party of an instance. */
export function getRelyingParty({ hostname, origin, protocol }: URL): RelyingParty {
  return { id: hostname, origin, problem: findProblem(hostname, origin, protocol) }
}

function findProblem(hostname: string, origin: string, protocol: string): string | null {
  // The host of an IPv6 URL is in brackets.
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return (
      `Passkeys need a host name, but the URL of this instance, ${origin}, has an IP address. An operator can set REEVE_PUBLIC_URL to an ` +
      'https URL with a host name, or to one with localhost to try passkeys on this machine.'
    )
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal)
    return (
      `Passkeys need HTTPS, but the URL of this instance is ${origin}. An operator can put a reverse proxy with TLS in front of it and ` +
      'set REEVE_PUBLIC_URL to its https URL.'
    )
  return null
}

/** @throws AppError `conflict` if browsers refuse passkeys at the public URL */
export function assertAvailable({ problem }: RelyingParty): void {
  if (problem !== null) throw new AppError('conflict', { message: problem })
}
