import type { TestServer } from './server.ts'

/** A workspace, and who acts in it. */
export interface WorkspaceRef {
  readonly workspaceId: string
  readonly session: string
}

export async function createWebhook(
  server: TestServer,
  { workspaceId, session }: WorkspaceRef,
  name: string,
): Promise<string> {
  const body = { workspaceId, name, url: 'https://example.com/', events: 'ban.created' }
  return (await server.requestOk('POST', '/api/webhooks', { session, body })).body.webhook.id
}

/** A member whose role only they have, who manages webhooks and has created two. */
export async function createWebhookLead(server: TestServer, owner: WorkspaceRef, username: string) {
  const session = await server.createMember(owner, username, ['webhooks.manage', 'moderation.view'])
  const member = { workspaceId: owner.workspaceId, session }
  return {
    session,
    role: `Role of ${username}`,
    log: await createWebhook(server, member, `Log of ${username}`),
    bot: await createWebhook(server, member, `Bot of ${username}`),
  }
}

export async function readWebhookState(
  server: TestServer,
  { workspaceId, session }: WorkspaceRef,
  id: string,
): Promise<string> {
  const query = new URLSearchParams({ workspaceId, id })
  return (await server.requestOk('GET', `/api/webhooks?${query}`, { session })).body.webhook.state
}
