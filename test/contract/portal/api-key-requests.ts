import type { Permission } from '@reeve/core'
import type { Instance, TestResponse } from '../../support/instance.ts'

export const PATH = '/portal/api/api-keys'

/** Milliseconds. */
export const DAY = 24 * 3_600_000

export type WorkspaceFixture = Pick<Awaited<ReturnType<Instance['workspace']>>, 'id' | 'ownerSession'>

/** Portal requests for the API keys of a workspace, as its owner by default. */
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
  /** A member with `api_keys.manage` and these permissions. */
  createKeyManager: (permissionSet: readonly Permission[], rank = 10) =>
    instance.member(workspace.id, ['api_keys.manage', ...permissionSet], rank),
  /** Sends a request that requires `departments.view`. */
  requestWithKey: (key: string, from?: string): Promise<TestResponse> =>
    instance.request('GET', `/api/departments?workspaceId=${workspace.id}`, {
      key,
      ...(from ? { from } : {}),
    }),
})

export const formatOutcome = ({ status, body }: TestResponse) => [status, body.reason ?? body.code]
