import { deleteExpiredFailures, deleteExpiredSessions } from '@reeve/auth'
import { HOUR_MS, type Ports } from '@reeve/core'
import { type Database, statement } from '@reeve/db'
import { deleteExpiredResponses } from '@reeve/http'
import { deleteExpiredInvitations } from '@reeve/members'

/** How often it is done, and how often each process asks whether it is time. */
const CLEANUP_INTERVAL_MS = HOUR_MS
export const CLEANUP_POLL_MS = 300_000

/** Changes a row where the job is due: it never was begun, long enough ago, or by a clock that has been set back since. */
const claimJob = statement<{ job: string; now: number; due: number }>()((sql, p) =>
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

/**
 * Deletes what nobody will ask for again: once an hour, whichever process over a database comes first.
 * @returns whether this one did it
 */
export async function runCleanup(db: Database, ports: Ports): Promise<boolean> {
  const now = ports.now()
  const claimed = await db.write((tx) =>
    tx.run(claimJob, { job: 'housekeeping', now, due: now - CLEANUP_INTERVAL_MS }),
  )
  if (claimed === 0) return false
  await deleteExpiredResponses(db, ports)
  await deleteExpiredSessions(db, ports)
  await deleteExpiredFailures(db, ports)
  await deleteExpiredInvitations(db, ports)
  return true
}
