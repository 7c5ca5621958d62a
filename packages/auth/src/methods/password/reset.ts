import { type Actor, AppError, anonymousActor, DAY_MS, HOUR_MS, normalizeName, type Ports } from '@reeve/core'
import { type Database, statement, type Transaction } from '@reeve/db'
import type { MailKind, PasswordResetRequest } from '../../mail/content.ts'
import { hasManyMails, queueMail, takeRequest } from '../../mail/outbox.ts'
import type { Settings } from '../../settings.ts'
import { countAnonymousStart } from '../../throttle/attempts.ts'
import { issuePasswordLink, PASSWORD_LINK_LIFETIME_MS } from './link.ts'

/** Accounts that have the same address. */
const MAX_ACCOUNTS = 5

const columns = ['id', 'username', 'email', 'password_hash'] as const

const accountByUsername = statement<{ usernameKey: string }>()((sql, p) =>
  sql
    .selectFrom('account')
    .select(columns)
    .where('username_key', '=', p.usernameKey)
    .where('email', 'is not', null)
    .where('disabled_at', 'is', null),
)
const accountsByEmail = statement<{ emailKey: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('account')
    .select(columns)
    .where('email_key', '=', p.emailKey)
    .where('disabled_at', 'is', null)
    .limit(p.limit),
)

/** How many links an account is sent, so that strangers cannot flood somebody with mails. */
const LIMITS = [
  { max: 3, windowMs: HOUR_MS },
  { max: 10, windowMs: DAY_MS },
] as const

/**
 * Notes that somebody wants a link to set a password. Who they are is looked up later, in the background, so that neither the response
 * nor its time reveals whether an account exists or has an address.
 * @param actor the anonymous caller, with IP address and request id
 * @param login a username or an e-mail address
 * @throws AppError `not_found` if the instance sends no mails, `rate_limited`
 */
export async function requestPasswordReset(
  db: Database,
  ports: Ports,
  { sendsMail }: Pick<Settings, 'sendsMail'>,
  actor: Actor,
  login: string,
): Promise<void> {
  if (!sendsMail)
    throw new AppError('not_found', {
      message: 'This instance sends no e-mails. Ask an operator for a link to set a new password.',
    })
  await countAnonymousStart(db, ports, actor.ip)
  const { ip, requestId } = actor
  await db.write((tx) =>
    queueMail(tx, ports, {
      accountId: null,
      to: null,
      content: { kind: 'password_reset', login, ip, requestId },
      lifetimeMs: PASSWORD_LINK_LIFETIME_MS,
    }),
  )
}

/** Answers a request for a link, with a mail for each account that has the name or the address. */
export async function answerPasswordReset(
  tx: Transaction,
  ports: Ports,
  id: string,
  { login, ip, requestId }: PasswordResetRequest,
): Promise<void> {
  if (!(await takeRequest(tx, id))) return
  // A username can be the address of somebody else, who must not go without a link for that.
  const named = await tx.all(accountByUsername, { usernameKey: normalizeName(login) })
  const addressed = await tx.all(accountsByEmail, {
    emailKey: login.trim().toLowerCase(),
    limit: MAX_ACCOUNTS,
  })
  const accounts = new Map([...named, ...addressed].map((account) => [account.id, account]))
  for (const { id: accountId, username, email, password_hash } of accounts.values()) {
    const kind = password_hash === null ? 'no_password' : 'password_link'
    if (await isOverLimit(tx, ports, { accountId, kind })) continue
    const content =
      kind === 'no_password'
        ? ({ kind, username } as const)
        : await createLinkMail(tx, ports, { ...anonymousActor, ip, requestId }, { id: accountId, username })
    await queueMail(tx, ports, { accountId, to: email, content, lifetimeMs: PASSWORD_LINK_LIFETIME_MS })
  }
}

async function isOverLimit(
  tx: Transaction,
  ports: Ports,
  mails: { readonly accountId: string; readonly kind: MailKind },
): Promise<boolean> {
  for (const limit of LIMITS) if (await hasManyMails(tx, ports, mails, limit)) return true
  return false
}

async function createLinkMail(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { id, username }: { readonly id: string; readonly username: string },
) {
  const { token } = await issuePasswordLink(tx, ports, actor, id)
  const expiresAt = ports.now() + PASSWORD_LINK_LIFETIME_MS
  return { kind: 'password_link', username, token, expiresAt } as const
}
