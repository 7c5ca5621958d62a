import { findAccountByUsername } from '@reeve/auth'
import type { Instance } from './instance.ts'

/** Invites an existing account to a workspace by its username, and accepts for it. @returns the presented member */
export async function joinWorkspace(
  instance: Instance,
  workspace: { readonly id: string; readonly ownerSession: string },
  { username, roleIds = '' }: { readonly username: string; readonly roleIds?: string },
) {
  const invited = await instance.request('POST', '/portal/api/invitations', {
    session: workspace.ownerSession,
    body: { workspaceId: workspace.id, username, roleIds },
  })
  const account = await findAccountByUsername(instance.db.read, username)
  if (invited.status !== 200 || !account) throw new Error(`${username} was not invited: ${invited.text}`)
  const accepted = await instance.request('POST', '/portal/api/invitation/accept', {
    session: await instance.session(account.id),
    body: { id: invited.body.invitation.id },
  })
  if (accepted.status !== 200) throw new Error(`${username} did not join: ${accepted.text}`)
  return accepted.body.member
}
