import { normalizeName } from '@reeve/core'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, type PortalSchemas, unwrap } from '../../api/client.ts'
import { ApiError, hasErrorCode } from '../../api/error.ts'

/** A department with its members. */
export type Department = PortalSchemas['Department']

/** Prefix of all query keys about departments of a workspace. */
export const departmentsKey = (workspaceId: string) => [workspaceId, 'departments'] as const

/** All departments, in the order that the workspace has set. */
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

/**
 * Refetches a department.
 * @throws ApiError `not_found` if it was deleted; the message says how to restore it
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
    'Someone else has deleted this department. You can restore it under Deleted.',
  )

/**
 * Finds the department that already has the name, after a write failed; null if it failed for another reason.
 * @param id the department that was to get the name
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

/** Replaces a `not_found` error with one that says how to restore the department. */
export const mapNotFound = (error: unknown): unknown =>
  hasErrorCode(error, 'not_found') ? createDeletedError() : error
