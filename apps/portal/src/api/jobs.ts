import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from './client.ts'
import { useWorkspace } from './me.ts'

/** Work on a whole workspace, which the server does in small steps. */
export type Job = Schemas['Job']

/** At least those that finished within the hour in which a prepared file can be downloaded. */
const MAX_JOBS = '50'

/** A workspace, and its unfinished or last job. */
export const workspaceReadQuery = (id: string) =>
  queryOptions({
    queryKey: [id, 'workspaces', 'record'],
    queryFn: async () => {
      const response = await unwrap(api.GET('/api/workspaces', { params: { query: { id } } }))
      return response as { readonly workspace: Schemas['Workspace']; readonly job: Job | null }
    },
  })

/** The last jobs of a workspace, newest first. */
export const jobsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'jobs'],
    queryFn: async ({ client, queryKey }): Promise<readonly Job[]> => {
      // A screen that reads the workspace learns from it whether there are any, which saves a request.
      const workspaceRead = workspaceReadQuery(workspaceId)
      if (client.getQueryData(queryKey) === undefined && client.getQueryState(workspaceRead.queryKey)) {
        if ((await client.ensureQueryData(workspaceRead)).job === null) return []
      }
      const query = { workspaceId, limit: MAX_JOBS }
      return (await unwrap(api.GET('/portal/api/jobs', { params: { query } }))).jobs
    },
  })

export const isUnfinished = ({ state }: Job): boolean => state === 'queued' || state === 'running'

/** The job of the current workspace that is queued or runs. Null while it is unknown, and for users who may not view it. */
export function useUnfinishedJob(): Job | null {
  const workspace = useWorkspace()
  const { data } = useQuery({
    ...jobsQuery(workspace.id),
    enabled: workspace.permissions.has('workspace.view'),
  })
  return data?.find(isUnfinished) ?? null
}
