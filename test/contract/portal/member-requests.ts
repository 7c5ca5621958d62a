import type { Instance, TestResponse } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

export const PATH = '/portal/api/members'

type WorkspaceFixture = Pick<Awaited<ReturnType<Instance['workspace']>>, 'id' | 'ownerSession'>

/** The portal's calls about the members of one workspace, as its owner where no other session is given. */
export function createMemberRequests(instance: Instance, workspace: WorkspaceFixture) {
  const toPath = (query: Record<string, string> = {}, id = workspace.id) =>
    `${PATH}?${new URLSearchParams({ workspaceId: id, ...query })}`
  const read = (query: Record<string, string> = {}, session = workspace.ownerSession) =>
    instance.request('GET', toPath(query), { session })
  const write = (method: string, body: object, session = workspace.ownerSession) =>
    instance.request(method, PATH, { session, body: { workspaceId: workspace.id, ...body } })
  const remove = (accountId: string, session = workspace.ownerSession) =>
    instance.request('DELETE', toPath({ accountId }), { session })
  /** Whether an account gets in: the gate asks for membership before all else. */
  const readGateReason = async (session: string) =>
    (await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, { session })).body
      .reason ?? 'let in'
  const expectRejected = (sendRequest: () => Promise<TestResponse>) =>
    expectRejectedUnchanged(instance, sendRequest)

  return { toPath, read, write, remove, readGateReason, expectRejected }
}
