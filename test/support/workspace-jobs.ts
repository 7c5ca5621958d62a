import type { Instance, RequestOptions } from './instance.ts'

/** A job in a response. */
export interface JobBody {
  readonly id: string
  readonly workspaceId: string
  readonly state: string
  readonly error: string | null
}

const MAX_WAIT_MS = 60_000
const POLL_MS = 20

/**
 * Waits until the job that a response contains has ended.
 * @param read reads the jobs of its workspace, such as `GET /portal/api/jobs`
 * @returns the ended job; null if the response contains none
 */
export async function waitForJob(
  body: { job?: JobBody | null } | null,
  read: (workspaceId: string) => Promise<readonly (JobBody | null)[]>,
  maxWaitMs = MAX_WAIT_MS,
): Promise<JobBody | null> {
  const started = body?.job
  if (!started) return null
  for (const startedAt = performance.now(); performance.now() - startedAt < maxWaitMs; ) {
    const job = (await read(started.workspaceId)).find((other) => other?.id === started.id)
    if (job && !['queued', 'running'].includes(job.state)) return job
    await Bun.sleep(POLL_MS)
  }
  throw new Error(`job ${started.id} did not end within ${maxWaitMs / 1000} s`)
}

/** The last job of a workspace, as its owner sees it. */
export async function readLastJob(instance: Instance, workspace: { id: string; ownerSession: string }) {
  const { body } = await instance.request('GET', `/portal/api/jobs?workspaceId=${workspace.id}&limit=1`, {
    session: workspace.ownerSession,
  })
  return body.jobs[0] as Record<string, string | null>
}

/** Reads an archive from the list of its workspace, where its size, checksum and counts are known once it is complete. */
export async function readArchive(
  instance: Instance,
  credentials: RequestOptions,
  { id, workspaceId }: { id: string; workspaceId: string },
) {
  const path = `/api/workspaces?id=${workspaceId}&archives=true&limit=200`
  const { body } = await instance.request('GET', path, credentials)
  return body.archives.find((archive: { id: string }) => archive.id === id)
}

/** A signal for `runJobs` that stops the jobs after some transactions. */
export function stopAfter(transactions: number): AbortSignal {
  let left = transactions
  const signal = new AbortController().signal
  // A job reads it once before each transaction.
  Object.defineProperty(signal, 'aborted', { get: () => left-- <= 0 })
  return signal
}

/** Runs jobs until that of a workspace is at a step, and leaves it there. */
export async function runJobUntil(
  instance: Instance,
  workspace: Parameters<typeof readLastJob>[1],
  step: string,
): Promise<void> {
  for (;;) {
    const job = await readLastJob(instance, workspace)
    if (job.state === 'running' && job.step === step) return
    if (job.finishedAt !== null) throw new Error(`the job ended before the step ${step}`)
    await instance.runJobs(stopAfter(2))
  }
}
