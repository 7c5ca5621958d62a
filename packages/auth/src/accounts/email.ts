import { createHmac, timingSafeEqual } from 'node:crypto'
import { appendAuditEntry, INSTANCE_CHAIN } from '@reeve/audit'
import {
  type Actor,
  AppError,
  DAY_MS,
  EMAIL_CODE_MINUTES,
  formatRetryAfter,
  HOUR_MS,
  invalidRequest,
  MINUTE_MS,
  normalizeBase32,
  type Ports,
  wire,
} from '@reeve/core'
import { type Database, statement, type Transaction } from '@reeve/db'
import { generateCode } from '../base32-code.ts'
import { queueNotice } from '../mail/notice.ts'
import { hasManyMails, queueMail } from '../mail/outbox.ts'
import {
  findOneTimeToken,
  issueOneTimeToken,
  revokeOneTimeTokens,
  takeOneTimeToken,
} from '../one-time-token.ts'
import { describeDevice } from '../sessions/device.ts'
import type { Settings } from '../settings.ts'
import { markAttemptsSucceeded, recordFailedAttempt } from '../throttle/attempts.ts'
import { findAccount, PASSWORD_LINK_PURPOSE } from './account.ts'

const updateEmail = statement<{ id: string; email: string | null; emailKey: string | null; now: number }>()(
  (sql, p) =>
    sql
      .updateTable('account')
      .set({ email: p.email, email_key: p.emailKey, updated_at: p.now })
      .where('id', '=', p.id),
)

/** The longest address. Source: RFC 3696, errata 1690. */
const MAX_LENGTH = 254
/** What browsers accept in a field for an address. Source: HTML, "valid e-mail address", and a domain with a dot or localhost. */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:localhost|[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+)$/i

/** Whether a text is an e-mail address that mails can be sent to. */
export const isEmailAddress = (text: string): boolean => text.length <= MAX_LENGTH && ADDRESS.test(text)

/** An e-mail address to send mails to. */
export const emailAddress: wire.Codec<string> = {
  read(text) {
    const address = text.trim()
    if (!isEmailAddress(address))
      throw new wire.WireError('must be an e-mail address, such as robin@example.com')
    return address
  },
  write: (address) => address,
  description: `E-mail address, up to ${MAX_LENGTH} characters`,
  example: 'robin@example.com',
}

const PURPOSE = 'email'
const CODE_LIFETIME_MS = EMAIL_CODE_MINUTES * MINUTE_MS
/** 40 bits: few enough to type, and attempts are limited. */
const CODE_LENGTH = 8
/** Codes that an account may request, so that nobody is flooded with mails in its name. */
const LIMITS = [
  { max: 5, windowMs: HOUR_MS },
  { max: 10, windowMs: DAY_MS },
] as const

interface PendingEmail {
  readonly email: string
  /** Keyed, because the code is too short for a plain hash. */
  readonly codeHash: string
}

const hashCode = (ports: Ports, code: string): string =>
  createHmac('sha256', ports.deriveKey('mail')).update(normalizeBase32(code)).digest('hex')

/**
 * Sends a code to an address that the actor wants to have. Nothing changes until the code is confirmed.
 * @returns the token that the confirmation requires beside the code
 * @throws AppError `not_found` if the instance sends no mails, `rate_limited`, `unavailable` if too many mails are waiting
 */
export async function startEmailChange(
  tx: Transaction,
  ports: Ports,
  { sendsMail }: Pick<Settings, 'sendsMail'>,
  actor: Actor,
  email: string,
) {
  if (!sendsMail) throw new AppError('not_found', { message: 'This instance sends no e-mails.' })
  for (const limit of LIMITS) {
    if (await hasManyMails(tx, ports, { accountId: actor.id, kind: 'email_code' }, limit)) {
      const seconds = limit.windowMs / 1000
      throw new AppError('rate_limited', {
        message: `Too many codes were sent. ${formatRetryAfter(seconds)}`,
        headers: { 'retry-after': String(seconds) },
      })
    }
  }
  await revokeOneTimeTokens(tx, actor.id, PURPOSE)
  const code = generateCode(ports, CODE_LENGTH)
  const token = await issueOneTimeToken<PendingEmail>(tx, ports, {
    purpose: PURPOSE,
    accountId: actor.id,
    data: { email, codeHash: hashCode(ports, code) },
    lifetimeMs: CODE_LIFETIME_MS,
  })
  const isQueued = await queueMail(tx, ports, {
    accountId: actor.id,
    to: email,
    content: { kind: 'email_code', username: actor.name, code, expiresAt: ports.now() + CODE_LIFETIME_MS },
    lifetimeMs: CODE_LIFETIME_MS,
  })
  if (!isQueued)
    throw new AppError('unavailable', {
      message: 'Too many e-mails are waiting to be sent. Try again later.',
    })
  return { token }
}

/**
 * Sets the e-mail address of the actor, once its code is known. The earlier address is notified, and links that were sent to it stop
 * working. Guesses are counted by account; those of others at its password do not keep its owner out of a browser that is known to it.
 * @param input.deviceToken the token by which the browser may be known; null without one
 * @throws AppError `invalid_request` naming `token` or `code`, `rate_limited`
 */
export async function confirmEmail(
  db: Database,
  ports: Ports,
  actor: Actor,
  input: { readonly token: string; readonly code: string; readonly deviceToken: string | null },
): Promise<(tx: Transaction) => Promise<{ email: string }>> {
  const device = await describeDevice(db.read, ports, actor.id, input.deviceToken)
  const attempt = { username: actor.name, ip: actor.ip, ...device, credential: `email:${actor.id}` }
  await recordFailedAttempt(db, ports, attempt)
  return async (tx) => {
    const pending = await findOneTimeToken<PendingEmail>(tx, ports, PURPOSE, input.token)
    if (pending?.accountId !== actor.id)
      throw invalidRequest({ field: 'token', message: 'has expired or was already used: start again' })
    const { email, codeHash } = pending.data
    if (!timingSafeEqual(Buffer.from(hashCode(ports, input.code)), Buffer.from(codeHash)))
      throw invalidRequest({ field: 'code', message: 'is not correct' })
    await takeOneTimeToken(tx, ports, PURPOSE, input.token)
    await markAttemptsSucceeded(tx, attempt)
    await storeEmail(tx, ports, actor, email)
    return { email }
  }
}

/** Removes the e-mail address of the actor. @throws AppError `not_found` without one */
export async function removeEmail(tx: Transaction, ports: Ports, actor: Actor) {
  await storeEmail(tx, ports, actor, null)
  return { email: null }
}

async function storeEmail(tx: Transaction, ports: Ports, actor: Actor, email: string | null): Promise<void> {
  const before = (await findAccount(tx, actor.id))?.email ?? null
  if (before === null && email === null) throw new AppError('not_found')
  await revokeOneTimeTokens(tx, actor.id, PURPOSE)
  await revokeOneTimeTokens(tx, actor.id, PASSWORD_LINK_PURPOSE)
  if (before !== null)
    await queueNotice(
      tx,
      ports,
      actor.id,
      { event: email === null ? 'email_removed' : 'email_changed' },
      before,
    )
  await tx.run(updateEmail, {
    id: actor.id,
    email,
    emailKey: email === null ? null : email.toLowerCase(),
    now: ports.now(),
  })
  // The audit log cannot forget, so it does not contain the address.
  await appendAuditEntry(tx, ports, actor, {
    action: email === null ? 'accounts.remove_email' : 'accounts.set_email',
    target: { kind: 'account', id: actor.id },
    chain: INSTANCE_CHAIN,
  })
}
