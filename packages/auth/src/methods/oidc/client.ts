import { MINUTE_MS, type Ports } from '@reeve/core'
import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from 'oauth4webapi'
import { fetchBounded, type ProviderRequest } from './bounded-fetch.ts'
import type { OidcProvider } from './provider.ts'

/** How long the discovery document of a provider is used before it is read again. Its keys are cached for five minutes by the library. */
const METADATA_LIFETIME_MS = 60 * MINUTE_MS
/** How far the clocks of the provider and this server may differ, in seconds. */
export const CLOCK_TOLERANCE_S = 60

interface CachedMetadata {
  readonly readAt: number
  readonly metadata: Promise<AuthorizationServer>
}

/** Reads the discovery documents of providers, each at most once an hour and once at a time. */
export class ProviderMetadata {
  private readonly cached = new Map<string, CachedMetadata>()
  private readonly ports: Pick<Ports, 'now'>

  constructor(ports: Pick<Ports, 'now'>) {
    this.ports = ports
  }

  /** @throws ProviderRequestError, OperationProcessingError */
  read(provider: OidcProvider): Promise<AuthorizationServer> {
    if (provider.protocol === 'discord') return Promise.resolve(discordMetadata(provider))
    const now = this.ports.now()
    const known = this.cached.get(provider.id)
    if (known !== undefined && now - known.readAt < METADATA_LIFETIME_MS) return known.metadata
    const metadata = discover(provider)
    this.cached.set(provider.id, { readAt: now, metadata })
    // A failure is not cached: the next sign-in tries again.
    metadata.catch(() => this.cached.delete(provider.id))
    return metadata
  }
}

async function discover(provider: OidcProvider): Promise<AuthorizationServer> {
  const response = await discoveryRequest(provider.issuer, requestOptions(provider))
  return processDiscoveryResponse(provider.issuer, response)
}

/** Source: https://docs.discord.com/developers/topics/oauth2#shared-resources-oauth2-urls */
const discordMetadata = ({ issuer }: OidcProvider): AuthorizationServer => ({
  issuer: issuer.href,
  authorization_endpoint: new URL('/oauth2/authorize', issuer).href,
  token_endpoint: new URL('/api/oauth2/token', issuer).href,
  userinfo_endpoint: new URL('/api/users/@me', issuer).href,
  token_endpoint_auth_methods_supported: ['client_secret_post'],
})

/** The options of every request. Plain http is possible only with an issuer on this machine, which the settings check. */
export const requestOptions = ({ issuer }: OidcProvider) => ({
  [customFetch]: (url: string, request: ProviderRequest) => fetchBounded(url, request),
  [allowInsecureRequests]: issuer.protocol === 'http:',
})

/** This instance as a client of a provider, by the clock of the instance. */
export const toClient = ({ clientId }: OidcProvider, ports: Pick<Ports, 'now'>): Client => ({
  client_id: clientId,
  [clockSkew]: Math.round((ports.now() - Date.now()) / 1000),
  [clockTolerance]: CLOCK_TOLERANCE_S,
})

/**
 * How the client proves who it is. In the body where the provider supports that: several decode the characters of a secret wrongly in the
 * header.
 */
export const toClientAuth = (
  { clientSecret }: OidcProvider,
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: AuthorizationServer,
) =>
  methods.includes('client_secret_post') ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret)
