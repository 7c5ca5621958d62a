import type { Instance, RequestOptions } from '../../support/instance.ts'
import { openModerationFixture } from '../moderation/fixture.ts'

type Query = Record<string, string>

/** A new workspace, and the requests of a program that follows its sanctions. */
export async function openFeedFixture(instance: Instance) {
  const fixture = await openModerationFixture(instance)
  const read = (path: string, query: Query, options: RequestOptions = {}) =>
    instance.request(
      'GET',
      `/api/changes${path}?${new URLSearchParams({ workspaceId: fixture.id, ...query })}`,
      { key: fixture.key, ...options },
    )
  const readOk = async (path: string, query: Query) => {
    const response = await read(path, query)
    if (response.status !== 200) throw new Error(`${path}: ${response.text}`)
    return response.body
  }

  return {
    ...fixture,
    read,
    readSnapshot: (query: Query = {}) => readOk('/snapshot', query),
    readChanges: (query: Query) => readOk('', query),
    /** Where a follower starts that has just read the snapshot. */
    async readPosition(): Promise<{ since: string; epoch: string }> {
      const { sequence, epoch } = await readOk('/snapshot', {})
      return { since: sequence, epoch }
    },
    /** Changes the default platform of the workspace. */
    async setPlatform(defaultPlatform: string): Promise<void> {
      const { status, text } = await instance.request('PATCH', '/portal/api/workspace', {
        session: fixture.ownerSession,
        body: { workspaceId: fixture.id, defaultPlatform },
      })
      if (status !== 200) throw new Error(text)
    },
    check: (body: Record<string, unknown>, options: RequestOptions = {}) =>
      instance.request('POST', '/api/moderation/check', {
        key: fixture.key,
        ...options,
        body: { workspaceId: fixture.id, ...body },
      }),
  }
}
