import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { notifySuccess } from '../../components/toast.tsx'
import { departmentsKey, findNameConflict } from './department-data.ts'

/** Restores a deleted department. @throws ApiError `conflict` with the name of the department that now has this name */
export function useRestoreDepartment() {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  return async (department: { readonly id: string; readonly name: string; readonly version: string }) => {
    const { id, name, version } = department
    try {
      const body = { workspaceId, id, action: 'restore' } as const
      await unwrap(api.PATCH('/api/departments', { body, headers: ifMatch(version) }))
      notifySuccess(`Restored the department “${name}”. It is now last in the list.`)
    } catch (error) {
      const conflictingDepartment = await findNameConflict(client, workspaceId, error, { id, name })
      if (!conflictingDepartment) throw error
      throw new ApiError(
        409,
        'conflict',
        `“${name}” was not restored: another department is now named “${conflictingDepartment.name}”. Rename that one first.`,
      )
    } finally {
      await client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
    }
  }
}
