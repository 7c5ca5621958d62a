import {
  asAccount,
  beginSession,
  createAccount,
  endSessionOfToken,
  forgive,
  hashPassword,
  takeAttempt,
} from '@reeve/auth'
import { type Actor, forbidden, type Ports } from '@reeve/core'
import { type AccountTable, type Database, insertMember, type Transaction } from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { giveRoles } from './assign.ts'
import { told as toldMember } from './change.ts'
import { noSuchInvitation, type OpenInvitation, openInvitation, shownToInvited } from './invitation.ts'
import { told } from './invite.ts'
import { memberById } from './read.ts'
import { useUp } from './waiting.ts'

/** Guesses at tokens belong to no account; they are counted by where they come from. */
const guessFrom = (actor: Actor) => ({ name: '', address: actor.ip })

/**
 * Reads the invitation of a token, for whoever holds it.
 * @param actor nobody yet, with an address
 * @throws AppError `not_found` as `openInvitation`, `rate_limited`
 */
export async function readInvitation(db: Database, ports: Ports, actor: Actor, token: string) {
  return { invitation: shownToInvited(await found(db, ports, actor, token)) }
}

/** The invitation of a token that a stranger brings. A wrong one counts as a guess. */
async function found(db: Database, ports: Ports, actor: Actor, token: string): Promise<OpenInvitation> {
  const guess = guessFrom(actor)
  await takeAttempt(db, ports, guess)
  const invitation = await openInvitation(db.read, ports, token)
  await db.write((tx) => forgive(tx, guess))
  return invitation
}

/**
 * Makes the signed-in account a member, with the roles that the invitation gives at this moment. It can be accepted once.
 * @throws AppError `not_found` as `openInvitation`; `forbidden` (`workspace_archived`); `conflict` for a member
 */
export async function accept(tx: Transaction, ports: Ports, actor: Actor, token: string) {
  const invitation = await openInvitation(tx, ports, token)
  needInUse(invitation)
  const { workspaceId, groupName, id, roles, leftOut, invitedBy } = invitation
  const place = { workspaceId, accountId: actor.id }
  await uniqueViolationToConflict(
    tx.run(insertMember, { ...place, now: ports.now() }),
    `You are a member of ${groupName} already.`,
  )
  await giveRoles(tx, place, roles)
  if (!(await useUp(tx, { workspaceId, id }))) throw noSuchInvitation()
  const self = { ...actor, workspaceId }
  const { member } = await toldMember(tx, ports, self, 'join', null, await memberById(tx, self, actor.id))
  await told(tx, ports, self, 'accept', { id, after: { accountId: actor.id, invitedBy, leftOut } })
  return { workspace: { id: workspaceId, groupName }, member }
}

/** An archived workspace is not changed; the invitation holds on until it is taken back into use. */
function needInUse({ isArchived, groupName }: OpenInvitation): void {
  if (!isArchived) return
  throw forbidden(
    'workspace_archived',
    `${groupName} is archived at present; the invitation can be accepted once it is taken back into use.`,
  )
}

export interface SignUp {
  readonly token: string
  readonly username: string
  readonly password: string
  /** The session that the browser came with; it ends. */
  readonly presented: string | undefined
  readonly userAgent: string
}

/**
 * Makes an account for whoever holds an invitation, signed in, and accepts it for them.
 * @returns the answer's parts, and the token of the new session
 * @throws AppError as `accept`; `conflict` for a taken username; `rate_limited`
 */
export async function signUp(db: Database, ports: Ports, actor: Actor, input: SignUp) {
  needInUse(await found(db, ports, actor, input.token))
  const passwordHash = await hashPassword(input.password)
  return db.write(async (tx) => {
    const account: AccountTable = await createAccount(tx, ports, actor, {
      username: input.username,
      passwordHash,
      isOperator: false,
    })
    const joined = await accept(tx, ports, asAccount(actor, account), input.token)
    if (input.presented) await endSessionOfToken(tx, input.presented)
    const { ip } = actor
    const session = await beginSession(tx, ports, account.id, { address: ip, userAgent: input.userAgent })
    return { account, joined, session }
  })
}
