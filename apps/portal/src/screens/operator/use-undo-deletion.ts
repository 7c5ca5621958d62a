import { api, unwrap } from '../../api/client.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { useOperatorRefresh, type WorkspaceRow } from './operator-data.ts'

/** Undoes the request to delete a workspace after confirmation. */
export function useUndoDeletion(): (workspace: WorkspaceRow) => void {
  const refresh = useOperatorRefresh()
  return ({ id, groupName }) =>
    openConfirmDialog({
      title: `Keep ${groupName}?`,
      confirmLabel: 'Undo the deletion',
      children: 'The workspace stays archived. Its owner can restore it afterwards.',
      run: async () => {
        await unwrap(api.POST('/admin/api/workspaces/undelete', { body: { id } }))
        await refresh()
        notifySuccess(`${groupName} will not be deleted.`)
      },
    })
}
