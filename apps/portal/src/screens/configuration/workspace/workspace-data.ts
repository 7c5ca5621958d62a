import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, type Schemas, unwrap } from '../../../api/client.ts'
import { startDownload, verifyBeforeDownload } from '../../../api/download.ts'
import { createNetworkError, parseErrorResponse } from '../../../api/error.ts'
import { type Job, workspaceReadQuery } from '../../../api/jobs.ts'
import { meQuery } from '../../../api/me.ts'
import { handleSessionError } from '../../../api/session-expiry.ts'

export type Archive = Schemas['Archive']
export type Counts = NonNullable<Schemas['Counts']>

/** An archive whose job is complete. */
export interface ReadyArchive extends Archive {
  readonly sizeBytes: string
  readonly sha256: string
  readonly counts: Counts
}

export const isReady = (archive: Archive): archive is ReadyArchive => archive.state === 'ready'
export type WorkspaceRecord = Schemas['Workspace']

interface ArchivePage {
  readonly archives: readonly Archive[]
  readonly nextCursor: string | null
}

/** Reads one page of the archives of a workspace, newest first. */
export const readArchives = async (id: string, cursor: { readonly cursor?: string }): Promise<ArchivePage> =>
  (await unwrap(
    api.GET('/api/workspaces', { params: { query: { id, archives: 'true', ...cursor } } }),
  )) as ArchivePage

/** The workspace record, including its version. */
export const workspaceQuery = (id: string) =>
  queryOptions({ ...workspaceReadQuery(id), select: ({ workspace }) => workspace })

/** The current content counts of a workspace, never cached. */
export const contentQuery = (workspaceId: string) => ({
  queryKey: [workspaceId, 'workspaces', 'content'],
  queryFn: () => unwrap(api.GET('/portal/api/content', { params: { query: { workspaceId } } })),
  staleTime: 0,
})

type ActionBody = Readonly<Record<string, string>>

/** Runs an action on a workspace that is complete at once. */
export const runWorkspaceAction = async (body: ActionBody): Promise<WorkspaceRecord> =>
  (await unwrap(api.POST('/api/workspaces', { body }))).workspace

/** Starts a job on a workspace. */
export async function startWorkspaceJob(body: ActionBody): Promise<Job> {
  const response = await unwrap(api.POST('/api/workspaces', { body }))
  if (!('job' in response)) throw createNetworkError()
  return response.job
}

/** Saves the changed fields. @param before the version that the user has seen */
export async function updateWorkspaceDetails(
  before: WorkspaceRecord,
  values: Readonly<Record<'groupName' | 'profileUrl' | 'defaultPlatform' | 'approvalHours', string>>,
): Promise<WorkspaceRecord> {
  const body = {
    workspaceId: before.id,
    ...(values.groupName !== before.groupName && { groupName: values.groupName }),
    ...(values.approvalHours !== before.approvalHours && { approvalHours: values.approvalHours || null }),
    ...(values.profileUrl !== (before.profileUrl ?? '') && { profileUrl: values.profileUrl || null }),
    ...(values.defaultPlatform !== before.defaultPlatform && { defaultPlatform: values.defaultPlatform }),
  }
  const request = api.PATCH('/portal/api/workspace', { body, headers: ifMatch(before.version) })
  return (await unwrap(request)).workspace
}

/** Requests the deletion of a workspace. @param groupName its name, as a confirmation */
export const requestDeletion = (workspaceId: string, groupName: string) =>
  unwrap(api.POST('/portal/api/workspace/delete', { body: { workspaceId, groupName } }))

/** Undoes the request to delete a workspace. */
export const undoDeletion = (workspaceId: string) =>
  unwrap(api.POST('/portal/api/workspace/undelete', { body: { workspaceId } }))

/** Refetches everything that an action on the workspace can change. */
export function useRefreshWorkspace(workspaceId: string): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: meQuery.queryKey }),
      client.invalidateQueries({ queryKey: [workspaceId] }),
    ])
  }
}

/** Starts the job that verifies an archive before it is downloaded. */
export const prepareDownload = async ({ id, workspaceId }: ReadyArchive): Promise<Job> =>
  (await unwrap(api.POST('/portal/api/archive/download', { body: { workspaceId, id } }))).job

/** Deletes an archive. */
export const deleteArchive = ({ id, workspaceId }: ReadyArchive) =>
  unwrap(api.DELETE('/portal/api/archive', { params: { query: { workspaceId, id } } }))

/**
 * Downloads an archive that a job has verified within the last hour. A conditional request checks access first, because a plain link would show
 * an error as JSON.
 * @throws ApiError if the archive cannot be downloaded
 */
export async function downloadArchive({ id, workspaceId, sha256 }: ReadyArchive): Promise<void> {
  const url = `/portal/api/archive?${new URLSearchParams({ workspaceId, id })}`
  await verifyBeforeDownload()
  const requestInit = { headers: { 'if-none-match': `"${sha256}"` }, cache: 'no-store' } as const
  const response = await fetch(url, requestInit).catch(() => Promise.reject(createNetworkError()))
  if (response.status !== 304) {
    const error = await parseErrorResponse(response, 'read')
    handleSessionError(error)
    throw error
  }
  startDownload(url)
}
