/** What requests say about a mistake in the deployment, and what to do. */
export interface RequestWarning {
  readonly found: string
  readonly advice: string
}

/** The mistakes that requests reveal. */
export type RequestWarningKind = 'unknown_host' | 'untrusted_proxy'

/** The warnings of a process since its start. */
export interface RequestWarnings {
  /** Adds a warning. Only the first of a kind is listed and reported, because requests repeat. */
  readonly add: (kind: RequestWarningKind, warning: RequestWarning) => void
  readonly list: () => readonly RequestWarning[]
}

/** @param report receives each warning once, for the log */
export function createRequestWarnings(report: (message: string) => void): RequestWarnings {
  const warnings = new Map<RequestWarningKind, RequestWarning>()
  return {
    add(kind, warning) {
      if (warnings.has(kind)) return
      warnings.set(kind, warning)
      report(`${warning.found} ${warning.advice}`)
    },
    list: () => [...warnings.values()],
  }
}

/** Creates the warning about a proxy that is not trusted. */
export const createProxyWarning =
  (warnings: RequestWarnings) =>
  (peerIp: string, header: string): void =>
    warnings.add('untrusted_proxy', {
      found: `A request from ${peerIp} has the header ${header}, but ${peerIp} is not listed in REEVE_TRUSTED_PROXIES.`,
      advice:
        'If it is your reverse proxy, add it: until then, all of its clients count as one IP address, for example for the limits of ' +
        'sign-ins. If you have no proxy there, a client sent the header, and it was ignored.',
    })
