import { wire } from '@reeve/core'
import type { AccountIdentityTable } from '@reeve/db'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { username } from '../../accounts/username.ts'
import { SignInResponse } from '../../sessions/sign-in-model.ts'
import type { OidcProvider } from './provider.ts'

const providerId = inputField(
  wire.text({ min: 1, max: 50, example: 'roblox' }),
  'The id of the provider in the settings, in lower case',
)

/** Any text: an incomplete token gets the same response as an unknown one. */
const token = wire.text({ min: 1, max: 200, example: 'pR0s7…' })

export const ProviderRequest = requestObject({ provider: providerId })
export const StartedResponse = responseObject(
  { url: stringField('Where to send the browser; it comes back to `/sign-in/<provider>/callback`') },
  'A sign-in with a provider has begun in this browser',
)

/** Some providers have codes of several kilobytes. */
const MAX_QUERY_LENGTH = 16_000

export const CallbackRequest = requestObject({
  provider: providerId,
  parameters: inputField(
    wire.text({ min: 1, max: MAX_QUERY_LENGTH, example: 'code=…&state=…' }),
    'The query string with which the provider sent the browser back',
  ),
  invitation: inputField(token, 'The invitation with which an account is to be created; none by default'),
})

const SignUp = responseObject(
  {
    token: stringField('Send it with the username, within ten minutes'),
    username: stringField(
      'A username that is free; empty if the name at the provider cannot be one',
      'robin',
    ),
    providerName: stringField('What the provider is called', 'Roblox'),
    name: nullableString('What the provider calls the account', 'robin'),
  },
  'The account that can be created for this identity',
)

export const CallbackResponse = responseObject(
  {
    ...SignInResponse.properties,
    signUp: Type.Union([SignUp, Type.Null()], {
      description: 'Set if no account is linked to the identity and one can be created',
    }),
    linkedProvider: nullableString('The name of the provider whose account was linked to yours', 'Roblox'),
    verifiedUntil: nullableString(
      'Until when sensitive actions need no further verification, if the session was verified',
      wire.time.example,
    ),
  },
  'Who is signed in, or what is still needed',
)

export const IdentitySignUpRequest = requestObject({
  token: inputField(token, 'From the response with `signUp`'),
  username: inputField(username, 'Username of the new account'),
  invitation: inputField(token, 'The invitation to accept with the new account; none by default'),
})

export const IdentitySignUpResponse = responseObject(
  {
    account: Type.Index(SignInResponse, Type.Literal('account')),
    workspace: Type.Union(
      [
        responseObject(
          { id: stringField('Workspace id'), groupName: stringField('Workspace name', 'Night shift') },
          'A workspace',
        ),
        Type.Null(),
      ],
      { description: 'The workspace of the invitation; null without one' },
    ),
  },
  'The new account',
)

const Identity = responseObject(
  {
    issuer: stringField('Identifies the provider', 'https://apis.roblox.com/oauth/'),
    subject: stringField('The id of the account at the provider; with Roblox, the user id', '261'),
    providerName: stringField('What the provider is called', 'Roblox'),
    name: nullableString('What the provider calls the account', 'robin'),
    linkedAt: stringField('When it was linked', wire.time.example),
    lastUsedAt: nullableString('When it last signed in', wire.time.example),
    isConfigured: stringField(
      'Whether one can sign in with it; not if its provider was removed from the settings',
      'true',
    ),
  },
  'An account of an identity provider that signs in to yours',
)

export const IdentitiesResponse = responseObject(
  { identities: Type.Array(Identity) },
  'The linked accounts, oldest first',
)
export const IdentityResponse = responseObject({ identity: Identity }, 'The account that was unlinked')
export const UnlinkQuery = requestObject({
  issuer: inputField(
    wire.text({ min: 1, max: 2000, example: 'https://apis.roblox.com/oauth/' }),
    'The issuer to unlink',
  ),
})

/** @param providers the configured ones */
export function presentIdentity(
  row: AccountIdentityTable,
  providers: readonly OidcProvider[],
): Static<typeof Identity> {
  const provider = providers.find(({ issuer }) => issuer.href === row.issuer)
  return {
    issuer: row.issuer,
    subject: row.subject,
    providerName: provider?.name ?? row.provider,
    name: row.name,
    linkedAt: wire.time.write(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : wire.time.write(row.last_used_at),
    isConfigured: wire.boolean.write(provider !== undefined),
  }
}
