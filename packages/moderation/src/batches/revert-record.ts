import { type Actor, AppError, CREATE_PERMISSIONS, type Ports, requirePermission } from '@reeve/core'
import { isSameRow, type RecordTable, type Transaction } from '@reeve/db'
import { removeContent } from '../evidence-files/content.ts'
import {
  parseEvidenceFiles,
  type StoredEvidenceFile,
  toEvidenceFileColumns,
} from '../evidence-files/stored-files.ts'
import { assertCanRestore, countsAsBan } from '../limits/assert-restore.ts'
import { addRecentBan } from '../limits/recent-bans.ts'
import { followComments } from '../mentions/store.ts'
import { parseComments, type StoredComment, toCommentColumns } from '../records/columns.ts'
import { revoke } from '../records/lift.ts'
import type { ChangeContext } from '../records/parse-change.ts'
import { requireRecord, updateRecord } from '../records/record-store.ts'
import {
  assertCanChangeExpiry,
  assertCanLift,
  hasExpired,
  isInForce,
  isSanction,
} from '../records/sanction.ts'
import { type ColumnGroup, listColumns, listGroups } from './column-groups.ts'
import { findOtherSanctions, wereBothInForce } from './other-sanctions.ts'
import { type ChangeSelection, readHistory, type Transition } from './record-history.ts'
import { restoreAppeal } from './restore-appeal.ts'
import { restoreApproval } from './restore-approval.ts'

/** What to revert of a record. */
export interface Reversion {
  readonly id: string
  readonly selection: ChangeSelection
  /** Why a record that was created is revoked. */
  readonly reason: string
  readonly context: ChangeContext
}

/** What others may add to a record that is revoked nevertheless. */
const ADDITIONS: ReadonlySet<ColumnGroup> = new Set([
  'comments',
  'evidence',
  'evidence_files',
  'acknowledged_at',
])

/** Lists whose entries are reverted one by one, so that those of others stay. */
const LISTS: ReadonlySet<ColumnGroup> = new Set(['comments', 'evidence_files'])

const areAdditions = (others: readonly Transition[]): boolean =>
  [...listGroups(others)].every((group) => ADDITIONS.has(group))

/**
 * Reverts the selected changes of a record, and leaves alone what others have changed: a record that was created is revoked, and
 * what was changed gets its earlier values, with the appeal, the request for approval and the mentions that the changes closed or added.
 * Files that were added are removed, with their content; those that were removed stay so.
 * @returns the record; null if there is nothing to revert
 * @throws AppError `not_found`, `forbidden` as the single actions, `conflict` if somebody has changed the same since, a
 *   redaction is among the changes, or all that is left to revert is the removal of a file
 */
export async function revertRecord(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  reversion: Reversion,
): Promise<RecordTable | null> {
  const record = await requireRecord(tx, actor, reversion.id)
  const { selected, others, isCreationSelected } = await readHistory(tx, record, reversion.selection)
  if (isCreationSelected) {
    if (record.revoked_at !== null) return null
    if (!areAdditions(others)) throw changedSince()
    requirePermission(actor, 'moderation.revoke')
    const { id, reason, context } = reversion
    return revoke(tx, ports, actor, { ...context, action: 'revoke', id, reason })
  }
  if (selected.length === 0) return null
  const now = ports.now()
  const origin = selected.at(-1)?.before ?? record
  const groups = listRevertedGroups(record, origin, selected, now)
  const changedByOthers = listGroups(others)
  assertCanRevert(record, groups, changedByOthers)
  const changes = restoreColumns(record, origin, selected, groups, changedByOthers)
  const after = { ...record, ...changes }
  if (isSameRow(record, after)) {
    if (hasRemovedFiles(selected))
      throw new AppError('conflict', { message: 'A removed file cannot be restored.' })
    return null
  }
  requireChangePermissions(actor, record, after, groups, now)
  const isOwn = selected.every(({ actorId }) => actorId === actor.id)
  const restoration = { before: record, after, origin, isOwn, now }
  await assertCanRestore(tx, actor, restoration)
  if (record.in_force === 0 && after.in_force === 1)
    await endOtherSanctions(tx, ports, actor, reversion, record)
  if (countsAsBan(restoration)) await addRecentBan(tx, actor, after.id, now)
  // Before the record: a ban that ends closes the appeal that is open then.
  await restoreAppeal(tx, ports, actor, after, reversion.selection)
  await restoreApproval(tx, ports, actor, { before: record, after, selected })
  await followComments(tx, ports, record, after)
  // Their bytes are deleted by the next cleanup.
  for (const { id } of parseEvidenceFiles(record).filter(isNotIn(parseEvidenceFiles(after))))
    await removeContent(tx, now, { workspaceId: actor.workspaceId, id })
  const context = { auditAction: 'restore', change: reversion.context }
  return updateRecord(tx, ports, actor, context, record, changes)
}

/**
 * The groups to revert: what the selected changes have changed, and the end of a sanction that expired only because they shortened it, and
 * was marked as expired since.
 * @param origin the record before the first of them
 */
function listRevertedGroups(
  record: RecordTable,
  origin: RecordTable,
  selected: readonly Transition[],
  now: number,
): ReadonlySet<ColumnGroup> {
  const groups = listGroups(selected)
  const isBack = groups.has('expires_at') && record.ended === 'expired' && isInForce(origin, now)
  return isBack ? new Set([...groups, 'ended']) : groups
}

