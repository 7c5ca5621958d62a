import { DAY_MS, HOUR_MS, type Ports } from '@reeve/core'
import { type Database, statement } from '@reeve/db'
import { formatTimestamp } from '../format.ts'
import type { ClaimJob, Job } from './scheduler.ts'

/** Changes a row if the job is due: it never ran, ran long enough ago, or its time is in the future because a clock was set back. */
const claimDueJob = statement<{ job: string; now: number; due: number }>()((sql, p) =>
  sql
    .insertInto('job')
    .values({ name: p.job, begun_at: p.now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ begun_at: eb.ref('excluded.begun_at') }))
        .where((eb) => eb.or([eb('job.begun_at', '<=', p.due), eb('job.begun_at', '>', p.now)])),
    ),
)

const lastRun = statement<{ job: string }>()((sql, p) =>
  sql.selectFrom('job').select('begun_at').where('name', '=', p.job),
)

/** How long after its last run, by the clock, a job that deletes for good waits: the server was off, or the clock is wrong. */
const MAX_GAP_MS = DAY_MS
/** How long it waits then. Time synchronization corrects the clock of a machine that has just started within minutes. */
const WAIT_MS = HOUR_MS

export interface JobLeaseOptions {
  /** Receives why a job waits, once. */
  readonly onWait?: (message: string) => void
  /** Milliseconds since any moment, by a clock that is never set. */
  readonly elapsed?: () => number
}

/** Claims jobs in table `job`, which all processes over a database share: one of them gets each run. */
export function createJobLease(
  db: Database,
  ports: Ports,
  { onWait, elapsed = () => performance.now() }: JobLeaseOptions = {},
): ClaimJob {
  const waiting = new Map<string, { readonly lastRunAt: number; readonly since: number }>()

  /** What a wrong clock has deleted does not come back when the clock is corrected. */
  async function mustWait({ name }: Job, now: number): Promise<boolean> {
    const lastRunAt = (await db.read.first(lastRun, { job: name }))?.begun_at ?? now
    if (now - lastRunAt <= MAX_GAP_MS) {
      waiting.delete(name)
      return false
    }
    const begun = waiting.get(name)
    // A job that another process has run meanwhile was not off: the clock of this one is ahead.
    if (begun?.lastRunAt === lastRunAt) return elapsed() - begun.since < WAIT_MS
    waiting.set(name, { lastRunAt, since: elapsed() })
    if (begun === undefined) onWait?.(describeWait(name, lastRunAt, now))
    return true
  }

  return async (job) => {
    const now = ports.now()
    if (job.deletesForGood && (await mustWait(job, now))) return false
    const due = now - job.intervalMs
    const claimed = await db.write((tx) => tx.run(claimDueJob, { job: job.name, now, due }))
    return claimed > 0
  }
}

const describeWait = (job: string, lastRunAt: number, now: number): string =>
  `The clock shows ${formatTimestamp(now)}, but the job ${job} last ran at ${formatTimestamp(lastRunAt)}. If no server was running in ` +
  'between, nothing has to be done. Otherwise correct the clock and enable time synchronization (timedatectl set-ntp true): in an hour, ' +
  'the job deletes what is due by this clock, for good.'
