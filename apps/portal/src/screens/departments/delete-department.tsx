import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, take } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { confirm } from '../../components/confirm.tsx'
import { tellDone } from '../../components/tell.tsx'
import { count } from '../../format/number.ts'
import { type Department, departmentsKey, isStale, orDeleted } from './department-data.ts'
import { useRestore } from './use-restore.ts'

/** Who is concerned, and how it comes back. */
function consequence({ members }: Department): string {
  const people = count(members.length, 'person', 'people')
  const stay = members.length === 1 ? 'is in it, and stays a member' : 'are in it, and stay members'
  const who = members.length === 0 ? 'Nobody is in it.' : `${people} ${stay} of the workspace.`
  return `${who} It can be restored under Deleted, with everybody who was in it.`
}

/** Asks before a department is deleted. */
export function useDeleteDepartment() {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const restore = useRestore()
  return (department: Department) => {
    const { id, name, version } = department
    confirm({
      title: `Delete the department “${name}”?`,
      children: consequence(department),
      action: 'Delete the department',
      isDestructive: true,
      run: async () => {
        const query = { workspaceId, id }
        const call = api.DELETE('/api/departments', { params: { query }, headers: ifMatch(version) })
        const deleted = await take(call).catch((error) => {
          void client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
          if (!isStale(error)) throw orDeleted(error)
          throw new ApiError(
            error.status,
            error.code,
            'Somebody else changed this department meanwhile. Close this, look at it again, and delete it then.',
          )
        })
        await client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
        tellDone(`Deleted the department “${name}”.`, {
          label: 'Restore',
          run: () => restore(deleted.department),
        })
      },
    })
  }
}
