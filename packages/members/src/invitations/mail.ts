import { hasManyMails, queueMail, type Settings } from '@reeve/auth'
import { type Actor, AppError, DAY_MS, formatRetryAfter, invalidRequest, type Ports } from '@reeve/core'
import { type InvitationTable, statement, type Transaction } from '@reeve/db'

const groupName = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('group_name').where('id', '=', p.workspaceId),
)

/** Mails with links that an account may have sent, so that nobody sends spam in the name of the instance. */
const LINKS_PER_DAY = { max: 20, windowMs: DAY_MS }
/** Mails about invitations that an account gets; it sees all of them in the portal. */
const RECEIVED_PER_DAY = { max: 5, windowMs: DAY_MS }

interface SentInvitation {
  readonly row: InvitationTable
  /** Of a link; null for an invitation to a username. */
  readonly token: string | null
  /** The address to send the link to; null if it is passed on in another way. */
  readonly email: string | null
}

/**
 * Queues the mail about a new invitation. For one to a username, this takes the same steps whether or not there is such an account: who
 * has one, and an address, is looked up when the mail is sent.
 * @throws AppError `invalid_request` naming `email`, `rate_limited`
 */
export async function queueInvitationMail(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { sendsMail }: Pick<Settings, 'sendsMail'>,
  { row, token, email }: SentInvitation,
): Promise<void> {
  if (email !== null && token === null)
    throw invalidRequest({ field: 'email', message: 'contradicts username: send one of them' })
  if (email !== null && !sendsMail)
    throw invalidRequest({ field: 'email', message: 'cannot be used: this instance sends no e-mails' })
  if (!sendsMail || (token !== null && email === null)) return
  const accountId = email === null ? row.invitee_id : actor.id
  const kind = email === null ? 'invitation' : 'invitation_link'
  const limit = email === null ? RECEIVED_PER_DAY : LINKS_PER_DAY
  // Counted for nobody's account, too, so that it takes as long.
  const counted = { accountId: accountId ?? row.id, kind } as const
  if (await hasManyMails(tx, ports, counted, limit)) {
    if (email === null) return
    throw new AppError('rate_limited', {
      message: `Too many invitations were sent by e-mail today. Pass the link on in another way. ${formatRetryAfter(DAY_MS / 1000)}`,
      headers: { 'retry-after': String(DAY_MS / 1000) },
    })
  }
  const workspace = await tx.first(groupName, { workspaceId: row.workspace_id })
  await queueMail(tx, ports, {
    accountId,
    to: email,
    content: {
      kind,
      groupName: workspace?.group_name ?? '',
      invitedBy: actor.name,
      token,
      expiresAt: row.expires_at,
    },
    lifetimeMs: Math.min(DAY_MS, row.expires_at - row.created_at),
  })
}
