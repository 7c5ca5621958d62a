import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, type Schemas, take } from '../../../api/client.ts'
import { noAnswer, refusalOf } from '../../../api/error.ts'
import { meQuery } from '../../../api/me.ts'
import { tellOfRefusal } from '../../../api/session-end.ts'

export type Archive = Schemas['Archive']
export type Counts = Schemas['Counts']
export type WorkspaceRecord = Schemas['Workspace']

interface ArchivePage {
  readonly archives: readonly Archive[]
  readonly nextCursor: string | null
}

/** One page of the archives of a workspace, newest first. */
export const readArchives = async (id: string, cursor: { readonly cursor?: string }): Promise<ArchivePage> =>
  (await take(
    api.GET('/api/workspaces', { params: { query: { id, archives: 'true', ...cursor } } }),
  )) as ArchivePage

/** A workspace as it is kept, its version among it. */
export const workspaceQuery = (id: string) => ({
  queryKey: [id, 'workspaces', 'record'],
  queryFn: async () => {
    const answer = await take(api.GET('/api/workspaces', { params: { query: { id } } }))
    return (answer as { readonly workspace: WorkspaceRecord }).workspace
  },
})

/** How many of each kind a workspace holds now: counted whenever it is asked for. */
export const contentQuery = (workspaceId: string) => ({
  queryKey: [workspaceId, 'workspaces', 'content'],
  queryFn: () => take(api.GET('/portal/api/content', { params: { query: { workspaceId } } })),
  staleTime: 0,
})

/** Carries out an action on a workspace. @param version where it must not go over what somebody else changed */
export async function actOn(
  body: Readonly<Record<string, string>>,
  version?: string,
): Promise<WorkspaceRecord> {
  const headers = version === undefined ? {} : ifMatch(version)
  return (await take(api.POST('/api/workspaces', { body, headers }))).workspace
}

/** Reads again all that an action on the workspace may have changed. */
export function useAfterAction(workspaceId: string): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: meQuery.queryKey }),
      client.invalidateQueries({ queryKey: [workspaceId] }),
    ])
  }
}

/** Downloads an archive. It is asked for first, as a link could only show a refusal as it comes over the wire. */
export async function download({ id, workspaceId, sha256 }: Archive): Promise<void> {
  const address = `/portal/api/archive?${new URLSearchParams({ workspaceId, id })}`
  const held = { headers: { 'if-none-match': `"${sha256}"` }, cache: 'no-store' } as const
  const response = await fetch(address, held).catch(() => Promise.reject(noAnswer()))
  if (response.status !== 304) {
    const refusal = await refusalOf(response)
    tellOfRefusal(refusal)
    throw refusal
  }
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
