import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, take } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { tellDone } from '../../components/tell.tsx'
import { departmentsKey, holderOf } from './department-data.ts'

/** Takes a deleted department back; what it throws says what stands in the way. */
export function useRestore() {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  return async (department: { readonly id: string; readonly name: string; readonly version: string }) => {
    const { id, name, version } = department
    try {
      const body = { workspaceId, id, action: 'restore' } as const
      await take(api.PATCH('/api/departments', { body, headers: ifMatch(version) }))
      tellDone(`Restored the department “${name}”. It is the last one now.`)
    } catch (error) {
      const holder = await holderOf(client, workspaceId, error, { id, name })
      if (!holder) throw error
      throw new ApiError(
        409,
        'conflict',
        `“${name}” is not restored: there is a department named “${holder.name}” by now. Give that one another name first.`,
      )
    } finally {
      await client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
    }
  }
}
