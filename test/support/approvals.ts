import type { Instance } from './instance.ts'

/** Bans a player permanently as a member whose permanent bans need approval. @returns the request, and who requested it */
export async function requestApproval(instance: Instance, workspaceId: string, userId: string) {
  const member = await instance.member(workspaceId, ['moderation.view', 'moderation.ban'], 10, {
    permanentBansNeedApproval: true,
  })
  const { status, body, text } = await instance.request('POST', '/api/moderation', {
    session: member.session,
    body: { workspaceId, action: 'ban', userId, reason: 'Exploiting' },
  })
  if (status !== 200 || !body.approval) throw new Error(`the approval was not requested: ${text}`)
  return { member, record: body.record, approval: body.approval }
}
