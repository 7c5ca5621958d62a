import {
  answerPasswordReset,
  type ClaimedMail,
  claimMail,
  endMail,
  findMailAddress,
  postponeMail,
  renderMail,
} from '@reeve/auth'
import { HOUR_MS, MINUTE_MS, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { Job } from '../jobs/scheduler.ts'
import { DeliveryError, type MailTransport } from './transport.ts'

/** How soon a new mail is sent. */
const POLL_MS = 2000

/** How long to wait after each failed attempt, in milliseconds; the last one is repeated. */
const RETRY_DELAYS_MS = [15_000, MINUTE_MS, 3 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS]

/** A mail that was sent or not, without its recipient and its content. */
export interface MailOutcome {
  readonly result: 'sent' | 'postponed' | 'failed'
  readonly kind: string
  /** This one included. */
  readonly attempts: number
  /** Why it was not sent; null if it was. */
  readonly problem: string | null
}

export interface MailJobOptions {
  readonly db: Database
  readonly ports: Ports
  readonly publicUrl: URL
  readonly transport: MailTransport
  readonly onOutcome: (outcome: MailOutcome) => void
}

/** Sends the mails that wait. Each process does, and each mail is sent by one of them. */
export const createMailJob = (options: MailJobOptions): Job => ({
  name: 'mail',
  intervalMs: POLL_MS,
  runsOn: 'each',
  run: (signal) => sendMails(options, signal),
})

/** Sends mails until none is due, or the server cannot be reached: the others would only wait for it one after another. */
export async function sendMails(options: MailJobOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const mail = await claimMail(options.db, options.ports)
    if (mail === null || !(await handleMail(options, mail, signal))) return
  }
}

/** @returns whether others can be sent */
async function handleMail(options: MailJobOptions, mail: ClaimedMail, signal: AbortSignal): Promise<boolean> {
  const { db, ports } = options
  const { id, content, failures, expiresAt } = mail
  const attempts = failures + 1
  const report = (result: MailOutcome['result'], problem: string | null) =>
    options.onOutcome({ result, kind: content.kind, attempts, problem })
  if (content.kind === 'password_reset') {
    await db.write((tx) => answerPasswordReset(tx, ports, id, content))
    return true
  }
  const to = mail.to ?? (await findRecipient(db, mail))
  if (to === null) {
    await endMail(db, ports, id, null)
    return true
  }
  if (expiresAt <= ports.now()) {
    const problem = 'it could not be sent in time'
    await endMail(db, ports, id, problem)
    report('failed', problem)
    return true
  }
  try {
    await options.transport.send({ id, to, ...renderMail(content, options.publicUrl) }, signal)
  } catch (error) {
    if (signal.aborted) {
      await postponeMail(db, ports, id, { delayMs: 0, problem: 'the server was stopped' })
      return false
    }
    if (!(error instanceof DeliveryError)) throw error
    const delayMs = RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)] ?? HOUR_MS
    const { message, isPermanent, concernsServer } = error
    const isGivenUp = isPermanent || ports.now() + delayMs >= expiresAt
    await (isGivenUp
      ? endMail(db, ports, id, message)
      : postponeMail(db, ports, id, { delayMs, problem: message }))
    report(isGivenUp ? 'failed' : 'postponed', message)
    return !concernsServer
  }
  await endMail(db, ports, id, null)
  report('sent', null)
  return true
}

/** The address that the account has now. An account without one, or that was disabled, gets no mail. */
const findRecipient = async (db: Database, { accountId }: ClaimedMail): Promise<string | null> =>
  accountId === null ? null : ((await findMailAddress(db.read, accountId))?.email ?? null)
