import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import { type Actor, type AppError, hasErrorCode, type Ports, requireFields } from '@reeve/core'
import { type AccountTable, type Database, type PasskeyTable, statement, type Transaction } from '@reeve/db'
import { actorForAccount, findAccount } from '../../accounts/account.ts'
import type { SignInFailureReason } from '../../sign-in-failure.ts'
import { markAttemptsSucceeded, recordFailedAttempt } from '../../throttle/attempts.ts'
import { type ChallengeOrigin, type ChallengePurpose, readChallenge, takeChallenge } from './challenge.ts'
import { loadWebAuthn } from './load-webauthn.ts'
import type { AssertionInput } from './model.ts'
import { assertAvailable, type RelyingParty } from './relying-party.ts'

const passkeyByCredential = statement<{ credentialId: string }>()((sql, p) =>
  sql.selectFrom('passkey').selectAll().where('credential_id', '=', p.credentialId),
)
/** Changes nothing if the counter did not advance in the meantime. */
const updateUse = statement<{
  accountId: string
  id: string
  counter: number
  isBackedUp: number
  isUserVerified: number
  now: number
}>()((sql, p) =>
  sql
    .updateTable('passkey')
    .set({ counter: p.counter, is_backed_up: p.isBackedUp, last_used_at: p.now })
    .set((eb) => ({
      // Stays: it verifies its user whenever that is required, though not if it is only preferred.
      has_verified_user: eb
        .case()
        .when(eb.val(p.isUserVerified), '=', 1)
        .then(eb.lit(1))
        .else(eb.ref('has_verified_user'))
        .end(),
    }))
    .where('account_id', '=', p.accountId)
    .where('id', '=', p.id)
    .where((eb) =>
      eb.or([eb('counter', '<', p.counter), eb.and([eb('counter', '=', 0), eb(eb.val(p.counter), '=', 0)])]),
    ),
)

/** What a passkey is used for. */
export interface PasskeyUse {
  readonly purpose: ChallengePurpose
  /** Who must use it, and from which session or pending sign-in. */
  readonly origin: ChallengeOrigin
  /** The session or pending sign-in, which attempts are counted by as well; null for none. */
  readonly credential: string | null
  /** Whether the authenticator must have verified its user, so that the passkey is enough alone. */
  readonly requiresUserVerification: boolean
  /** The error of a rejected passkey. @param message says what to do */
  readonly reject: (message: string) => AppError
  /** Called before a passkey is rejected, outside of a transaction. @param account if the passkey is known */
  readonly report: (reason: SignInFailureReason, account: AccountTable | undefined) => Promise<void>
}

/** Does not reveal whether a passkey is unknown, removed, or of another account or host, or its signature invalid. */
const NOT_ACCEPTED =
  'This passkey is not accepted. It may have been removed, or belong to another account. Use another way.'
const EXPIRED = 'This took too long, or was done already. Try again.'
const DISABLED = 'This account is disabled. Contact the operator of this instance.'
const USER_NOT_VERIFIED =
  'This authenticator did not check who you are, with a PIN, a fingerprint or your face, so it works only after your password.'
const COPIED =
  'This passkey may have been copied: its counter went back. Use another way, then remove the passkey from your account.'

/**
 * Verifies the response of an authenticator. Each attempt counts as a failed sign-in until the step has succeeded.
 * @param actor whose IP address and request the attempt is recorded with
 * @returns a step for the transaction that follows: it uses the challenge up, notes the use of the passkey and returns the account
 * @throws AppError `rate_limited`, `conflict` if passkeys are not available, or what `use.reject` creates; the same in the step
 */
export async function authenticateWithPasskey(
  db: Database,
  ports: Ports,
  relyingParty: RelyingParty,
  actor: Actor,
  input: AssertionInput,
  use: PasskeyUse,
): Promise<(tx: Transaction) => Promise<AccountTable>> {
  assertAvailable(relyingParty)
  const fields = requireFields(input, 'id', 'clientDataJSON', 'authenticatorData', 'signature')
  const passkey = await db.read.first(passkeyByCredential, { credentialId: fields.id })
  const account = passkey && (await findAccount(db.read, passkey.account_id))
  const fail = async (message: string, reason: SignInFailureReason = 'invalid_passkey'): Promise<never> => {
    await use.report(reason, account)
    throw use.reject(message)
  }
  // Not by account: nobody can guess a passkey, and who guesses the password must not keep its owner out.
  const attempt = { username: '', ip: actor.ip, credential: use.credential }
  await recordFailedAttempt(db, ports, attempt).catch(async (error) => {
    if (hasErrorCode(error, 'rate_limited')) await use.report('rate_limited', account)
    throw error
  })
  const challenge = readChallenge(fields.clientDataJSON)
  if (!passkey || !account || challenge === null) return fail(NOT_ACCEPTED)
  const isOther = use.origin.accountId !== null && use.origin.accountId !== account.id
  const hasOtherHandle = input.userHandle !== undefined && input.userHandle !== account.user_handle
  if (isOther || hasOtherHandle || passkey.rp_id !== relyingParty.id) return fail(NOT_ACCEPTED)

  const verified = await verifyAssertion(relyingParty, passkey, fields, challenge)
  if (verified === null) return fail(NOT_ACCEPTED)
  const { newCounter, userVerified, credentialBackedUp } = verified
  if (account.disabled_at !== null) return fail(DISABLED, 'account_disabled')
  if (use.requiresUserVerification && !userVerified) return fail(USER_NOT_VERIFIED)
  // Authenticators without a counter always send 0.
  if (newCounter <= passkey.counter && (newCounter > 0 || passkey.counter > 0)) {
    await db.write((tx) =>
      appendAuditEntry(tx, ports, actorForAccount(actor, account), {
        action: 'accounts.reject_passkey',
        target: { kind: 'account', id: account.id },
        after: { name: passkey.name, counter: newCounter, lastCounter: passkey.counter },
        chain: INSTANCE_CHAIN,
      }),
    )
    return fail(COPIED)
  }

  return async (tx) => {
    if (!(await takeChallenge(tx, ports, use.purpose, challenge, use.origin))) throw use.reject(EXPIRED)
    const updatedRows = await tx.run(updateUse, {
      accountId: account.id,
      id: passkey.id,
      counter: newCounter,
      isBackedUp: credentialBackedUp ? 1 : 0,
      isUserVerified: userVerified ? 1 : 0,
      now: ports.now(),
    })
    // It may have been removed or used elsewhere while it was being verified.
    const current = await findAccount(tx, account.id)
    if (updatedRows === 0 || !current) throw use.reject(NOT_ACCEPTED)
    if (current.disabled_at !== null) throw use.reject(DISABLED)
    await markAttemptsSucceeded(tx, attempt)
    return current
  }
}

/** @returns null if the response is not one of this passkey to this challenge, whatever the reason */
async function verifyAssertion(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  passkey: PasskeyTable,
  fields: {
    readonly id: string
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  },
  expectedChallenge: string,
) {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { id, clientDataJSON, authenticatorData, signature } = fields
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      // The counter is compared only once the signature is known to be valid.
      credential: { id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
      requireUserVerification: false,
    })
    return verified ? authenticationInfo : null
  } catch {
    return null
  }
}
