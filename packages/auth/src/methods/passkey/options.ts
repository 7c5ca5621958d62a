import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  UserVerificationRequirement,
} from '@simplewebauthn/server'
import { CHALLENGE_LIFETIME_MS } from './challenge.ts'
import type { RelyingParty } from './relying-party.ts'

/** EdDSA, ES256 and RS256, as COSE identifiers. Every authenticator has one of them, and the runtime verifies all. */
export const ALGORITHMS = [-8, -7, -257] as const

/** What names a passkey to a browser. */
export interface PasskeyDescriptor {
  readonly credential_id: string
  /** JSON array. */
  readonly transports: string
}

const toDescriptors = (passkeys: readonly PasskeyDescriptor[]) =>
  passkeys.map(({ credential_id: id, transports }) => ({
    id,
    type: 'public-key' as const,
    transports: JSON.parse(transports),
  }))

/**
 * The options with which a browser creates a passkey that works without a username.
 * @param existing those that the account already has: an authenticator creates no second one
 */
export const createCreationOptions = (
  { id }: RelyingParty,
  user: { readonly userHandle: string; readonly username: string },
  challenge: string,
  existing: readonly PasskeyDescriptor[],
): PublicKeyCredentialCreationOptionsJSON => ({
  rp: { id, name: 'Reeve' },
  user: { id: user.userHandle, name: user.username, displayName: user.username },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
  timeout: CHALLENGE_LIFETIME_MS,
  attestation: 'none',
  excludeCredentials: toDescriptors(existing),
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'preferred',
  },
  extensions: { credProps: true },
})

/**
 * The options with which a browser uses a passkey.
 * @param accepted the passkeys that can be used; none lets the user choose any of this instance
 */
export const createRequestOptions = (
  { id }: RelyingParty,
  challenge: string,
  userVerification: UserVerificationRequirement,
  accepted: readonly PasskeyDescriptor[] = [],
): PublicKeyCredentialRequestOptionsJSON => ({
  rpId: id,
  challenge,
  timeout: CHALLENGE_LIFETIME_MS,
  userVerification,
  allowCredentials: toDescriptors(accepted),
})
