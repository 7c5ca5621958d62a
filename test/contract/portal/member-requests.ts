import type { Instance, TestResponse } from '../../support/instance.ts'
import { expectRejectedUnchanged } from '../../support/stored-rows.ts'

export const PATH = '/portal/api/members'

type WorkspaceFixture = Pick<Awaited<ReturnType<Instance['workspace']>>, 'id' | 'ownerSession'>

/** Portal requests for the members of a workspace, as its owner by default. */
export function createMemberRequests(instance: Instance, workspace: WorkspaceFixture) {
  const toPath = (query: Record<string, string> = {}, id = workspace.id) =>
    `${PATH}?${new URLSearchParams({ workspaceId: id, ...query })}`
  const read = (query: Record<string, string> = {}, session = workspace.ownerSession) =>
    instance.request('GET', toPath(query), { session })
  const write = (method: string, body: object, session = workspace.ownerSession) =>
    instance.request(method, PATH, { session, body: { workspaceId: workspace.id, ...body } })
  const remove = (accountId: string, session = workspace.ownerSession) =>
    instance.request('DELETE', toPath({ accountId }), { session })
  /** The reason why the gate refuses a request of this session, or `accepted`. */
  const readGateReason = async (session: string) =>
    (await instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, { session })).body
      .reason ?? 'accepted'
  const expectRejected = (sendRequest: () => Promise<TestResponse>) =>
    expectRejectedUnchanged(instance, sendRequest)

  return { toPath, read, write, remove, readGateReason, expectRejected }
}