const changedSince = () =>
  new AppError('conflict', { message: 'Somebody has changed this record since. It was left alone.' })

function assertCanRevert(
  record: RecordTable,
  groups: ReadonlySet<ColumnGroup>,
  changedByOthers: ReadonlySet<ColumnGroup>,
): void {
  if (groups.has('redacted_at'))
    throw new AppError('conflict', { message: 'This record was redacted, which cannot be undone.' })
  const hasText = groups.has('reason') || groups.has('evidence') || groups.has('comments')
  if (hasText && record.redacted_at !== null)
    throw new AppError('conflict', {
      message: "This record's texts were redacted since. They are not restored.",
    })
  for (const group of groups) if (!LISTS.has(group) && changedByOthers.has(group)) throw changedSince()
}

/** The values from before the selected changes. Comments and files of others stay. */
function restoreColumns(
  record: RecordTable,
  origin: RecordTable,
  selected: readonly Transition[],
  groups: ReadonlySet<ColumnGroup>,
  changedByOthers: ReadonlySet<ColumnGroup>,
): Partial<RecordTable> {
  const columns = listColumns(groups).map((column) => [column, origin[column]])
  return {
    ...Object.fromEntries(columns),
    ...(groups.has('comments') &&
      changedByOthers.has('comments') &&
      toCommentColumns(revertComments(record, selected))),
    ...(groups.has('evidence_files') && toEvidenceFileColumns(revertFiles(record, selected))),
  }
}

/** Without the comments that were added, and with those that were removed. */
function revertComments(record: RecordTable, selected: readonly Transition[]): StoredComment[] {
  let comments = parseComments(record)
  for (const { before, after } of selected) {
    const [earlier, later] = [parseComments(before), parseComments(after)]
    const addedIds = new Set(later.filter(isNotIn(earlier)).map(({ id }) => id))
    comments = [...comments.filter(({ id }) => !addedIds.has(id)), ...earlier.filter(isNotIn(later))]
  }
  return comments.toSorted((one, other) => one.createdAt - other.createdAt)
}

/** Without the files that were added. Those that were removed have no content any more. */
const revertFiles = (record: RecordTable, selected: readonly Transition[]): StoredEvidenceFile[] =>
  parseEvidenceFiles(record).filter(isNotIn(listAddedFiles(selected)))

const listAddedFiles = (selected: readonly Transition[]): StoredEvidenceFile[] =>
  selected.flatMap(({ before, after }) =>
    parseEvidenceFiles(after).filter(isNotIn(parseEvidenceFiles(before))),
  )

/** Whether files were removed that the same changes had not added. */
const hasRemovedFiles = (selected: readonly Transition[]): boolean =>
  selected
    .flatMap(({ before, after }) => parseEvidenceFiles(before).filter(isNotIn(parseEvidenceFiles(after))))
    .some(isNotIn(listAddedFiles(selected)))

interface Entry {
  readonly id: string
}

const isNotIn =
  (entries: readonly Entry[]) =>
  ({ id }: Entry): boolean =>
    !entries.some((entry) => entry.id === id)

/** Requires the permissions of the single actions. @throws AppError `forbidden` */
function requireChangePermissions(
  actor: Actor,
  record: RecordTable,
  after: RecordTable,
  groups: ReadonlySet<ColumnGroup>,
  now: number,
): void {
  for (const group of groups) {
    if (group === 'expires_at') {
      const isEffective = isInForce(record, now) || isInForce(after, now)
      if (isSanction(record) && isEffective) assertCanChangeExpiry(actor, record, after.expires_at)
    } else if (group === 'evidence_files') {
      if (record.evidence_files !== after.evidence_files) requirePermission(actor, 'moderation.evidence')
    } else if (group !== 'ended') requirePermission(actor, 'moderation.edit')
    else if (!isSanction(record)) requirePermission(actor, 'moderation.revoke')
    else if (record.in_force === 0 && after.in_force === 1)
      requirePermission(actor, CREATE_PERMISSIONS[record.action])
    else if (isInForce(record, now)) assertCanLift(actor, record)
  }
}

/**
 * Ends the other sanctions of the player that have expired, and revokes those that this reversion revokes too, so that a player has at
 * most one ban and one mute in force under each form.
 * @throws AppError `conflict` if another one stays in force
 */
async function endOtherSanctions(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  reversion: Reversion,
  record: RecordTable,
): Promise<void> {
  if (!isSanction(record)) return
  for (const other of await findOtherSanctions(tx, actor, record)) {
    if (hasExpired(other, ports.now())) {
      const context = { auditAction: 'expire', change: reversion.context }
      await updateRecord(tx, ports, actor, context, other, { in_force: 0, ended: 'expired' })
      continue
    }
    if (await wereBothInForce(tx, actor, record, other)) continue
    const { others, isCreationSelected } = await readHistory(tx, other, reversion.selection)
    if (!isCreationSelected || !areAdditions(others)) {
      throw new AppError('conflict', {
        message: `Another ${record.action} of this player is in force, so this one was not brought back.`,
      })
    }
    await revertRecord(tx, ports, actor, { ...reversion, id: other.id })
  }
}
