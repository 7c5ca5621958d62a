import { useWorkspace } from '../../../api/me.ts'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { formatDate, formatDateTime } from '../../../format/time.ts'
import { ContentTable } from './content-counts.tsx'
import classes from './workspace.module.css'
import { type Archive, runWorkspaceAction, useRefreshWorkspace } from './workspace-data.ts'

/** Asks, and then puts an archived workspace back to what one of its archives holds. */
export function useRollBack(): (archive: Archive) => void {
  const { id, groupName, isOwner } = useWorkspace()
  const refresh = useRefreshWorkspace(id)
  return (archive) => {
    const at = formatDateTime(archive.createdAt)
    openConfirmDialog({
      title: `Roll ${groupName} back to ${at}?`,
      confirmLabel: 'Roll it back',
      isDestructive: true,
      confirmText: groupName,
      children: (
        <>
          <ContentTable
            workspaceId={id}
            comparison={{ title: formatDate(archive.createdAt), counts: archive.counts }}
          />
          <ul className={classes.list}>
            <li>What it holds now is sealed into a new archive first, so this can be taken back.</li>
            <li>
              Members, roles, departments, records, events and endpoint controls become exactly those of {at}:
              whatever came later is gone from the workspace.
            </li>
            {archive.groupName === groupName ? null : (
              <li>
                It is called <bdi>{archive.groupName}</bdi> again.
              </li>
            )}
            <li>
              {isOwner ? 'You stay the owner' : 'The owner stays the owner'}, API keys stay as they are, the
              audit log goes on, and what was redacted stays redacted.
            </li>
            <li>It is back in use at once.</li>
          </ul>
        </>
      ),
      run: async () => {
        await runWorkspaceAction({ action: 'restore', id, fromArchive: archive.id })
        await refresh()
        notifySuccess(`${archive.groupName} is as it was on ${at}, and in use again.`)
      },
    })
  }
}
