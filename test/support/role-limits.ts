import type { TestServer } from './server.ts'

/** Limits what the members of a role may do, as `PATCH /portal/api/roles` takes it. */
export async function limitRole(
  server: TestServer,
  { workspaceId, session }: { readonly workspaceId: string; readonly session: string },
  roleName: string,
  limits: Readonly<Record<string, string>>,
): Promise<void> {
  const { body } = await server.requestOk('GET', `/portal/api/roles?workspaceId=${workspaceId}`, { session })
  const role = body.roles.find(({ name }: { name: string }) => name === roleName)
  await server.requestOk('PATCH', '/portal/api/roles', {
    session,
    body: { workspaceId, id: role.id, ...limits },
  })
}
