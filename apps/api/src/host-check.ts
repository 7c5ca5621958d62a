import { isIP } from 'node:net'
import { AppError, invalidRequest } from '@reeve/core'
import { Elysia } from 'elysia'
import type { RequestWarnings } from './request-warnings.ts'

export interface HostCheckOptions {
  readonly publicUrl: URL
  /** Other host names of this instance. */
  readonly hosts: readonly string[]
  /** Whether requests for other host names are rejected; otherwise there is a warning. */
  readonly isEnforced: boolean
}

/** A host name or an IP address, and a port. Source: RFC 9110, section 7.2; names in DNS may also contain `_`. */
const HOST = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::\d{0,5})?$/i

/** How many values of `Host` are remembered as accepted: each name with each port. */
const MAX_ACCEPTED = 100

/**
 * Rejects requests for a DNS name that is not one of this instance, so that a website cannot reach it under a name of its own (DNS
 * rebinding), and so that rules of a proxy for certain names apply. IP addresses are accepted: probes and scrapers use them.
 * @throws AppError `misdirected_request`; `invalid_request` for a `Host` that is not a host at all, whose path Bun and a proxy might
 * understand differently
 */
export function createHostCheck(options: HostCheckOptions, warnings: RequestWarnings) {
  const { publicUrl, hosts, isEnforced } = options
  const known = new Set([publicUrl.hostname, 'localhost', ...hosts].map((name) => name.toLowerCase()))
  const accepted = new Set<string>()

  return (host: string): void => {
    // The only step for nearly all requests: it is part of every ban check.
    if (accepted.has(host)) return
    const [, ipv6, name = ''] = HOST.exec(host) ?? []
    if (ipv6 === undefined ? name === '' : isIP(ipv6) !== 6)
      throw invalidRequest({ field: 'Host', message: 'must be a host name or an IP address' })
    const normalized = name.toLowerCase().replace(/\.$/, '')
    const isKnown =
      ipv6 !== undefined || isIP(name) === 4 || known.has(normalized) || normalized.endsWith('.localhost')
    if (!isKnown && isEnforced) throw new AppError('misdirected_request')
    if (!isKnown) {
      warnings.add('unknown_host', {
        found: `A request was for the host ${normalized}, but REEVE_PUBLIC_URL is not set.`,
        advice:
          'Set it to the URL that people type; other host names are rejected then. List those that programs use in REEVE_HOSTS.',
      })
    }
    if (accepted.size < MAX_ACCEPTED) accepted.add(host)
  }
}

/** Checks the host of every request. A request without one, as HTTP/1.0 allows, names no other host. */
export const hostCheck = (options: HostCheckOptions, warnings: RequestWarnings) => {
  const assertKnownHost = createHostCheck(options, warnings)
  return new Elysia({ name: 'host-check' }).onRequest(({ request }) => {
    const host = request.headers.get('host')
    if (host !== null) assertKnownHost(host)
  })
}
