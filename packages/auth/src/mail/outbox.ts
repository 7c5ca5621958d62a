import { DAY_MS, HOUR_MS, MINUTE_MS, type Ports } from '@reeve/core'
import { decryptSecret, encryptSecret, reencryptSecret, type SecretUse } from '@reeve/core/keys'
import {
  type Database,
  insertAll,
  type MailTable,
  type Queries,
  runInSlices,
  statement,
  type Transaction,
} from '@reeve/db'
import type { MailContent, MailKind, PasswordResetRequest } from './content.ts'

/** More mails than this wait only if the mail server is down for long; further ones are dropped, so that nobody can fill the database. */
const MAX_WAITING = 5000
/** How long a process may take for a mail before another one takes it over; longer than all timeouts of a delivery together. */
const LEASE_MS = 5 * MINUTE_MS
/** Further in the future, no mail is ever due: the clock was set back. */
const MAX_AHEAD_MS = 2 * HOUR_MS
/** How long the row of a mail that was sent or given up stays. */
const MAIL_RETENTION_MS = DAY_MS

const waitingAt = statement<{ offset: number }>()((sql, p) =>
  sql
    .selectFrom('mail')
    .select('id')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .offset(p.offset)
    .limit(1),
)
const waitingCount = statement()((sql) =>
  sql
    .selectFrom('mail')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('due_at', 'is not', null),
)
const insertMail = statement<MailTable>()((sql, p) => insertAll(sql, 'mail', p))
/** Requests first, which take no delivery: those that wait for the mail server must not hold them up. */
const nextDue = statement<{ now: number; farAhead: number; request: string }>()((sql, p) =>
  sql
    .selectFrom('mail')
    .selectAll()
    .where('due_at', 'is not', null)
    .where((eb) => eb.or([eb('due_at', '<=', p.now), eb('due_at', '>', p.farAhead)]))
    .orderBy((eb) => eb.case().when('kind', '=', p.request).then(0).else(1).end())
    .orderBy('due_at')
    .limit(1),
)
/** Updates no row if another process was faster. */
const updateClaimed = statement<{ id: string; dueAt: number; leasedUntil: number }>()((sql, p) =>
  sql
    .updateTable('mail')
    .set((eb) => ({ due_at: p.leasedUntil, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', p.id)
    .where('due_at', '=', p.dueAt),
)
const updatePostponed = statement<{ id: string; dueAt: number; problem: string }>()((sql, p) =>
  sql.updateTable('mail').set({ due_at: p.dueAt, problem: p.problem }).where('id', '=', p.id),
)
const updateEnded = statement<{ id: string; now: number; problem: string | null }>()((sql, p) =>
  sql
    .updateTable('mail')
    .set({ due_at: null, ended_at: p.now, problem: p.problem, content: '' })
    .where('id', '=', p.id),
)
const deleteMail = statement<{ id: string }>()((sql, p) => sql.deleteFrom('mail').where('id', '=', p.id))
const recentMails = statement<{ accountId: string; kind: string; since: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('mail')
    .select('id')
    .where('account_id', '=', p.accountId)
    .where('kind', '=', p.kind)
    .where('created_at', '>', p.since)
    .limit(p.limit),
)
const addressOfAccount = statement<{ id: string }>()((sql, p) =>
  sql
    .selectFrom('account')
    .select(['email', 'username'])
    .where('id', '=', p.id)
    .where('disabled_at', 'is', null),
)
const waitingMails = statement<{ limit: number }>()((sql, p) =>
  sql
    .selectFrom('mail')
    .select(['created_at', 'problem'])
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(p.limit),
)
const failedMails = statement<{ since: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('mail')
    .select('problem')
    .where('ended_at', '>', p.since)
    .where('problem', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(p.limit),
)
const deleteEnded = statement<{ before: number; limit: number }>({ isCommutative: true })((sql, p) =>
  sql
    .deleteFrom('mail')
    .where('id', 'in', (eb) =>
      eb.selectFrom('mail').select('id').where('ended_at', '<=', p.before).orderBy('ended_at').limit(p.limit),
    ),
)
/** Of an instance that has no mail server any more. */
const deleteAbandoned = statement<{ before: number; limit: number }>({ isCommutative: true })((sql, p) =>
  sql
    .deleteFrom('mail')
    .where('id', 'in', (eb) =>
      eb.selectFrom('mail').select('id').where('due_at', '<=', p.before).orderBy('due_at').limit(p.limit),
    ),
)

/** A mail to send, or a request that is answered with mails. */
export interface QueuedMail {
  /** Whom it is about; null where the account is not known yet. */
  readonly accountId: string | null
  /** The recipient; null for the address that the account has when the mail is sent. */
  readonly to: string | null
  readonly content: MailContent | PasswordResetRequest
  /** After that, the mail is given up. */
  readonly lifetimeMs: number
}

const getSecretUse = (id: string): SecretUse => ({ purpose: 'mail', context: `mail:${id}` })

/**
 * Queues a mail, which is sent in the background once the transaction is committed.
 * @returns false if too many mails are waiting; it is dropped then
 */
export async function queueMail(
  tx: Transaction,
  ports: Ports,
  { accountId, to, content, lifetimeMs }: QueuedMail,
): Promise<boolean> {
  if (await tx.first(waitingAt, { offset: MAX_WAITING - 1 })) return false
  const id = ports.newId()
  const now = ports.now()
  await tx.run(insertMail, {
    id,
    account_id: accountId,
    kind: content.kind,
    content: encryptSecret(ports, getSecretUse(id), JSON.stringify({ to, content })),
    attempts: 0,
    created_at: now,
    expires_at: now + lifetimeMs,
    due_at: now,
    ended_at: null,
    problem: null,
  })
  return true
}

/** A mail that this process has to send now. */
export interface ClaimedMail extends Omit<QueuedMail, 'lifetimeMs'> {
  readonly id: string
  /** How often it was tried before. */
  readonly failures: number
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
}

/**
 * Takes the next mail that is due. Of several processes, only one gets it; if that process is killed, another one gets it later.
 * @returns null if none is due
 * @throws SecretDecryptionError if the mail was changed in the database; it is given up then
 */
export async function claimMail(db: Database, ports: Ports): Promise<ClaimedMail | null> {
  const now = ports.now()
  const due = { now, farAhead: now + MAX_AHEAD_MS, request: 'password_reset' }
  // Most of the time there is none, and reading takes no turn among the writes.
  if (!(await db.read.first(nextDue, due))) return null
  const row = await db.write(async (tx) => {
    const next = await tx.first(nextDue, due)
    if (!next || next.due_at === null) return null
    const claim = { id: next.id, dueAt: next.due_at, leasedUntil: now + LEASE_MS }
    return (await tx.run(updateClaimed, claim)) > 0 ? next : null
  })
  return row === null ? null : decryptMail(db, ports, row)
}

async function decryptMail(db: Database, ports: Ports, row: MailTable): Promise<ClaimedMail> {
  try {
    const text = decryptSecret(ports, getSecretUse(row.id), row.content)
    const { to, content } = JSON.parse(text) as Pick<QueuedMail, 'to' | 'content'>
    const { id, account_id: accountId, attempts, created_at: createdAt, expires_at: expiresAt } = row
    return { id, accountId, to, content, failures: attempts, createdAt, expiresAt }
  } catch (error) {
    await endMail(db, ports, row.id, 'the mail was encrypted with another key')
    throw error
  }
}

/** Notes that a mail was sent, or that it is given up. @param problem why; null if it was sent */
export const endMail = (db: Database, ports: Ports, id: string, problem: string | null): Promise<number> =>
  db.write((tx) => tx.run(updateEnded, { id, now: ports.now(), problem }))

/** Tries a mail again later. */
export const postponeMail = (
  db: Database,
  ports: Ports,
  id: string,
  { delayMs, problem }: { readonly delayMs: number; readonly problem: string },
): Promise<number> => db.write((tx) => tx.run(updatePostponed, { id, dueAt: ports.now() + delayMs, problem }))

/** Deletes a request that was answered. @returns whether it was still there */
export const takeRequest = async (tx: Transaction, id: string): Promise<boolean> =>
  (await tx.run(deleteMail, { id })) > 0

/** Whether an account was sent as many mails of a kind as it may be in a time. */
export const hasManyMails = async (
  db: Queries,
  ports: Ports,
  { accountId, kind }: { readonly accountId: string; readonly kind: MailKind },
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
): Promise<boolean> => {
  const since = ports.now() - windowMs
  return (await db.all(recentMails, { accountId, kind, since, limit: max })).length >= max
}

/** The confirmed address of an account that is not disabled, and its username; null without one. */
export async function findMailAddress(db: Queries, accountId: string) {
  const account = await db.first(addressOfAccount, { id: accountId })
  return account === undefined || account.email === null
    ? null
    : { email: account.email, username: account.username }
}

/** How many mails wait to be sent. */
export const countWaitingMails = async (db: Queries): Promise<number> =>
  (await db.first(waitingCount, {}))?.count ?? 0

/** The state of the queue: how many mails wait, since when, and why those of the last day were given up. */
export async function readMailQueue(db: Queries, now: number) {
  const waiting = await db.all(waitingMails, { limit: MAX_WAITING })
  const failed = await db.all(failedMails, { since: now - MAIL_RETENTION_MS, limit: MAX_WAITING })
  return {
    waiting: waiting.length,
    oldest: waiting.reduce<number | null>(
      (oldest, row) => Math.min(oldest ?? row.created_at, row.created_at),
      null,
    ),
    problem: waiting.find((row) => row.problem !== null)?.problem ?? failed[0]?.problem ?? null,
    failed: failed.length,
  }
}

/** Deletes the rows of mails that were sent or given up more than a day ago, and those that no process has sent. */
export async function deleteOldMails(db: Database, ports: Ports, signal?: AbortSignal): Promise<void> {
  const before = ports.now() - MAIL_RETENTION_MS
  await runInSlices(db, deleteEnded, { before }, signal)
  await runInSlices(db, deleteAbandoned, { before }, signal)
}

const waitingContents = statement<{ limit: number }>()((sql, p) =>
  sql.selectFrom('mail').select(['id', 'content']).where('due_at', 'is not', null).limit(p.limit),
)
const updateContent = statement<{ id: string; content: string }>()((sql, p) =>
  sql.updateTable('mail').set({ content: p.content }).where('id', '=', p.id),
)

/** Encrypts the mails that wait with another key. */
export async function reencryptMails(tx: Transaction, from: Ports, to: Ports): Promise<void> {
  for (const { id, content } of await tx.all(waitingContents, { limit: MAX_WAITING })) {
    await tx.run(updateContent, { id, content: reencryptSecret(from, to, getSecretUse(id), content) })
  }
}
