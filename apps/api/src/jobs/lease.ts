import type { Ports } from '@reeve/core'
import { type Database, statement } from '@reeve/db'
import type { ClaimJob } from './scheduler.ts'

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

/** Claims jobs in table `job`, which all processes over a database share: one of them gets each run. */
export const createJobLease =
  (db: Database, ports: Ports): ClaimJob =>
  async ({ name, intervalMs }) => {
    const now = ports.now()
    const claimed = await db.write((tx) => tx.run(claimDueJob, { job: name, now, due: now - intervalMs }))
    return claimed > 0
  }
