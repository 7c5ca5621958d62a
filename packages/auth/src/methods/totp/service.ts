import { type Actor, AppError, invalidRequest, LOWEST_ID, MINUTE_MS, type Ports } from '@reeve/core'
import {
  decryptSecret,
  encryptSecret,
  reencryptSecret,
  SecretDecryptionError,
  type SecretUse,
} from '@reeve/core/keys'
import { insertAll, type Queries, statement, type TotpTable, type Transaction } from '@reeve/db'
import { recordFactorAdded, recordFactorRemoved } from '../../factors/change.ts'
import {
  findOneTimeToken,
  issueOneTimeToken,
  revokeOneTimeTokens,
  takeOneTimeToken,
} from '../../one-time-token.ts'
import { buildTotpUri, encodeBase32, findTotpStep, isTotpStepAhead, TOTP_SECRET_BYTES } from './totp.ts'

const totpByAccount = statement<{ accountId: string }>()((sql, p) =>
  sql.selectFrom('totp').selectAll().where('account_id', '=', p.accountId),
)
const insertTotp = statement<TotpTable>()((sql, p) => insertAll(sql, 'totp', p))
const deleteTotp = statement<{ accountId: string }>()((sql, p) =>
  sql.deleteFrom('totp').where('account_id', '=', p.accountId),
)
/** Updates no row if another code was accepted in the meantime. */
const updateLastStep = statement<{
  accountId: string
  before: number
  step: number
  usedSteps: string
  now: number
}>()((sql, p) =>
  sql
    .updateTable('totp')
    .set({ last_step: p.step, used_steps: p.usedSteps, last_used_at: p.now })
    .where('account_id', '=', p.accountId)
    .where('last_step', '=', p.before),
)
/** How many accepted codes are remembered, for a clock that is set back to when they were valid: more than anybody enters in that time. */
const MAX_USED_STEPS = 20

/** The purpose of the one-time token that holds the secret until a code of it is confirmed. */
const ENROLMENT_PURPOSE = 'totp_enrolment'
/** Long enough to install an app. */
const ENROLMENT_LIFETIME_MS = 30 * MINUTE_MS

interface Enrolment {
  /** Encrypted. */
  readonly secret: string
}

/** Binds an encrypted secret to the account that it belongs to. */
const getSecretUse = (accountId: string): SecretUse => ({ purpose: 'factors', context: `totp:${accountId}` })

/** The authenticator app of an account. */
export const findTotp = (db: Queries, accountId: string): Promise<TotpTable | undefined> =>
  db.first(totpByAccount, { accountId })

/** @throws AppError `invalid_request` naming `code` */
const codeRejected = () =>
  invalidRequest({ field: 'code', message: 'is not correct, or was already used: enter the next one' })

/** @throws AppError `invalid_request` naming `code` if the key of the instance was replaced since the app was added */
function readSecret(ports: Ports, totp: TotpTable): string {
  try {
    return decryptSecret(ports, getSecretUse(totp.account_id), totp.secret)
  } catch (error) {
    if (!(error instanceof SecretDecryptionError)) throw error
    const message =
      'cannot be verified, because the key of the instance was replaced: use a recovery code, or ask an operator for a reset'
    throw invalidRequest({ field: 'code', message })
  }
}

/**
 * Verifies the code of an account's authenticator app, and uses it up: of concurrent requests with one code, also of several processes,
 * only one succeeds.
 * @throws AppError `invalid_request` naming `code`
 */
export async function verifyTotp(
  tx: Transaction,
  ports: Ports,
  accountId: string,
  code: string,
): Promise<void> {
  const totp = await findTotp(tx, accountId)
  if (!totp) throw codeRejected()
  const secret = readSecret(ports, totp)
  const now = ports.now()
  const { last_step: before } = totp
  // A step that cannot be accepted yet was accepted before the clock was set back. It must not keep the owner out until then.
  const afterStep = isTotpStepAhead(before, now) ? -1 : before
  const step = findTotpStep(Buffer.from(secret, 'base64url'), code, { now, afterStep })
  const used = JSON.parse(totp.used_steps) as number[]
  if (step === null || used.includes(step)) throw codeRejected()
  const usedSteps = JSON.stringify([step, ...used].slice(0, MAX_USED_STEPS))
  if ((await tx.run(updateLastStep, { accountId, before, step, usedSteps, now })) === 0) throw codeRejected()
}

/**
 * Generates the secret for an authenticator app. Nothing changes until a code of it is confirmed.
 * @param issuer how the app labels the account
 */
