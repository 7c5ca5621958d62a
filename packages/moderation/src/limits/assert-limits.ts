import {
  type Actor,
  CREATE_PERMISSIONS,
  DEFAULT_SEVERITY,
  decideBan,
  exceedsSeverity,
  expiresBefore,
  getLimits,
  getLongestBan,
  hasPermission,
  limitNames,
  NO_LIMITS,
  needsEvidence,
  type RecordAction,
  type RoleLimits,
  type Severity,
  tightenLimits,
} from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { assertNoPendingApproval } from '../approvals/store.ts'
import { countEvidence } from '../evidence-files/count-evidence.ts'
import type { Sanction } from '../records/sanction.ts'
import { assertWithinStep } from '../templates/override.ts'
import { assertOutranksPlayer } from './members-of-player.ts'
import { createLimitError, formatDuration } from './over-limit.ts'

/** What the limits of the actor's roles allow. Every change of a record goes through these functions. */

/** The severity of a new record without one: the default of its template or action, unless the limit is lower. */
export function chooseSeverity(
  actor: Actor,
  action: RecordAction,
  severity: Severity = DEFAULT_SEVERITY[action],
): Severity {
  const { highestSeverity } = getLimits(actor, CREATE_PERMISSIONS[action])
  return highestSeverity !== null && exceedsSeverity(severity, highestSeverity) ? highestSeverity : severity
}

/** @param evidenceCount lines of evidence and files together */
function assertSeverity(limits: RoleLimits, severity: Severity, evidenceCount: number): void {
  if (exceedsSeverity(severity, limits.highestSeverity)) {
    throw createLimitError({
      limits,
      name: 'highestSeverity',
      message: `The highest severity that your roles allow is ${limits.highestSeverity}.`,
    })
  }
  if (needsEvidence(limits, severity) && evidenceCount === 0) {
    throw createLimitError({
      limits,
      name: 'evidenceFromSeverity',
      message: `Your roles require evidence from severity ${limits.evidenceFromSeverity} upwards. Add some, and repeat the request.`,
    })
  }
}

/**
 * Asserts that the actor may create a record.
 * @throws AppError `forbidden`: `over_limit` for its severity or a lack of evidence, `insufficient_rank` for a player who is a
 *   member of equal or higher rank
 */
export async function assertCanCreate(
  tx: Transaction,
  actor: Actor,
  record: {
    readonly action: RecordAction
    readonly userId: string
    readonly severity: Severity
    /** Lines of evidence and files together. */
    readonly evidenceCount: number
  },
): Promise<void> {
  assertSeverity(getLimits(actor, CREATE_PERMISSIONS[record.action]), record.severity, record.evidenceCount)
  if (record.action !== 'note') await assertOutranksPlayer(tx, actor, record.userId)
}

/**
 * Asserts that an edit leaves a severity and evidence that the actor could have created the record with.
 * @throws AppError `forbidden` (`over_limit`)
 */
export function assertCanEdit(actor: Actor, before: RecordTable, after: RecordTable): void {
  const hasOtherSeverity = after.severity !== before.severity
  const evidenceCount = countEvidence(after)
  if (!hasOtherSeverity && evidenceCount >= countEvidence(before)) return
  const create = CREATE_PERMISSIONS[before.action]
  const limits = tightenLimits(
    getLimits(actor, 'moderation.edit'),
    hasPermission(actor, create) ? getLimits(actor, create) : NO_LIMITS,
  )
  // What others have set stays possible, as long as this edit does not change it.
  const checked = hasOtherSeverity ? limits : { ...limits, highestSeverity: null }
  assertSeverity(checked, after.severity, evidenceCount)
}

const createLongestBanError = (limits: RoleLimits) =>
  createLimitError({
    limits,
    name: 'longestBanSeconds',
    message: `The longest ban that your roles allow is ${formatDuration(getLongestBan(limits) ?? 0)}.`,
  })

/**
 * Asserts that the actor may impose a ban or mute of this duration without an approval.
 * @param seconds from the creation of the sanction; null is permanent
 * @throws AppError `forbidden`: `over_limit`, or `needs_approval` for a permanent ban
 */
export function assertDuration(actor: Actor, action: Sanction['action'], seconds: number | null): void {
  const limits = getLimits(actor, CREATE_PERMISSIONS[action])
  if (action === 'mute') {
    const longest = limits.longestMuteSeconds
    if (longest === null || (seconds !== null && seconds <= longest)) return
    throw createLimitError({
      limits,
      name: 'longestMuteSeconds',
      message: `The longest mute that your roles allow is ${formatDuration(longest)}.`,
    })
  }
  const decision = decideBan(limits, seconds)
  if (decision === 'allowed') return
  if (decision === 'refused') throw createLongestBanError(limits)
  const longest = formatDuration(getLongestBan(limits) ?? 0)
  throw createLimitError({
    limits,
    name: 'permanentBansNeedApproval',
    reason: 'needs_approval',
    message: `Your roles allow a permanent ban only with the approval of another person. Create a new ban, which requests it; a change may reach ${longest} in total.`,
  })
}

/**
 * Asserts that no role limits what the actor does: what another tool has recorded keeps no limit, and an import creates it as it is.
 * @throws AppError `forbidden` (`over_limit`)
 */
export function assertCanImport(actor: Actor): void {
  for (const limits of actor.limits.values()) {
    const name = limitNames.find((limit) => limits[limit] !== NO_LIMITS[limit])
    if (name === undefined) continue
    throw createLimitError({
      limits,
      name,
      message:
        'Your roles have limits, which the records of another tool do not keep. Ask somebody without limits to import them.',
    })
  }
}

/**
 * Asserts that the actor may change the expiry of a sanction. An earlier one needs no limit.
 * @param seconds the new duration from its creation, which ends at `expiresAt`
 * @throws AppError `conflict` while it waits for approval; `forbidden` as `assertWithinStep` and `assertDuration`, and
 *   `insufficient_rank`
 */
export async function assertCanChangeDuration(
  tx: Transaction,
  actor: Actor,
  row: Sanction,
  seconds: number | null,
  expiresAt: number | null,
  now: number,
): Promise<void> {
  if (row.action === 'ban') await assertNoPendingApproval(tx, row, now)
  if (!expiresBefore(row.expires_at, expiresAt)) return
  await assertWithinStep(tx, actor, row, seconds)
  assertDuration(actor, row.action, seconds)
  await assertOutranksPlayer(tx, actor, row.user_id)
}

/**
 * Asserts that the actor may approve a ban of this duration: who could not even request it does not approve it.
 * @param seconds null is permanent
 * @throws AppError `forbidden` (`over_limit`)
 */
export function assertCanApprove(actor: Actor, seconds: number | null): void {
  const limits = getLimits(actor, CREATE_PERMISSIONS.ban)
  if (decideBan(limits, seconds) === 'refused') throw createLongestBanError(limits)
}
