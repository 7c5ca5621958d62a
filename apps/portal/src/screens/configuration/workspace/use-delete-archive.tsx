import { useWorkspace } from '../../../api/me.ts'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { formatBytes } from '../../../format/number.ts'
import { formatDateTime } from '../../../format/time.ts'
import { deleteArchive, type ReadyArchive, useRefreshWorkspace } from './workspace-data.ts'

/** Deletes an archive after confirmation. */
export function useDeleteArchive(): (archive: ReadyArchive) => void {
  const refresh = useRefreshWorkspace(useWorkspace().id)
  return (archive) => {
    const at = formatDateTime(archive.createdAt)
    openConfirmDialog({
      title: `Delete the archive of ${at}?`,
      confirmLabel: 'Delete archive',
      isDestructive: true,
      confirmText: archive.groupName,
      children: (
        <>
          This frees {formatBytes(archive.sizeBytes)}. The workspace and its other archives do not change. You
          cannot undo this: nobody can roll back to this archive or copy it any more.
        </>
      ),
      run: async () => {
        await deleteArchive(archive)
        await refresh()
        notifySuccess(`Deleted the archive of ${at}.`)
      },
    })
  }
}
