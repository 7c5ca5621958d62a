import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, type Schemas, unwrap } from '../../../api/client.ts'
import { createNetworkError, parseErrorResponse } from '../../../api/error.ts'
import { meQuery } from '../../../api/me.ts'
import { handleSessionError } from '../../../api/session-expiry.ts'

export type Archive = Schemas['Archive']
export type Counts = Schemas['Counts']
export type WorkspaceRecord = Schemas['Workspace']

interface ArchivePage {
  readonly archives: readonly Archive[]
  readonly nextCursor: string | null
}

/** One page of the archives of a workspace, newest first. */
export const readArchives = async (id: string, cursor: { readonly cursor?: string }): Promise<ArchivePage> =>
  (await unwrap(
    api.GET('/api/workspaces', { params: { query: { id, archives: 'true', ...cursor } } }),
  )) as ArchivePage

/** A workspace as it is kept, its version among it. */
export const workspaceQuery = (id: string) => ({
  queryKey: [id, 'workspaces', 'record'],
  queryFn: async () => {
    const response = await unwrap(api.GET('/api/workspaces', { params: { query: { id } } }))
    return (response as { readonly workspace: WorkspaceRecord }).workspace
  },
})

/** How many of each kind a workspace holds now: counted whenever it is asked for. */
export const contentQuery = (workspaceId: string) => ({
  queryKey: [workspaceId, 'workspaces', 'content'],
  queryFn: () => unwrap(api.GET('/portal/api/content', { params: { query: { workspaceId } } })),
  staleTime: 0,
})

/** Carries out an action on a workspace. @param version where it must not go over what somebody else changed */
export async function runWorkspaceAction(
  body: Readonly<Record<string, string>>,
  version?: string,
): Promise<WorkspaceRecord> {
  const headers = version === undefined ? {} : ifMatch(version)
  return (await unwrap(api.POST('/api/workspaces', { body, headers }))).workspace
}

/** Reads again all that an action on the workspace may have changed. */
export function useRefreshWorkspace(workspaceId: string): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: meQuery.queryKey }),
      client.invalidateQueries({ queryKey: [workspaceId] }),
    ])
  }
}

/** Downloads an archive. It is asked for first, as a link could only show a refusal as it comes over the wire. */
export async function downloadArchive({ id, workspaceId, sha256 }: Archive): Promise<void> {
  const url = `/portal/api/archive?${new URLSearchParams({ workspaceId, id })}`
  const requestInit = { headers: { 'if-none-match': `"${sha256}"` }, cache: 'no-store' } as const
  const response = await fetch(url, requestInit).catch(() => Promise.reject(createNetworkError()))
  if (response.status !== 304) {
    const error = await parseErrorResponse(response)
    handleSessionError(error)
    throw error
  }
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
