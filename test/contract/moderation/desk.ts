import type { CallOptions, Instance } from '../../support/instance.ts'

export const path = '/api/moderation'

export type Fields = Record<string, unknown>

/** What the tests of moderation do all the time, in a workspace of their own. */
export async function openDesk(instance: Instance) {
  const workspace = await instance.workspace()
  const at = (query: Record<string, string>) =>
    `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`

  const act = (body: Fields, as: CallOptions = {}) =>
    instance.call('POST', at({}), { key: workspace.key, ...as, body })

  /** Acts, and insists that it was done. @returns the record */
  async function done(body: Fields, as: CallOptions = {}) {
    const answer = await act(body, as)
    if (answer.status !== 200) throw new Error(`${JSON.stringify(body)}: ${answer.text}`)
    return answer.body.record
  }

  const ban = (userId: string, more: Fields = {}) =>
    done({ action: 'ban', userId, reason: 'Exploiting', ...more })

  const get = (query: Record<string, string> = {}, as: CallOptions = {}) =>
    instance.call('GET', at(query), { key: workspace.key, ...as })

  /** The bans in force, as a game server asks for them. */
  const bans = async (userId?: string) =>
    (await get({ banList: 'true', ...(userId === undefined ? {} : { userId }) })).body.bans

  const one = async (id: string) => (await get({ id })).body

  return { ...workspace, at, act, done, ban, get, bans, one }
}

export type Desk = Awaited<ReturnType<typeof openDesk>>

export const ids = (records: { id: string }[]) => records.map(({ id }) => id)
