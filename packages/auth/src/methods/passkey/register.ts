import { type Actor, AppError, type Ports, requireFields, unauthorized } from '@reeve/core'
import { insertAll, type PasskeyTable, statement, type Transaction } from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { recordFactorAdded } from '../../factors/change.ts'
import { findAuthenticatorName } from './authenticators.ts'
import { challengePurposes, issueChallenge, readChallenge, takeChallenge } from './challenge.ts'
import { loadWebAuthn } from './load-webauthn.ts'
import { MAX_PASSKEYS, presentPasskey, type RegistrationInput } from './model.ts'
import { ALGORITHMS, createCreationOptions } from './options.ts'
import { findPasskeys } from './passkeys.ts'
import { assertAvailable, type RelyingParty } from './relying-party.ts'

const userHandleById = statement<{ id: string }>()((sql, p) =>
  sql.selectFrom('account').select('user_handle').where('id', '=', p.id),
)
const updateUserHandle = statement<{ id: string; userHandle: string }>()((sql, p) =>
  sql
    .updateTable('account')
    .set({ user_handle: p.userHandle })
    .where('id', '=', p.id)
    .where('user_handle', 'is', null),
)
const insertPasskey = statement<PasskeyTable>()((sql, p) => insertAll(sql, 'passkey', p))

const USER_HANDLE_BYTES = 32

const notVerified = () =>
  new AppError('invalid_request', {
    message: 'The passkey could not be verified. Try again, or use another authenticator.',
  })
const expired = () =>
  new AppError('conflict', { message: 'This took too long, or was done already. Try again.' })

/** The challenge is bound to the session that asked for it. */
const toOrigin = (actor: Actor) => ({ accountId: actor.id, subject: actor.sessionId ?? '' })

/**
 * Starts adding a passkey to the actor's account.
 * @throws AppError `conflict` if passkeys are not available or the account has too many
 */
export const startRegistration = async (
  tx: Transaction,
  ports: Ports,
  relyingParty: RelyingParty,
  actor: Actor,
) => {
  assertAvailable(relyingParty)
  const existing = await findPasskeys(tx, actor.id)
  assertUnderLimit(existing)
  const userHandle = await ensureUserHandle(tx, ports, actor.id)
  const challenge = await issueChallenge(tx, ports, challengePurposes.registration, toOrigin(actor))
  const user = { userHandle, username: actor.name }
  return { options: JSON.stringify(createCreationOptions(relyingParty, user, challenge, existing)) }
}

function assertUnderLimit(existing: readonly PasskeyTable[]): void {
  if (existing.length >= MAX_PASSKEYS)
    throw new AppError('conflict', {
      message: `An account can have ${MAX_PASSKEYS} passkeys. Remove one that you no longer use first.`,
    })
}

/** The random bytes that passkeys name the account by, so that they contain neither its id nor its name. */
async function ensureUserHandle(tx: Transaction, ports: Ports, id: string): Promise<string> {
  const userHandle = Buffer.from(ports.randomBytes(USER_HANDLE_BYTES)).toString('base64url')
  await tx.run(updateUserHandle, { id, userHandle })
  const account = await tx.first(userHandleById, { id })
  if (account == null || account.user_handle === null) throw unauthorized('invalid_session')
  return account.user_handle
}

/**
 * Verifies a passkey that a browser created for the actor's account.
 * @returns a step for the transaction that adds it, and that uses the challenge up. It returns recovery codes with the first second factor
 * @throws AppError `invalid_request`; in the step `conflict`
 */
export async function registerPasskey(
  ports: Ports,
  relyingParty: RelyingParty,
  actor: Actor,
  input: RegistrationInput,
) {
  assertAvailable(relyingParty)
  const fields = requireFields(input, 'id', 'clientDataJSON', 'attestationObject')
  const challenge = readChallenge(fields.clientDataJSON)
  if (challenge === null) throw notVerified()
  const registration = await verifyRegistration(relyingParty, fields, challenge)
  const { aaguid, credential, credentialBackedUp, userVerified } = registration

  return async (tx: Transaction) => {
    const { registration: purpose } = challengePurposes
    if (!(await takeChallenge(tx, ports, purpose, challenge, toOrigin(actor)))) throw expired()
    const existing = await findPasskeys(tx, actor.id)
    assertUnderLimit(existing)
    const name = findAuthenticatorName(aaguid) ?? (input.fallbackName || 'Passkey')
    const row: PasskeyTable = {
      account_id: actor.id,
      id: ports.newId(),
      rp_id: relyingParty.id,
      credential_id: credential.id,
      public_key: credential.publicKey,
      counter: credential.counter,
      transports: JSON.stringify(input.transports ?? []),
      is_backed_up: credentialBackedUp ? 1 : 0,
      aaguid,
      name: chooseUniqueName(name, existing),
      created_at: ports.now(),
      last_used_at: null,
      has_verified_user: userVerified ? 1 : 0,
    }
    await uniqueViolationToConflict(tx.run(insertPasskey, row), 'This passkey has been added already.')
    const recoveryCodes = await recordFactorAdded(tx, ports, actor, { factor: 'passkey', name: row.name })
    return { passkey: presentPasskey(row, relyingParty), recoveryCodes }
  }
}

async function verifyRegistration(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  fields: { readonly id: string; readonly clientDataJSON: string; readonly attestationObject: string },
  expectedChallenge: string,
) {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const { id, clientDataJSON, attestationObject } = fields
  let verification: VerifiedRegistrationResponse
  try {
    verification = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      // One that does not verify its user can still be a second factor.
      requireUserVerification: false,
      supportedAlgorithmIDs: [...ALGORITHMS],
    })
  } catch {
    // The library describes what is wrong with the response, which only matters to an attacker.
    throw notVerified()
  }
  const { registrationInfo } = verification
  if (!verification.verified || registrationInfo?.credential.id !== id) throw notVerified()
  return registrationInfo
}

/** `1Password`, `1Password 2`, … */
function chooseUniqueName(name: string, existing: readonly PasskeyTable[]): string {
  const taken = new Set(existing.map((row) => row.name))
  let unique = name
  for (let number = 2; taken.has(unique); number++) unique = `${name} ${number}`
  return unique
}
