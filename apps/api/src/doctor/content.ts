import { verifyAudit } from '@reeve/audit'
import type { Queries, SchemaDifference } from '@reeve/db'
import type { Progress } from '../commands/command.ts'
import { collectFutureDates, type FutureDates, isInFuture } from './dates.ts'
import { type Finding, toFinding } from './finding.ts'
import { checkRecords } from './records.ts'
import { checkResources } from './resources.ts'
import { checkStorage } from './storage.ts'

/**
 * Reads the audit log and every row that it or a counter describes.
 * @param schema of the database: what is newer than the audit log is only compared with the current one
 * @param read a snapshot
 */
export async function checkContent(
  { missing, unknown }: SchemaDifference,
  read: Queries,
  now: number,
  progress: Progress,
): Promise<Finding[]> {
  const dates = collectFutureDates()
  const audit = await checkAudit(read, now, dates, progress)
  if (missing.length + unknown.length > 0) return [audit]
  return [
    audit,
    await checkRecords(read, now, dates, progress),
    await checkResources(read, progress),
    dates.toFinding(now),
    await checkStorage(read, progress),
  ]
}

async function checkAudit(
  read: Queries,
  now: number,
  dates: FutureDates,
  progress: Progress,
): Promise<Finding> {
  const { rows, faults } = await verifyAudit(
    read,
    (read) => progress.update(`${read} audit log rows`),
    ({ workspace_id: workspaceId, sequence, at }) => {
      if (isInFuture(at, now)) dates.addEntry({ workspaceId, sequence, at })
    },
  )
  return toFinding(
    'audit',
    faults.map(({ workspaceId, sequence, fault }) => `chain ${workspaceId}, row ${sequence}: ${fault}`),
    `All ${rows} audit log rows are present and unchanged.`,
    'The audit log was changed, or the storage is damaged. Compare it with a backup.',
  )
}
