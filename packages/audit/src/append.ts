import { type Actor, type Ports, STORED_ROW_BYTES } from '@reeve/core'
import {
  type AuditTable,
  encodeCompactJson,
  insertAll,
  statement,
  statementFamily,
  type Transaction,
} from '@reeve/db'
import { type AuditKey, GENESIS, hashChanges, hashRow, sealHead, toHashedRow } from './authenticate.ts'
import { formatChanges } from './changes.ts'
import { assertCheckValue, CHECK_VALUE_NAME, readCheckValue } from './check-value.ts'
import { REDACTABLE_KINDS } from './redactions.ts'

/** The chain of changes that belong to no workspace: accounts, operators, settings. */
export const INSTANCE_CHAIN = 'instance'

const insertHead = statement<{ workspaceId: string; after: number; seal: string }>()((sql, p) =>
  insertAll(sql, 'workspace_head', {
    workspace_id: p.workspaceId,
    case_number: 0,
    audit_sequence: p.after,
    history: 0,
    feed_from: 0,
    audit_hash: p.seal,
    record_bytes: 0,
    image_bytes: 0,
    evidence_bytes: 0,
    archive_bytes: 0,
    response_bytes: 0,
    storage_counted_at: 0,
  }).onConflict((conflict) => conflict.doNothing()),
)
const advanceHead = statementFamily<{ workspaceId: string }, { isNewCase: boolean }>()(
  (sql, p, { isNewCase }) =>
    sql
      .updateTable('workspace_head')
      .set((eb) => ({
        audit_sequence: eb('audit_sequence', '+', 1),
        ...(isNewCase && { case_number: eb('case_number', '+', 1) }),
      }))
      .where('workspace_id', '=', p.workspaceId)
      .returning((eb) => [
        'audit_sequence',
        'audit_hash',
        'case_number',
        eb
          .selectFrom('instance_secret')
          .select('value')
          .where('name', '=', CHECK_VALUE_NAME)
          .as('check_value'),
      ]),
)
const updateHead = statement<{ workspaceId: string; seal: string; storedBytes: number }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({ audit_hash: p.seal, record_bytes: eb('record_bytes', '+', p.storedBytes) }))
    .where('workspace_id', '=', p.workspaceId),
)
const changesSize = statement<{ workspaceId: string; targetId: string }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select((eb) => eb.fn.sum<number>(eb.fn('octet_length', ['changes'])).as('bytes'))
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.targetId)
    .where('target_kind', 'in', REDACTABLE_KINDS),
)
const insertRow = statement<AuditTable>()((sql, p) => insertAll(sql, 'audit', p))
const unredactedRows = statement<{ workspaceId: string; targetId: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(['sequence', 'changes', 'changes_hash'])
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.targetId)
    // An assignment has the id of its record too, and no texts.
    .where('target_kind', 'in', REDACTABLE_KINDS)
    .where('changes', 'is not', null)
    .limit(p.limit),
)
const redactChanges = statement<{ workspaceId: string; sequence: number; hash: string }>()((sql, p) =>
  sql
    .updateTable('audit')
    .set({ changes: null, changes_hash: p.hash, blanked_changes_hash: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '=', p.sequence),
)

/** A change to record. */
export interface AuditEntry {
  /** `<resource>.<verb>`, such as `moderation.ban`. */
  readonly action: string
  readonly target: { readonly kind: string; readonly id: string }
  /**
   * The complete resource before and after the change, as JSON data without secrets. The entry stores what differs, and of a
   * new or deleted resource what is set.
   */
  readonly before?: object | null | undefined
  readonly after?: object | null | undefined
  /** The chain to append to; by default that of the actor's workspace. */
  readonly chain?: string
  /** The bytes that the change adds to records and their versions (`countStoredBytes`), which count against the storage quota. */
  readonly storedBytes?: number
}

/**
 * Starts the chain of a new workspace; an existing chain stays unchanged.
 * @param initialSequence the first row gets the next number. 0 for an empty workspace; for a copy the sequence of the
 *   archive, because the copied records keep their sequences, which must not exceed those of later changes
 * @throws AppError if the key is no longer that of the instance
 */
export async function startChain(
  tx: Transaction,
  key: AuditKey,
  workspaceId: string,
  initialSequence = 0,
): Promise<void> {
  // Rekeying lists the chains before each of its steps, so it also finds one that is committed meanwhile.
  assertCheckValue(key, await readCheckValue(tx))
  const seal = sealHead(key, workspaceId, initialSequence, GENESIS)
  await tx.run(insertHead, { workspaceId, after: initialSequence, seal })
}

/** The place of the next entry in its chain. */
export interface ReservedEntry {
  readonly sequence: number
  /** The seal of the head before this entry. */
  readonly previousHash: string
  /** The last case number of the workspace: that of the new case, if the entry is about one. */
  readonly caseNumber: number
}

/**
 * Reserves the next entry of a chain, to be passed to `appendAuditEntry` before any other entry of the chain is appended. Numbers
 * have no gaps, because they are assigned in the transaction of the change.
 * @param options.isNewCase assigns the next case number in the same statement
 * @throws AppError if the key is no longer that of the instance: the chain gets the new key in a later transaction, under the same lock
 */
export async function reserveAuditEntry(
  tx: Transaction,
  key: AuditKey,
  workspaceId: string,
  { isNewCase }: { readonly isNewCase: boolean },
): Promise<ReservedEntry> {
  const advance = advanceHead({ isNewCase })
  let head = await tx.first(advance, { workspaceId })
  if (!head) {
    await startChain(tx, key, workspaceId)
    head = await tx.first(advance, { workspaceId })
  }
  if (!head) throw new Error('the audit chain has no head')
  assertCheckValue(key, head.check_value)
  return { sequence: head.audit_sequence, previousHash: head.audit_hash, caseNumber: head.case_number }
}

/**
 * Appends a change to the chain of its workspace, in the transaction of the change.
 * @param reserved the entry, if it was reserved before
 * @returns the new sequence of the workspace, which increases by one with every change
 */
export async function appendAuditEntry(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  entry: AuditEntry,
  reserved?: ReservedEntry,
): Promise<number> {
  const workspaceId = entry.chain ?? actor.workspaceId
  const { sequence, previousHash } =
    reserved ?? (await reserveAuditEntry(tx, ports, workspaceId, { isNewCase: false }))
  const salt = Buffer.from(ports.randomBytes(12)).toString('base64url')
  const context = { actor, workspaceId, target: entry.target }
  const changes = formatChanges(context, entry.before, entry.after, salt)
  const row = {
    workspace_id: workspaceId,
    sequence,
    id: ports.newId(),
    at: ports.now(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action: entry.action,
    target_kind: entry.target.kind,
    target_id: entry.target.id,
    changes,
    address: actor.ip,
    request_id: actor.requestId,
    actor_name_hash: null,
    changes_hash: null,
    blanked_changes_hash: null,
    hash: '',
  }
  const hash = hashRow(ports, toHashedRow(ports, row, previousHash))
  await tx.send(insertRow, { ...row, hash })
  const storedBytes = STORED_ROW_BYTES + encodeCompactJson(changes).length + (entry.storedBytes ?? 0)
  await tx.send(updateHead, {
    workspaceId,
    seal: sealHead(ports, workspaceId, sequence, hash),
    storedBytes,
  })
  return sequence
}

/** The number of rows whose changes are in memory at a time. */
const REDACTION_BATCH = 50

/**
 * Removes the changes of a record or an appeal from the log, and stores their hash, so that the chain stays valid.
 * @returns their size in bytes
 */
export async function redactAuditEntries(
  tx: Transaction,
  workspaceId: string,
  targetId: string,
): Promise<number> {
  const size = await tx.first(changesSize, { workspaceId, targetId })
  for (;;) {
    const rows = await tx.all(unredactedRows, { workspaceId, targetId, limit: REDACTION_BATCH })
    for (const { sequence, changes, changes_hash } of rows)
      await tx.run(redactChanges, { workspaceId, sequence, hash: changes_hash ?? hashChanges(changes ?? '') })
    if (rows.length < REDACTION_BATCH) return Number(size?.bytes ?? 0)
  }
}
