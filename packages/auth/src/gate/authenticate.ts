import { AppError, forbidden, type Ports, unauthorized } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { ApiKeyCache, AuthenticatedKey } from '../api-keys/cache.ts'
import { isInRanges } from '../ip-address.ts'
import { type AuthenticatedSession, authenticateSession } from '../sessions/session.ts'

/** An authenticated caller. */
export type Caller =
  | { readonly kind: 'api_key'; readonly key: AuthenticatedKey }
  | { readonly kind: 'account'; readonly session: AuthenticatedSession }

/** The parts of a request that identify the caller. */
export interface Credentials {
  readonly authorization: string | null
  readonly sessionToken: string | null
  readonly client: { readonly ip: string }
}

export interface AuthenticationDependencies {
  readonly db: Database
  readonly ports: Ports
  readonly keys: ApiKeyCache
}

/**
 * Authenticates a request. An `Authorization` header takes precedence over the session cookie, even if it is invalid.
 * @throws AppError `unauthorized`, or `forbidden` with `address_not_allowed`
 */
export async function authenticate(
  deps: AuthenticationDependencies,
  credentials: Credentials,
): Promise<Caller> {
  if (credentials.authorization !== null) {
    const credential = /^Bearer +(\S+)$/i.exec(credentials.authorization)?.[1]
    if (credential === undefined) {
      throw new AppError('unauthorized', {
        reason: 'invalid_key',
        message: 'Send the API key as Authorization: Bearer <key>.',
      })
    }
    const key = await deps.keys.authenticate(credential)
    if (key.ipRanges && !isInRanges(credentials.client.ip, key.ipRanges))
      throw forbidden('address_not_allowed')
    deps.keys.recordUse(key, credentials.client)
    return { kind: 'api_key', key }
  }
  if (!credentials.sessionToken) throw unauthorized('missing_credentials')
  return {
    kind: 'account',
    session: await authenticateSession(deps.db, deps.ports, credentials.sessionToken),
  }
}
