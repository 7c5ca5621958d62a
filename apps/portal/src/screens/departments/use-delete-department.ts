import { useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, unwrap } from '../../api/client.ts'
import { ApiError, isVersionMismatch } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { pluralize } from '../../format/number.ts'
import { type Department, departmentsKey, mapNotFound } from './department-data.ts'
import { useRestoreDepartment } from './use-restore-department.ts'

/** Says who is affected and how to restore the department. */
function describeConsequences({ members }: Department): string {
  const peopleText = pluralize(members.length, 'person', 'people')
  const stayText = members.length === 1 ? 'is in it and remains a member' : 'are in it and remain members'
  const membersText =
    members.length === 0 ? 'It has no members.' : `${peopleText} ${stayText} of the workspace.`
  return `${membersText} You can restore it with its members under Deleted.`
}

/** Deletes a department after confirmation. */
export function useDeleteDepartment() {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const restore = useRestoreDepartment()
  return (department: Department) => {
    const { id, name, version } = department
    openConfirmDialog({
      title: `Delete the department “${name}”?`,
      children: describeConsequences(department),
      confirmLabel: 'Delete department',
      isDestructive: true,
      run: async () => {
        const query = { workspaceId, id }
        const request = api.DELETE('/api/departments', { params: { query }, headers: ifMatch(version) })
        const deleted = await unwrap(request).catch((error) => {
          void client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
          if (!isVersionMismatch(error)) throw mapNotFound(error)
          throw new ApiError(
            error.status,
            error.code,
            'Someone else has changed this department. Close this dialog, review the department, and try again.',
          )
        })
        await client.invalidateQueries({ queryKey: departmentsKey(workspaceId) })
        notifySuccess(`Deleted the department “${name}”.`, {
          label: 'Restore',
          run: () => restore(deleted.department),
        })
      },
    })
  }
}
