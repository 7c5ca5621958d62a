import {
  actorForAccount,
  createAccount,
  deleteFailedAttempts,
  hashNewPassword,
  hashToken,
  type LoginAttempt,
  markAttemptsSucceeded,
  recordFailedAttempt,
  restrictKeys,
  type SignInStep,
  type VerifiedAccount,
} from '@reeve/auth'
import { type Actor, forbidden, type Ports, requireFields } from '@reeve/core'
import { type Database, insertMember, type Transaction } from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { assignRoles } from '../assign.ts'
import { recordChange as recordMemberChange } from '../change.ts'
import { requireMember } from '../read.ts'
import {
  invitationNotFound,
  type OpenInvitation,
  presentToInvitee,
  recordChange,
  requireOpenInvitation,
  requireReceivedInvitation,
} from './invitation.ts'
import type { AcceptInput } from './model.ts'
import { consumeInvitation, withdrawReceivedInvitations } from './pending.ts'

/** An invitation token belongs to no account, so attempts are throttled by IP address. */
const toLoginAttempt = (actor: Actor): LoginAttempt => ({ username: '', ip: actor.ip })

/**
 * Reads the invitation of a token, for anyone who has its link.
 * @param actor the anonymous caller, with IP address
 * @throws AppError `not_found` as `requireOpenInvitation`, `rate_limited`
 */
export async function readInvitation(db: Database, ports: Ports, actor: Actor, token: string) {
  const attempt = toLoginAttempt(actor)
  const invitation = await findInvitation(db, ports, attempt, token)
  await db.write((tx) => deleteFailedAttempts(tx, attempt))
  return { invitation: presentToInvitee(invitation) }
}

/** The invitation of a token from an anonymous caller. An unusable token counts as a failed sign-in. */
async function findInvitation(
  db: Database,
  ports: Ports,
  attempt: LoginAttempt,
  token: string,
): Promise<OpenInvitation> {
  await recordFailedAttempt(db, ports, attempt)
  return requireOpenInvitation(db.read, ports, token)
}

/**
 * Makes the signed-in account a member, with the roles that the invitation grants now, deletes the invitation, and
 * withdraws the others of the workspace to the username of the account.
 * API keys that it created as a member before get no more than its rank and its limits now.
 * @param input the token of a link, or the id of an invitation that the account has received
 * @throws AppError `not_found` as `requireOpenInvitation`; `forbidden` (`workspace_archived`); `conflict` for a member
 */
export async function acceptInvitation(tx: Transaction, ports: Ports, actor: Actor, input: AcceptInput) {
  const invitation =
    input.id === undefined
      ? await requireOpenInvitation(tx, ports, requireFields(input, 'token').token)
      : await requireReceivedInvitation(tx, ports, { accountId: actor.id, id: input.id })
  assertWorkspaceActive(invitation)
  const { workspaceId, groupName, id, roles, skippedRoleIds, invitedBy } = invitation
  const memberKey = { workspaceId, accountId: actor.id }
  await uniqueViolationToConflict(
    tx.run(insertMember, { ...memberKey, now: ports.now() }),
    `You are already a member of ${groupName}.`,
  )
  await assignRoles(tx, ports, memberKey, roles)
  if (!(await consumeInvitation(tx, { workspaceId, id }))) throw invitationNotFound()
  const memberActor = { ...actor, workspaceId }
  const { member } = await recordMemberChange(
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
  await withdrawReceivedInvitations(tx, ports, memberActor, actor.id)
  // A former member may have left keys of a higher rank and with wider limits.
  await restrictKeys(tx, ports, memberActor, actor.id)
  return { workspace: { id: workspaceId, groupName }, member }
}

/** The invitation of an archived workspace stays valid until the workspace is restored. */
function assertWorkspaceActive({ isArchived, groupName }: OpenInvitation): void {
  if (!isArchived) return
  throw forbidden(
    'workspace_archived',
    `${groupName} is archived. You can accept the invitation once the workspace is restored.`,
  )
}

export interface SignUpInput {
  readonly token: string
  readonly username: string
  readonly password: string
}

/**
 * Creates an account for an invitation and accepts the invitation with it.
 * @returns the step for `establishSession`, which yields the account and the parts of the response
 * @throws AppError `not_found` as `requireOpenInvitation`, `rate_limited`, `forbidden` (`workspace_archived`), `conflict`
 *   for a taken username; in the step as `acceptInvitation`, and `conflict`
 */
export async function signUpWithInvitation(
  db: Database,
  ports: Ports,
  actor: Actor,
  { token, username, password }: SignUpInput,
): Promise<SignInStep<VerifiedAccount & { membership: Awaited<ReturnType<typeof acceptInvitation>> }>> {
  // Each attempt may cost a hash, so attempts are counted by link as well.
  const attempt = { ...toLoginAttempt(actor), credential: hashToken(token) }
  const invitation = await findInvitation(db, ports, attempt, token)
  await db.write((tx) => markAttemptsSucceeded(tx, attempt))
  assertWorkspaceActive(invitation)
  const passwordHash = await hashNewPassword(db, { username, password })
  return async (tx) => {
    const account = await createAccount(tx, ports, actor, { username, passwordHash, isOperator: false })
    const membership = await acceptInvitation(tx, ports, actorForAccount(actor, account), { token })
    return { account, factors: ['password'], membership }
  }
}
