import type { Permission } from '@reeve/core'
import type { Answer, Instance } from '../../support/instance.ts'

export const PATH = '/portal/api/api-keys'

/** In milliseconds. */
export const DAY = 24 * 3_600_000

export type Home = Pick<Awaited<ReturnType<Instance['workspace']>>, 'id' | 'ownerSession'>

/** The portal's calls about the keys of one workspace, as its owner where no other session is given. */
export const keyCalls = (instance: Instance, home: Home) => ({
  create: (changed: object = {}, session = home.ownerSession): Promise<Answer> =>
    instance.call('POST', PATH, {
      session,
      body: { workspaceId: home.id, name: 'Main server', permissions: 'departments.view', ...changed },
    }),
  list: async (query = '') =>
    (await instance.call('GET', `${PATH}?workspaceId=${home.id}${query}`, { session: home.ownerSession }))
      .body,
  change: (
    verb: 'revoke' | 'rotate',
    id: string,
    more: object = {},
    session = home.ownerSession,
  ): Promise<Answer> =>
    instance.call('POST', `${PATH}/${verb}`, { session, body: { workspaceId: home.id, id, ...more } }),
  /** A member who manages keys, and may do so much besides. */
  manager: (set: readonly Permission[], rank = 10) =>
    instance.member(home.id, ['api_keys.manage', ...set], rank),
  /** Makes a call with a key that has `departments.view`. */
  use: (key: string, from?: string): Promise<Answer> =>
    instance.call('GET', `/api/departments?workspaceId=${home.id}`, { key, ...(from ? { from } : {}) }),
})

export const outcome = ({ status, body }: Answer) => [status, body.reason ?? body.code]
