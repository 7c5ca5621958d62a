import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { type Job, jobsQuery } from '../../../api/jobs.ts'
import { useWorkspace } from '../../../api/me.ts'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { getJobLabels } from './job-labels.ts'
import { cancelQuietly } from './watch-job.ts'
import { useRefreshWorkspace } from './workspace-data.ts'

/** Cancels a job after confirmation. */
export function useCancelJob(): (job: Job) => void {
  const { id: workspaceId } = useWorkspace()
  const client = useQueryClient()
  const refresh = useRefreshWorkspace(workspaceId)
  return (job) => {
    const { name, stop, afterCancel } = getJobLabels(job)
    openConfirmDialog({
      title: `Cancel ${name}?`,
      confirmLabel: stop,
      cancelLabel: 'Keep running',
      isDestructive: true,
      children: afterCancel,
      run: async () => {
        try {
          await cancelQuietly(job.id, () =>
            unwrap(api.POST('/portal/api/jobs/cancel', { body: { workspaceId, id: job.id } })),
          )
        } catch (error) {
          // It may have ended meanwhile, or may no longer be cancelled.
          await client.invalidateQueries({ queryKey: jobsQuery(workspaceId).queryKey })
          throw error
        }
        await refresh()
        notifySuccess(`Cancelled ${name}.`)
      },
    })
  }
}
