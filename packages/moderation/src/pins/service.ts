import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertNoProblems,
  listPlayerKeys,
  type Ports,
  requireFields,
  wire,
} from '@reeve/core'
import {
  insertAll,
  type PinnedNoteTable,
  type Queries,
  type RecordTable,
  statement,
  type Transaction,
} from '@reeve/db'
import { uniqueViolationToConflict } from '@reeve/http'
import { requireRecord } from '../records/record-store.ts'
import { assertUnderRowLimit } from '../row-limit.ts'
import type { PinnedNote, PinnedNoteInput } from './model.ts'

type NoteKey = { workspaceId: string; id: string }
type NoteRow = PinnedNoteTable & { [Column in 'reason' | 'case_number']: RecordTable[Column] | null }

const notesOfPlayer = statement<{ workspaceId: string; userIds: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('pinned_note')
    .leftJoin('record', (join) =>
      join
        .onRef('record.workspace_id', '=', 'pinned_note.workspace_id')
        .onRef('record.id', '=', 'pinned_note.record_id'),
    )
    .selectAll('pinned_note')
    .select(['record.reason', 'record.case_number'])
    .where('pinned_note.workspace_id', '=', p.workspaceId)
    .where(dialect.inList('pinned_note.user_id', p.userIds))
    .orderBy('pinned_note.id', 'desc'),
)
const noteById = statement<NoteKey>()((sql, p) =>
  sql.selectFrom('pinned_note').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const insertNote = statement<PinnedNoteTable>()((sql, p) => insertAll(sql, 'pinned_note', p))
const deleteNote = statement<NoteKey>()((sql, p) =>
  sql.deleteFrom('pinned_note').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)

/** Maximum number of pinned notes of a player: they are all shown, above everything else. */
const MAX_PINNED_NOTES = 10

const presentPinnedNote = (row: NoteRow): PinnedNote => ({
  id: row.id,
  userId: row.user_id,
  text: row.record_id === null ? row.text : row.reason,
  recordId: row.record_id,
  caseNumber: row.case_number === null ? null : String(row.case_number),
  createdBy: row.created_by,
  createdAt: wire.time.write(row.created_at),
})

/** The pinned notes of a player, newest first. */
export async function listPinnedNotes(
  db: Queries,
  { workspaceId, platforms }: Pick<Actor, 'workspaceId' | 'platforms'>,
  userId: string,
): Promise<PinnedNote[]> {
  const userIds = listPlayerKeys(userId, platforms)
  return (await db.all(notesOfPlayer, { workspaceId, userIds })).map(presentPinnedNote)
}

/**
 * Pins a text or a record, so that it is shown first about its player.
 * @throws AppError `invalid_request`, `not_found`, `conflict` if the record is pinned already, or at the limit
 */
export async function pinNote(tx: Transaction, ports: Ports, actor: Actor, input: PinnedNoteInput) {
  const { workspaceId } = actor
  const record = input.recordId === undefined ? null : await requireRecord(tx, actor, input.recordId)
  if (record) {
    assertNoProblems(
      (['userId', 'text'] as const)
        .filter((field) => input[field] !== undefined)
        .map((field) => ({ field, message: 'cannot be given together with recordId' })),
    )
  }
  const { userId, text } = record
    ? { userId: record.user_id, text: null }
    : requireFields(input, 'userId', 'text')
  if ((await listPinnedNotes(tx, actor, userId)).length >= MAX_PINNED_NOTES) {
    throw new AppError('conflict', {
      message: `A player can have at most ${MAX_PINNED_NOTES} pinned notes. Unpin one first.`,
    })
  }
  await assertUnderRowLimit(tx, workspaceId, 'pinned_note')
  const row: PinnedNoteTable = {
    workspace_id: workspaceId,
    id: ports.newId(),
    user_id: userId,
    record_id: record?.id ?? null,
    text,
    created_by: actor.id,
    created_at: ports.now(),
  }
  await uniqueViolationToConflict(tx.run(insertNote, row), 'This case is pinned already.')
  const note = presentPinnedNote({
    ...row,
    reason: record?.reason ?? null,
    case_number: record?.case_number ?? null,
  })
  await recordChange(tx, ports, actor, 'create', row, note)
  return { pinnedNote: note }
}

/** Unpins a note. The record that it shows stays as it is. @throws AppError `not_found` */
export async function unpinNote(tx: Transaction, ports: Ports, actor: Actor, input: { id?: string }) {
  const { id } = requireFields(input, 'id')
  const row = await tx.first(noteById, { workspaceId: actor.workspaceId, id })
  if (!row) throw new AppError('not_found')
  const record = row.record_id === null ? null : await requireRecord(tx, actor, row.record_id)
  const note = presentPinnedNote({
    ...row,
    reason: record?.reason ?? null,
    case_number: record?.case_number ?? null,
  })
  await tx.run(deleteNote, { workspaceId: actor.workspaceId, id })
  await recordChange(tx, ports, actor, 'delete', row, note)
  return { pinnedNote: note }
}

/** The audit entry of a pinned record does not repeat its text, so that redacting the record removes it everywhere. */
async function recordChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: 'create' | 'delete',
  row: PinnedNoteTable,
  note: PinnedNote,
): Promise<void> {
  const content = { ...note, text: row.text }
  await appendAuditEntry(tx, ports, actor, {
    action: `pinned_notes.${action}`,
    target: { kind: 'pinned_note', id: row.id },
    before: action === 'delete' ? content : null,
    after: action === 'create' ? content : null,
  })
  tx.announce({ kind: 'pinned_note', workspaceId: row.workspace_id, id: row.id })
}
