import { useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../../api/me.ts'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { formatDate, formatDateTime } from '../../../format/time.ts'
import { ContentTable } from './content-counts.tsx'
import { watchJob } from './watch-job.ts'
import classes from './workspace.module.css'
import { type ReadyArchive, startWorkspaceJob, useRefreshWorkspace } from './workspace-data.ts'

/** Rolls an archived workspace back to one of its archives after confirmation. */
export function useRollBack(): (archive: ReadyArchive) => void {
  const { id, groupName } = useWorkspace()
  const client = useQueryClient()
  const refresh = useRefreshWorkspace(id)
  return (archive) => {
    const at = formatDateTime(archive.createdAt)
    openConfirmDialog({
      title: `Roll ${groupName} back to ${at}?`,
      confirmLabel: 'Roll back',
      isDestructive: true,
      confirmText: groupName,
      children: (
        <>
          <ContentTable
            workspaceId={id}
            comparison={{ title: formatDate(archive.createdAt), counts: archive.counts }}
          />
          <ul className={classes.list}>
            <li>The current content is saved in a new archive first, so you can undo this.</li>
            <li>
              Members, roles, departments, cases, events and endpoint controls are reset to {at}. Later
              changes are removed from the workspace.
            </li>
            {archive.groupName === groupName ? null : (
              <li>
                The name changes back to <bdi>{archive.groupName}</bdi>.
              </li>
            )}
            <li>
              You remain the owner. API keys and the audit log are kept, and redacted content stays redacted.
            </li>
            <li>
              The workspace stays read-only until the roll-back is complete, and is active then. You can
              cancel it until it begins to change the content.
            </li>
          </ul>
        </>
      ),
      run: async () => {
        const job = await startWorkspaceJob({ action: 'restore', id, fromArchive: archive.id })
        watchJob(client, job, async () => {
          await refresh()
          notifySuccess(`Rolled ${archive.groupName} back to ${at}. It is active again.`)
        })
      },
    })
  }
}
