import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { ApiError } from '../../../api/error.ts'
import { isUnfinished, type Job, jobsQuery } from '../../../api/jobs.ts'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import { describeFailure, getJobLabels } from './job-labels.ts'

/** On the screens of other workspaces, nothing announces the changes of the job. */
const POLL_MS = 5000

/** Ends watching each job that was started on this page and is not finished. */
const watched = new Map<string, () => void>()

/** Whether a job was started on this page. */
export const isWatched = (id: string): boolean => watched.has(id)

/** Whether the current page shows this workspace, and follows its changes. */
const isCurrent = (workspaceId: string): boolean => location.pathname.split('/')[2] === workspaceId

/** The jobs that this page is cancelling. It may hear that they are cancelled before it has the response. */
const cancelling = new Set<string>()

/** Cancels a job without a message that somebody has. @param cancel the request */
export async function cancelQuietly(id: string, cancel: () => Promise<unknown>): Promise<void> {
  cancelling.add(id)
  try {
    await cancel()
    watched.get(id)?.()
  } finally {
    cancelling.delete(id)
  }
}

/**
 * Waits for a job on whatever screen the user opens meanwhile, and says if it fails or somebody else cancels it.
 * @param onSuccess says what it has done
 */
export function watchJob(
  client: QueryClient,
  { id, workspaceId }: Job,
  onSuccess: (job: Job) => void | Promise<void>,
): void {
  const observer = new QueryObserver(client, { ...jobsQuery(workspaceId), staleTime: 0 })
  const unsubscribe = observer.subscribe(({ data, error }) => {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) stop()
    const job = data?.find((other) => other.id === id)
    if (job === undefined || isUnfinished(job) || !watched.has(id)) return
    stop()
    if (job.state === 'succeeded') void Promise.resolve(onSuccess(job)).catch(notifyError)
    else if (job.state === 'failed')
      notifyError(
        new ApiError(0, 'internal_error', `${getJobLabels(job).title} failed. ${describeFailure(job)}`),
      )
    else if (!cancelling.has(id)) notifySuccess(`Someone cancelled ${getJobLabels(job).name}.`)
  })
  const timer = setInterval(() => {
    if (!isCurrent(workspaceId) && !document.hidden) void observer.refetch()
  }, POLL_MS)
  function stop(): void {
    clearInterval(timer)
    unsubscribe()
    watched.delete(id)
  }
  watched.set(id, stop)
}
