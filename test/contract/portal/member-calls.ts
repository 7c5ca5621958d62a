import type { Answer, Instance } from '../../support/instance.ts'
import { refusedIn } from '../../support/refused.ts'

export const PATH = '/portal/api/members'

type Home = Pick<Awaited<ReturnType<Instance['workspace']>>, 'id' | 'ownerSession'>

/** The portal's calls about the members of one workspace, as its owner where no other session is given. */
export function memberCalls(instance: Instance, home: Home) {
  const at = (query: Record<string, string> = {}, id = home.id) =>
    `${PATH}?${new URLSearchParams({ workspaceId: id, ...query })}`
  const read = (query: Record<string, string> = {}, session = home.ownerSession) =>
    instance.call('GET', at(query), { session })
  const write = (method: string, body: object, session = home.ownerSession) =>
    instance.call(method, PATH, { session, body: { workspaceId: home.id, ...body } })
  const remove = (accountId: string, session = home.ownerSession) =>
    instance.call('DELETE', at({ accountId }), { session })
  /** Whether an account gets in: the gate asks for membership before all else. */
  const reasonFor = async (session: string) =>
    (await instance.call('GET', `/api/departments?workspaceId=${home.id}`, { session })).body.reason ??
    'let in'
  const refused = (step: () => Promise<Answer>) => refusedIn(instance, step)

  return { at, read, write, remove, reasonFor, refused }
}
