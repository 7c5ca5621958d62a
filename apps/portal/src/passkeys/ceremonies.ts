import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthnAutofill,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { UserError } from '../api/error.ts'
import { PasskeyAborted } from './passkey-aborted.ts'

/** Whether the browser offers passkeys among the suggestions of a field. */
export const supportsAutofill = browserSupportsWebAuthnAutofill

/** Ends the current request to the browser, if there is one. */
export const abortPasskeyRequest = (): void => WebAuthnAbortService.cancelCeremony()

/** The fields of a request with the response of an authenticator. */
const toAssertion = ({ id, response }: AuthenticationResponseJSON) => ({
  id,
  clientDataJSON: response.clientDataJSON,
  authenticatorData: response.authenticatorData,
  signature: response.signature,
  ...(response.userHandle ? { userHandle: response.userHandle } : {}),
})
const toRegistration = ({ id, response }: RegistrationResponseJSON) => ({
  id,
  clientDataJSON: response.clientDataJSON,
  attestationObject: response.attestationObject,
  transports: (response.transports ?? []).join(),
})

/**
 * Asks the browser for a passkey.
 * @param options from the server @param isAutofill waits for a choice among the suggestions of the username field instead of asking
 * @throws PasskeyAborted, UserError
 */
export async function requestAssertion(options: string, isAutofill = false) {
  const optionsJSON = JSON.parse(options)
  const response = await explainErrors(startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill }))
  return toAssertion(response)
}

/** Asks the browser to create a passkey. @param options from the server @throws PasskeyAborted, UserError */
export async function createPasskey(options: string) {
  return toRegistration(await explainErrors(startRegistration({ optionsJSON: JSON.parse(options) })))
}

async function explainErrors<Result>(ceremony: Promise<Result>): Promise<Result> {
  try {
    return await ceremony
  } catch (error) {
    throw explainError(error)
  }
}

function explainError(error: unknown): Error {
  const code = error instanceof WebAuthnError ? error.code : null
  if (code === 'ERROR_CEREMONY_ABORTED') return new PasskeyAborted()
  const message = code === null ? null : messages[code]
  return new UserError(
    message ?? 'No passkey was used: the request was cancelled or took too long. Try again.',
  )
}

const messages: Partial<Record<WebAuthnError['code'], string>> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED:
    'This device or password manager already has a passkey for your account.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    'This security key cannot store passkeys. Use another one, or the passkeys of your device.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This authenticator cannot check who you are with a PIN, a fingerprint or your face. Use another one.',
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG:
    'This authenticator supports none of the signature algorithms that Reeve accepts. Use another one.',
  ERROR_INVALID_DOMAIN: 'Passkeys do not work at this address. Open Reeve at its public URL.',
  ERROR_INVALID_RP_ID: 'Passkeys do not work at this address. Open Reeve at its public URL.',
}
