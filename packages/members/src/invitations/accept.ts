import {
  actorForAccount,
  clearFailedAttempts,
  createAccount,
  createSession,
  endSessionByToken,
  hashPassword,
  recordFailedAttempt,
} from '@reeve/auth'
import { type Actor, forbidden, type Ports } from '@reeve/core'
import { type AccountTable, type Database, insertMember, type Transaction } from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { assignRoles } from '../assign.ts'
import { recordChange as toldMember } from '../change.ts'
import { requireMember } from '../read.ts'
import { recordChange } from './create.ts'
import {
  invitationNotFound,
  type OpenInvitation,
  presentToInvitee,
  requireOpenInvitation,
} from './invitation.ts'
import { consumeInvitation } from './pending.ts'

/** Guesses at tokens belong to no account; they are counted by where they come from. */
const toLoginAttempt = (actor: Actor) => ({ username: '', ip: actor.ip })

/**
 * Reads the invitation of a token, for whoever holds it.
 * @param actor nobody yet, with an address
 * @throws AppError `not_found` as `openInvitation`, `rate_limited`
 */
export async function readInvitation(db: Database, ports: Ports, actor: Actor, token: string) {
  return { invitation: presentToInvitee(await requireInvitation(db, ports, actor, token)) }
}

/** The invitation of a token that a stranger brings. A wrong one counts as a guess. */
async function requireInvitation(
  db: Database,
  ports: Ports,
  actor: Actor,
  token: string,
): Promise<OpenInvitation> {
  const attempt = toLoginAttempt(actor)
  await recordFailedAttempt(db, ports, attempt)
  const invitation = await requireOpenInvitation(db.read, ports, token)
  await db.write((tx) => clearFailedAttempts(tx, attempt))
  return invitation
}

/**
 * Makes the signed-in account a member, with the roles that the invitation gives at this moment. It can be accepted once.
 * @throws AppError `not_found` as `openInvitation`; `forbidden` (`workspace_archived`); `conflict` for a member
 */
export async function acceptInvitation(tx: Transaction, ports: Ports, actor: Actor, token: string) {
  const invitation = await requireOpenInvitation(tx, ports, token)
  assertWorkspaceActive(invitation)
  const { workspaceId, groupName, id, roles, skippedRoleIds, invitedBy } = invitation
  const memberKey = { workspaceId, accountId: actor.id }
  await uniqueViolationToConflict(
    tx.run(insertMember, { ...memberKey, now: ports.now() }),
    `You are a member of ${groupName} already.`,
  )
  await assignRoles(tx, memberKey, roles)
  if (!(await consumeInvitation(tx, { workspaceId, id }))) throw invitationNotFound()
  const memberActor = { ...actor, workspaceId }
  const { member } = await toldMember(
    tx,
    ports,
    memberActor,
    'join',
    null,
    await requireMember(tx, memberActor, actor.id),
  )
  await recordChange(tx, ports, memberActor, 'accept', {
    id,
    after: { accountId: actor.id, invitedBy, leftOut: skippedRoleIds },
  })
  return { workspace: { id: workspaceId, groupName }, member }
}

/** An archived workspace is not changed; the invitation holds on until it is taken back into use. */
function assertWorkspaceActive({ isArchived, groupName }: OpenInvitation): void {
  if (!isArchived) return
  throw forbidden(
    'workspace_archived',
    `${groupName} is archived at present; the invitation can be accepted once it is taken back into use.`,
  )
}

export interface SignUpInput {
  readonly token: string
  readonly username: string
  readonly password: string
  /** The session that the browser came with; it ends. */
  readonly previousSessionToken: string | undefined
  readonly userAgent: string
}

/**
 * Makes an account for whoever holds an invitation, signed in, and accepts it for them.
 * @returns the answer's parts, and the token of the new session
 * @throws AppError as `accept`; `conflict` for a taken username; `rate_limited`
 */
export async function signUpWithInvitation(db: Database, ports: Ports, actor: Actor, input: SignUpInput) {
  assertWorkspaceActive(await requireInvitation(db, ports, actor, input.token))
  const passwordHash = await hashPassword(input.password)
  return db.write(async (tx) => {
    const account: AccountTable = await createAccount(tx, ports, actor, {
      username: input.username,
      passwordHash,
      isOperator: false,
    })
    const membership = await acceptInvitation(tx, ports, actorForAccount(actor, account), input.token)
    if (input.previousSessionToken) await endSessionByToken(tx, input.previousSessionToken)
    const { ip } = actor
    const sessionToken = await createSession(tx, ports, account.id, { ip: ip, userAgent: input.userAgent })
    return { account, membership, sessionToken }
  })
}
