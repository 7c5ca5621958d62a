import { verifyAudit } from '@reeve/audit'
import type { Queries, SchemaDifference } from '@reeve/db'
import { isInFuture } from '../clock-tolerance.ts'
import type { Progress } from '../command-line/command.ts'
import { findAuditKey } from '../secret-key/audit-key.ts'
import type { SecretKeyConfig } from '../secret-key/open.ts'
import { collectFutureDates, type FutureDates } from './dates.ts'
import { type Finding, toFinding, warning } from './finding.ts'
import { checkKeys } from './keys.ts'
import { checkMailQueue } from './mail.ts'
import { checkPasskeys } from './passkeys.ts'
import { checkRecords } from './records.ts'
import { checkResources } from './resources.ts'
import { checkRestoredKeys } from './restored-keys.ts'
import { checkStorage } from './storage.ts'
import { checkWebhooks } from './webhooks.ts'

/**
 * Reads the audit log and every row that it or a counter describes.
 * @param difference between the schema of the database and the current one: if there is one, only the audit log is read
 * @param read a snapshot
 * @param secretKey the settings of the instance
 * @param publicUrl of the instance; null if it is not set, undefined if it does not matter
 */
export async function checkContent(
  difference: SchemaDifference,
  read: Queries,
  secretKey: SecretKeyConfig,
  publicUrl: URL | null | undefined,
  now: number,
  progress: Progress,
): Promise<Finding[]> {
  const dates = collectFutureDates()
  const audit = await checkAudit(read, secretKey, now, dates, progress)
  if (difference.missing.length + difference.unknown.length > 0) return [audit]
  return [
    audit,
    await checkRecords(read, now, dates, progress),
    await checkResources(read, progress),
    await checkRestoredKeys(read, now),
    await checkKeys(read, now),
    dates.toFinding(now),
    await checkStorage(read, progress),
    ...(await checkWebhooks(read, now)),
    ...(await checkMailQueue(read, now)),
    ...(publicUrl === undefined ? [] : [await checkPasskeys(read, publicUrl)]),
  ]
}

async function checkAudit(
  read: Queries,
  secretKey: SecretKeyConfig,
  now: number,
  dates: FutureDates,
  progress: Progress,
): Promise<Finding> {
  const { key, problem } = await findAuditKey(secretKey, read)
  const { rows, faults } = await verifyAudit(read, key, {
    onProgress: (count) => progress.update(`${count} audit log rows`),
    onRow({ workspace_id: workspaceId, sequence, at }) {
      if (isInFuture(at, now)) dates.addEntry({ workspaceId, sequence, at })
    },
  })
  if (faults.length === 0 && problem !== null)
    return warning(
      'audit',
      `All ${rows} audit log rows are present. Whether they are unchanged was not checked: ${problem}.`,
      'Put the secret key in its place, or start the server once.',
    )
  return toFinding(
    'audit',
    faults.map(({ workspaceId, sequence, fault }) => `chain ${workspaceId}, row ${sequence}: ${fault}`),
    `All ${rows} audit log rows are present and unchanged.`,
    'The audit log was changed, or the storage is damaged. Compare it with a backup.',
  )
}
