import { appendAuditEntry, ERASE_PLAYER } from '@reeve/audit'
import { type KnownBackups, type ListBackups, serializeActor } from '@reeve/auth'
import {
  type Actor,
  AppError,
  assertNoProblems,
  findUnusedFields,
  invalidRequest,
  listPlayerKeys,
  MAX_ID,
  type Ports,
  paginate,
  parsePage,
  requireFields,
} from '@reeve/core'
import { listSanctionKeys } from '@reeve/core/player-hashes'
import type { ErasureTable, Queries, Transaction } from '@reeve/db'
import { findUnfinishedImport } from '../imports/store.ts'
import { assertOutranksPlayer } from '../limits/members-of-player.ts'
import { hasUnfinishedJob } from '../unfinished-job.ts'
import { type ErasureInput, type ErasuresQueryInput, presentErasure } from './model.ts'
import { ensurePlayerKey } from './player-key.ts'
import { createIdFinder } from './player-text.ts'
import { countPlayerRows, listArchivesWith } from './preview.ts'
import { findUnfinishedErasure, insertErasure, listErasureRows, requireErasure } from './store.ts'

const LIST = 'erasures'
const SINGLE_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'id'])

/** Of an erasure that is not complete, so that its progress can be read often. */
const noBackups: KnownBackups = { backups: [], problem: null }

async function present(db: Queries, row: ErasureTable, backups: KnownBackups, now: number) {
  const archives = await listArchivesWith(db, row.workspace_id, row.first_at, row.finished_at ?? now)
  return presentErasure(row, archives, backups, now)
}

/** A page of the erasures of a workspace, newest first, or one of them. @throws AppError `not_found`, `invalid_request` */
export async function readErasures(
  db: Queries,
  ports: Pick<Ports, 'now'>,
  { workspaceId }: Actor,
  query: ErasuresQueryInput,
  listBackups: ListBackups,
) {
  const { id } = query
  const now = ports.now()
  const presentAll = async (rows: readonly ErasureTable[]) => {
    const backups = rows.some((row) => row.finished_at !== null) ? await listBackups() : noBackups
    return Promise.all(rows.map((row) => present(db, row, backups, now)))
  }
  if (id !== undefined) {
    assertNoProblems(findUnusedFields(query, SINGLE_FIELDS, 'cannot be given together with id'))
    const [erasure] = await presentAll([await requireErasure(db, workspaceId, id)])
    if (!erasure) throw new AppError('not_found')
    return { erasure }
  }
  const page = parsePage(LIST, query, ['string'])
  const before = String(page.after?.[0] ?? MAX_ID)
  const found = await listErasureRows(db, { workspaceId, before, limit: page.limit + 1 })
  const { rows, nextCursor } = paginate(found, page, (row) => [row.id])
  return { erasures: await presentAll(rows), nextCursor }
}

/**
 * Requests the erasure of a player, which a job does. From the moment it is complete, nothing in the workspace tells which player it was without the secret key of the instance.
 * @throws AppError `invalid_request`; `forbidden` (`insufficient_rank`) for a player who is a member with the rank of the actor or a higher
 *   one; `conflict` while another erasure, an import or a job of the workspace is unfinished
 */
export async function requestErasure(tx: Transaction, ports: Ports, actor: Actor, input: ErasureInput) {
  const { userId, confirmUserId, mode, reason } = requireFields(
    input,
    'userId',
    'confirmUserId',
    'mode',
    'reason',
  )
  if (userId !== confirmUserId)
    throw invalidRequest({ field: 'confirmUserId', message: 'must be the same ID as userId' })
  // A player who was pseudonymised before can still be erased.
  const userIds =
    mode === 'erase' ? listSanctionKeys([userId], actor).keys : listPlayerKeys(userId, actor.platforms)
  if (createIdFinder(userIds)(reason))
    throw invalidRequest({
      field: 'reason',
      message: 'must not contain the ID of the player: the audit log keeps the reason for good',
    })
  await assertOutranksPlayer(tx, actor, userId)
  await assertNothingRuns(tx, actor.workspaceId)
  const { workspaceId } = actor
  const now = ports.now()
  const { firstAt } = await countPlayerRows(tx, workspaceId, userIds, now)
  const row: ErasureTable = {
    workspace_id: workspaceId,
    id: ports.newId(),
    mode,
    user_ids: JSON.stringify(userIds),
    user_hashes: null,
    finished_sequence: null,
    reason,
    actor: serializeActor(actor),
    step: 0,
    position: null,
    counts: '{}',
    mentioned_in: '[]',
    first_at: firstAt,
    created_at: now,
    finished_at: null,
  }
  if (mode === 'pseudonymise') await ensurePlayerKey(tx, ports, 'pseudonyms', workspaceId)
  await appendAuditEntry(tx, ports, actor, {
    action: ERASE_PLAYER,
    target: { kind: 'erasure', id: row.id },
    after: { mode, reason },
  })
  await insertErasure(tx, row)
  return { erasure: await present(tx, row, noBackups, now) }
}

/** @throws AppError `conflict` while something runs that could bring the player back */
async function assertNothingRuns(tx: Transaction, workspaceId: string): Promise<void> {
  if (await findUnfinishedErasure(tx, workspaceId))
    throw new AppError('conflict', {
      message: 'Another player of this workspace is being erased. Wait until that is complete.',
    })
  const unfinished = await findUnfinishedImport(tx, workspaceId)
  if (unfinished)
    throw new AppError('conflict', {
      message: `An import of this workspace is not finished: ${unfinished.file_name}. Wait for it, or cancel it.`,
    })
  if (await hasUnfinishedJob(tx, workspaceId))
    throw new AppError('conflict', {
      message:
        'An archive, a copy or a roll-back of this workspace is not finished. Wait for it, or cancel it.',
    })
}
