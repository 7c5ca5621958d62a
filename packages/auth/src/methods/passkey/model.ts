import { wire } from '@reeve/core'
import type { PasskeyTable } from '@reeve/db'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { newRecoveryCodes } from '../../factors/model.ts'
import { findAuthenticatorName } from './authenticators.ts'
import type { RelyingParty } from './relying-party.ts'

/** How many passkeys an account can have. */
export const MAX_PASSKEYS = 20
const MAX_NAME_LENGTH = 60

/** Bytes in base64url. @param max the number of characters */
const base64url = (max: number, example: string): wire.Codec<string> => ({
  read(text) {
    if (/^[A-Za-z0-9_-]+$/.test(text) && text.length <= max) return text
    throw new wire.WireError(`must be base64url without padding, at most ${max} characters`)
  },
  write: (text) => text,
  description: `base64url without padding, at most ${max} characters`,
  example,
})

const KNOWN_TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
const readTransports = (list: readonly string[]) =>
  KNOWN_TRANSPORTS.filter((transport) => list.includes(transport))

/** How the authenticator can be reached. Unknown values are left out, because browsers add new ones. */
const transports: wire.Codec<readonly string[]> = {
  read: (text) => readTransports(text.split(',').map((part) => part.trim())),
  readList: readTransports,
  write: (list) => list.join(','),
  description: 'A list of strings, or comma-separated',
  example: 'internal,hybrid',
}

/** A credential id has at most 1023 bytes. Source: WebAuthn Level 3, section 4. */
const credentialId = inputField(base64url(1364, 'K2xhcmE'), '`id` of the credential')
const clientDataJSON = inputField(base64url(8192, 'eyJ0eXBlIjoi'), '`response.clientDataJSON`')
const name = inputField(
  wire.name({ min: 1, max: MAX_NAME_LENGTH, example: 'Robin’s phone' }),
  'Shown in the list',
)

export const RegistrationRequest = requestObject(
  {
    id: credentialId,
    clientDataJSON,
    attestationObject: inputField(base64url(32_768, 'o2NmbXRkbm9uZQ'), '`response.attestationObject`'),
    transports: inputField(transports, '`response.transports`'),
    fallbackName: inputField(
      wire.name({ max: MAX_NAME_LENGTH, example: 'Chrome on Windows' }),
      'Its name if the authenticator is not known, such as the browser',
    ),
  },
  'The credential that the browser created',
)
export type RegistrationInput = Static<typeof RegistrationRequest>

const assertionFields = {
  id: credentialId,
  clientDataJSON,
  authenticatorData: inputField(base64url(2048, 'SZYN5YgOjGh0NBcP'), '`response.authenticatorData`'),
  signature: inputField(base64url(2048, 'MEUCIQD'), '`response.signature`'),
  userHandle: inputField(base64url(128, 'b3duZXI'), '`response.userHandle`, if there is one'),
}
export const AssertionRequest = requestObject(assertionFields, 'The response of the authenticator')
export type AssertionInput = Static<typeof AssertionRequest>

/** Any text: an incomplete token gets the same response as an unknown one. */
const pendingToken = inputField(
  wire.text({ min: 1, max: 200, example: 'pR0s7…' }),
  '`secondFactor.token` of the sign-in that needs a second factor; without it, the passkey alone signs in',
)
export const SignInOptionsRequest = requestObject({ token: pendingToken })
export const PasskeySignInRequest = requestObject({ ...assertionFields, token: pendingToken })

const passkeyId = inputField(wire.id, 'The passkey')
export const RenameRequest = requestObject({ id: passkeyId, name })
export type RenameInput = Static<typeof RenameRequest>
export const PasskeyQuery = requestObject({ id: passkeyId })

export const Passkey = responseObject(
  {
    id: stringField('Passkey id'),
    name: stringField('Name', 'iCloud Keychain'),
    authenticator: nullableString(
      'The authenticator or password manager; null if it is not known',
      '1Password',
    ),
    isSynced: stringField('Whether it is synced between devices', 'true'),
    isUsable: stringField(
      'Whether it works for the current URL of this instance; one that was created for another host does not',
      'true',
    ),
    createdAt: stringField('When it was added', wire.time.example),
    lastUsedAt: nullableString('When it was last used; null for never', wire.time.example),
  },
  'A passkey of the signed-in account',
)

export const PasskeyResponse = responseObject({ passkey: Passkey }, 'The passkey')
export const PasskeyAddedResponse = responseObject(
  { passkey: Passkey, recoveryCodes: newRecoveryCodes },
  'The passkey was added',
)
export const Passkeys = responseObject(
  {
    passkeys: Type.Array(Passkey),
    origin: stringField('The URL at which passkeys work', 'https://reeve.example'),
    problem: nullableString('Why passkeys are not available on this instance; null if they are'),
    limit: stringField('How many passkeys an account can have', String(MAX_PASSKEYS)),
  },
  'The passkeys of the signed-in account, oldest first',
)
export const PasskeyRemovedResponse = responseObject({ id: stringField('Passkey id') }, 'The removed passkey')
export const OptionsResponse = responseObject(
  {
    options: stringField(
      'JSON of `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`; respond within five minutes',
    ),
  },
  'What the browser needs for `navigator.credentials`',
)
/** A passkey in responses and in the audit log. */
export const presentPasskey = (row: PasskeyTable, { id: rpId }: RelyingParty): Static<typeof Passkey> => ({
  id: row.id,
  name: row.name,
  authenticator: findAuthenticatorName(row.aaguid),
  isSynced: wire.boolean.write(row.is_backed_up === 1),
  isUsable: wire.boolean.write(row.rp_id === rpId),
  createdAt: wire.time.write(row.created_at),
  lastUsedAt: row.last_used_at === null ? null : wire.time.write(row.last_used_at),
})
