import type { Permission } from '@reeve/core'
import type { Instance, TestResponse } from '../../support/instance.ts'

export const PATH = '/portal/api/api-keys'

/** In milliseconds. */
export const DAY = 24 * 3_600_000

export type WorkspaceFixture = Pick<Awaited<ReturnType<Instance['workspace']>>, 'id' | 'ownerSession'>

/** The portal's calls about the keys of one workspace, as its owner where no other session is given. */
export const createApiKeyRequests = (instance: Instance, workspace: WorkspaceFixture) => ({
  create: (fields: object = {}, session = workspace.ownerSession): Promise<TestResponse> =>
    instance.request('POST', PATH, {
      session,
      body: { workspaceId: workspace.id, name: 'Main server', permissions: 'departments.view', ...fields },
    }),
  list: async (query = '') =>
    (
      await instance.request('GET', `${PATH}?workspaceId=${workspace.id}${query}`, {
        session: workspace.ownerSession,
      })
    ).body,
  change: (
    action: 'revoke' | 'rotate',
    id: string,
    fields: object = {},
    session = workspace.ownerSession,
  ): Promise<TestResponse> =>
    instance.request('POST', `${PATH}/${action}`, {
      session,
      body: { workspaceId: workspace.id, id, ...fields },
    }),
  /** A member who manages keys, and may do so much besides. */
  createKeyManager: (permissionSet: readonly Permission[], rank = 10) =>
    instance.member(workspace.id, ['api_keys.manage', ...permissionSet], rank),
  /** Makes a call with a key that has `departments.view`. */
  requestWithKey: (key: string, from?: string): Promise<TestResponse> =>
    instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, {
      key,
      ...(from ? { from } : {}),
    }),
})

export const formatOutcome = ({ status, body }: TestResponse) => [status, body.reason ?? body.code]
