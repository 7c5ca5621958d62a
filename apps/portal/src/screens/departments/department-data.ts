import { normalizeName } from '@reeve/core'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, type PortalSchemas, unwrap } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'

/** A department with who is in it. */
export type Department = PortalSchemas['Department']
/** Somebody who is in a department. */
export type DepartmentMember = Department['members'][number]

/** Everything there is of departments in a workspace begins its keys with this. */
export const departmentsKey = (workspaceId: string) => [workspaceId, 'departments'] as const

/** Every department in the order of the workspace. */
export const departmentsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...departmentsKey(workspaceId), 'list'],
    queryFn: async (): Promise<readonly Department[]> => {
      const query = { workspaceId }
      const { departments } = await unwrap(api.GET('/portal/api/departments', { params: { query } }))
      return departments
    },
  })

const refetchDepartments = (client: QueryClient, workspaceId: string): Promise<readonly Department[]> =>
  client.fetchQuery({ ...departmentsQuery(workspaceId), staleTime: 0 })

const hasErrorCode = (error: unknown, code: ApiError['code']): error is ApiError =>
  error instanceof ApiError && error.code === code

/** Whether a write was refused because somebody else had changed the department before. */
export const isVersionMismatch = (error: unknown): error is ApiError =>
  hasErrorCode(error, 'version_mismatch')

/**
 * Reads a department anew.
 * @throws ApiError where it was deleted, which says how it comes back
 */
export async function refetchDepartment(
  client: QueryClient,
  workspaceId: string,
  id: string,
): Promise<Department> {
  const department = (await refetchDepartments(client, workspaceId)).find((candidate) => candidate.id === id)
  if (!department) throw createDeletedError()
  return department
}

const createDeletedError = () =>
  new ApiError(
    404,
    'not_found',
    'Somebody else deleted this department meanwhile. It can be restored under Deleted.',
  )

/**
 * Who has a name already, where a write was refused for it; null where it was refused for something else.
 * @param id the department that wants the name
 */
export async function findNameConflict(
  client: QueryClient,
  workspaceId: string,
  error: unknown,
  { id, name }: { readonly id: string | undefined; readonly name: string },
): Promise<Department | null> {
  if (!hasErrorCode(error, 'conflict')) return null
  const normalizedName = normalizeName(name.trim())
  const allDepartments = await refetchDepartments(client, workspaceId).catch(() => [])
  return (
    allDepartments.find(
      (candidate) => candidate.id !== id && normalizeName(candidate.name) === normalizedName,
    ) ?? null
  )
}

/** What was thrown, or what to say in its place of a department that is gone. */
export const mapNotFound = (error: unknown): unknown =>
  hasErrorCode(error, 'not_found') ? createDeletedError() : error
