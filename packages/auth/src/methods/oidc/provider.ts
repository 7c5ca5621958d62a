/** An identity provider that the operator has configured. */
export interface OidcProvider {
  /** Part of the redirect URL: `/sign-in/<id>/callback`. Lower-case letters, digits and hyphens. */
  readonly id: string
  /** What buttons and messages call it. */
  readonly name: string
  /** Identifies it together with the subject of an account; its discovery document is below this URL. */
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string
  /** The scopes to request, separated by spaces. */
  readonly scopes: string
  /** Whether somebody whose identity is not linked yet may create an account without an invitation. */
  readonly createsAccounts: boolean
  /** `discord` is OAuth 2.0 without discovery and ID tokens: the account is read from Discord's API. */
  readonly protocol: 'openid' | 'discord'
}

/** What is known about a provider without a setting. */
export type OidcPreset = Pick<OidcProvider, 'name' | 'scopes' | 'protocol'> & { readonly issuer: string }

const ROBLOX_ID = 'roblox'

/** The issuer of Roblox. Source: https://apis.roblox.com/oauth/.well-known/openid-configuration */
const ROBLOX_ISSUER = 'https://apis.roblox.com/oauth/'

/** Providers for which a client ID and a secret are enough, by their id. */
export const oidcPresets: Readonly<Record<string, OidcPreset>> = {
  [ROBLOX_ID]: { name: 'Roblox', issuer: ROBLOX_ISSUER, scopes: 'openid profile', protocol: 'openid' },
  discord: { name: 'Discord', issuer: 'https://discord.com/', scopes: 'identify', protocol: 'discord' },
}

/** What is requested of a provider without a preset. */
export const DEFAULT_SCOPES = 'openid profile'

/** The issuer whose subjects are Roblox user ids on this instance. */
export const getRobloxIssuer = (providers: readonly Pick<OidcProvider, 'id' | 'issuer'>[]): string =>
  providers.find(({ id }) => id === ROBLOX_ID)?.issuer.href ?? ROBLOX_ISSUER

/** Where a provider sends the browser back to. The operator registers this URL there. */
export const getRedirectUrl = (publicUrl: URL, providerId: string): string =>
  new URL(`/sign-in/${providerId}/callback`, publicUrl).href
