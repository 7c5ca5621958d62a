import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import {
  type Department,
  departmentsKey,
  findNameConflict,
  isVersionMismatch,
  mapNotFound,
  refetchDepartment,
} from './department-data.ts'
import {
  type Details,
  detailFields,
  findChangedFields,
  formatConflictMessage,
  toDetails,
  toRequestBody,
} from './department-details.ts'

/*
 * Saves a department. Only changed fields are sent, so that changes by others to other fields survive. Fields that both
 * sides changed are reported and keep the typed value.
 * @param department null for a new one
 * @param onRemoteChanges puts the changes by others into the form
 * @returns a function that saves and resolves to the department, or to null if nothing has changed

 */
export function useSaveDetails(
  department: Department | null,
  onRemoteChanges: (remote: Partial<Details>) => void,
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

  /** Applies the changes by others. @throws ApiError `version_mismatch` if they changed any of these fields */
  async function mergeRemoteChanges(base: Department, values: Details): Promise<void> {
    const remote = await refetchDepartment(client, workspaceId, base.id)
    latest.current = remote
    const [baseDetails, remoteDetails] = [toDetails(base), toDetails(remote)]
    const remoteFields = findChangedFields(baseDetails, remoteDetails)
    if (remoteFields.length === 0) return
    const changedFields = findChangedFields(values, baseDetails)
    const conflictingFields = findChangedFields(values, remoteDetails).filter(
      (field) => changedFields.includes(field) && remoteFields.includes(field),
    )
    const remoteOnlyFields = remoteFields.filter((field) => !changedFields.includes(field))
    onRemoteChanges(Object.fromEntries(remoteOnlyFields.map((field) => [field, remoteDetails[field]])))
    throw new ApiError(412, 'version_mismatch', formatConflictMessage(remoteDetails, conflictingFields))
  }

  return async function save(values: Details): Promise<{ readonly name: string } | null> {
    try {
      const saved = await write(values)
      if (saved) await client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
      return saved
    } catch (error) {
      if (isVersionMismatch(error) && latest.current) {
        await mergeRemoteChanges(latest.current, values)
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
