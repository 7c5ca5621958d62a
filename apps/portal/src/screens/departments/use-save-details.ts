import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { ApiError, isVersionMismatch } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import {
  type Department,
  departmentsKey,
  findNameConflict,
  mapNotFound,
  refetchDepartment,
} from './department-data.ts'
import {
  type Details,
  detailFields,
  findChangedFields,
  toDetails,
  toRequestBody,
} from './department-details.ts'

/**
 * Saves a department. Only changed fields are sent, so that changes by others to other fields survive.
 * @param department null for a new one
 * @param reportConflict compares the details before and after a change by someone else, and returns the error to throw
 * @returns a function that saves and resolves to the department, or to null if nothing has changed
 */
export function useSaveDetails(
  department: Department | null,
  reportConflict: (before: Details, theirs: Details) => ApiError | null,
) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const latest = useRef(department)

  async function write(values: Details) {
    if (!latest.current) {
      const filledFields = detailFields.filter((field) => field === 'name' || values[field] !== '')
      const body = { workspaceId, ...toRequestBody(values, filledFields) }
      return (await unwrap(api.POST('/api/departments', { body }))).department
    }
    const { id, version } = latest.current
    const changedFields = findChangedFields(values, toDetails(latest.current))
    if (changedFields.length === 0) return null
    const body = { workspaceId, id, ...toRequestBody(values, changedFields) }
    return (await unwrap(api.PATCH('/api/departments', { body, headers: ifMatch(version) }))).department
  }

  return async function save(values: Details): Promise<{ readonly name: string } | null> {
    try {
      const saved = await write(values)
      if (saved) await client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
      return saved
    } catch (error) {
      if (isVersionMismatch(error) && latest.current) {
        const before = latest.current
        latest.current = await refetchDepartment(client, workspaceId, before.id)
        const conflict = reportConflict(toDetails(before), toDetails(latest.current))
        if (conflict) throw conflict
        // Only something else changed, such as the members: retry.
        return save(values)
      }
      const conflictingDepartment = await findNameConflict(client, workspaceId, error, {
        id: latest.current?.id,
        name: values.name,
      })
      if (!conflictingDepartment) throw mapNotFound(error)
      const message = `is already used by the department “${conflictingDepartment.name}”`
      throw new ApiError(409, 'conflict', '', { details: [{ field: 'name', message }] })
    }
  }
}