export async function startTotpEnrolment(tx: Transaction, ports: Ports, actor: Actor, issuer: string) {
  const bytes = ports.randomBytes(TOTP_SECRET_BYTES)
  await revokeOneTimeTokens(tx, actor.id, ENROLMENT_PURPOSE)
  const token = await issueOneTimeToken<Enrolment>(tx, ports, {
    purpose: ENROLMENT_PURPOSE,
    accountId: actor.id,
    data: {
      secret: encryptSecret(ports, getSecretUse(actor.id), Buffer.from(bytes).toString('base64url')),
    },
    lifetimeMs: ENROLMENT_LIFETIME_MS,
  })
  const secret = encodeBase32(bytes)
  return { token, secret, uri: buildTotpUri({ issuer, username: actor.name, secret }) }
}

/**
 * Adds the authenticator app whose first code this is, in place of the account's previous one.
 * @returns recovery codes, if the account had none
 * @throws AppError `invalid_request` naming `token` or `code`
 */
export async function confirmTotpEnrolment(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: { readonly token: string; readonly code: string },
) {
  const enrolment = await findOneTimeToken<Enrolment>(tx, ports, ENROLMENT_PURPOSE, input.token)
  if (enrolment?.accountId !== actor.id) throw enrolmentExpired()
  const { secret } = enrolment.data
  const bytes = Buffer.from(decryptSecret(ports, getSecretUse(actor.id), secret), 'base64url')
  const now = ports.now()
  const step = findTotpStep(bytes, input.code, { now, afterStep: -1 })
  if (step === null) {
    const message =
      'is not correct: check that the app shows this account and that the clock of the device is right'
    throw invalidRequest({ field: 'code', message })
  }
  if (!(await takeOneTimeToken(tx, ports, ENROLMENT_PURPOSE, input.token))) throw enrolmentExpired()
  await tx.run(deleteTotp, { accountId: actor.id })
  await tx.run(insertTotp, {
    account_id: actor.id,
    secret,
    last_step: step,
    used_steps: JSON.stringify([step]),
    created_at: now,
    last_used_at: null,
  })
  return { recoveryCodes: await recordFactorAdded(tx, ports, actor, { factor: 'totp' }) }
}

const enrolmentExpired = () =>
  invalidRequest({ field: 'token', message: 'has expired or was already used: start again' })

/** Removes the authenticator app of the actor. @throws AppError `not_found` */
export async function removeTotp(tx: Transaction, ports: Ports, actor: Actor): Promise<void> {
  if ((await tx.run(deleteTotp, { accountId: actor.id })) === 0) throw new AppError('not_found')
  await recordFactorRemoved(tx, ports, actor, { factor: 'totp' })
}

/** Removes the authenticator app of any account, as part of a reset. */
export const deleteTotpOfAccount = async (tx: Transaction, accountId: string): Promise<void> => {
  await tx.run(deleteTotp, { accountId })
  await revokeOneTimeTokens(tx, accountId, ENROLMENT_PURPOSE)
}

const totpAfter = statement<{ accountId: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('totp')
    .select(['account_id', 'secret'])
    .where('account_id', '>', p.accountId)
    .orderBy('account_id')
    .limit(p.limit),
)
const updateSecret = statement<{ accountId: string; secret: string }>()((sql, p) =>
  sql.updateTable('totp').set({ secret: p.secret }).where('account_id', '=', p.accountId),
)
const deleteEnrolments = statement<{ purpose: string }>()((sql, p) =>
  sql.deleteFrom('one_time_token').where('purpose', '=', p.purpose),
)
const BATCH_ROWS = 500

/** Encrypts the secrets of all authenticator apps with another key. Enrolments that are not confirmed yet have to start again. */
export async function reencryptTotpSecrets(tx: Transaction, from: Ports, to: Ports): Promise<void> {
  await tx.run(deleteEnrolments, { purpose: ENROLMENT_PURPOSE })
  let accountId = LOWEST_ID
  for (;;) {
    const rows = await tx.all(totpAfter, { accountId, limit: BATCH_ROWS })
    for (const { account_id, secret } of rows) {
      const reencrypted = reencryptSecret(from, to, getSecretUse(account_id), secret)
      await tx.run(updateSecret, { accountId: account_id, secret: reencrypted })
    }
    const last = rows.at(-1)
    if (!last || rows.length < BATCH_ROWS) return
    accountId = last.account_id
  }
}
