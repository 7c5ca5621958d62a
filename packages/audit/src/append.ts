import type { Actor, Ports } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'
import { type AuditTable, insertAll, statement, type Transaction } from '@reeve/db'

/** The chain of changes that belong to no workspace: accounts, operators, settings. */
export const INSTANCE_CHAIN = 'instance'

/** The previous hash of the first row of every chain. */
export const GENESIS = '0'.repeat(64)

const insertHead = statement<{ workspaceId: string; after: number; genesis: string }>()((sql, p) =>
  insertAll(sql, 'workspace_head', {
    workspace_id: p.workspaceId,
    case_number: 0,
    audit_sequence: p.after,
    audit_hash: p.genesis,
  }).onConflict((conflict) => conflict.doNothing()),
)
const incrementSequence = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set((eb) => ({ audit_sequence: eb('audit_sequence', '+', 1) }))
    .where('workspace_id', '=', p.workspaceId)
    .returning(['audit_sequence', 'audit_hash']),
)
const updateHeadHash = statement<{ workspaceId: string; hash: string }>()((sql, p) =>
  sql.updateTable('workspace_head').set({ audit_hash: p.hash }).where('workspace_id', '=', p.workspaceId),
)
const insertRow = statement<AuditTable>()((sql, p) => insertAll(sql, 'audit', p))
const unredactedRows = statement<{ workspaceId: string; targetId: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(['sequence', 'changes'])
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.targetId)
    .where('changes', 'is not', null)
    .limit(p.limit),
)
const redactChanges = statement<{ workspaceId: string; sequence: number; hash: string }>()((sql, p) =>
  sql
    .updateTable('audit')
    .set({ changes: null, changes_hash: p.hash })
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '=', p.sequence),
)

/** A change to record. */
export interface AuditEntry {
  /** `<resource>.<verb>`, such as `moderation.ban`. */
  readonly action: string
  readonly target: { readonly kind: string; readonly id: string }
  /** The resource before and after the change, as JSON data without secrets. */
  readonly before?: unknown
  readonly after?: unknown
  /** The chain to append to; by default that of the actor's workspace. */
  readonly chain?: string
}

/** What the hash of a row covers: its columns, with the hash of the changes in place of the changes, and the hash before it. */
export type HashedRow = Omit<AuditTable, 'hash' | 'changes'> & { readonly previous_hash: string }

/** The hash of a row. */
export const hashRow = (row: HashedRow): string =>
  sha256Hex(
    JSON.stringify([
      row.workspace_id,
      row.sequence,
      row.id,
      row.at,
      row.actor_kind,
      row.actor_id,
      row.actor_name,
      row.action,
      row.target_kind,
      row.target_id,
      row.changes_hash,
      row.address,
      row.request_id,
      row.previous_hash,
    ]),
  )

/** The hash of the changes of a row, which stays valid after they are redacted. */
export const hashChanges: (changes: string) => string = sha256Hex

/**
 * Starts the chain of a new workspace; an existing chain stays unchanged.
 * @param initialSequence the first row gets the next number. 0 for an empty workspace; for a copy the sequence of the
 *   archive, because the copied records keep their sequences, which must not exceed those of later changes
 */
export async function startChain(tx: Transaction, workspaceId: string, initialSequence = 0): Promise<void> {
  await tx.run(insertHead, { workspaceId, after: initialSequence, genesis: GENESIS })
}

/**
 * Appends a change to the chain of its workspace, in the transaction of the change.
 * @returns the new sequence of the workspace, which increases by one with every change
 */
export async function appendAuditEntry(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  entry: AuditEntry,
): Promise<number> {
  const workspaceId = entry.chain ?? actor.workspaceId
  let head = await tx.first(incrementSequence, { workspaceId })
  if (!head) {
    await startChain(tx, workspaceId)
    head = await tx.first(incrementSequence, { workspaceId })
  }
  if (!head) throw new Error('the audit chain has no head')
  // Without a salt, a redacted short text could be guessed from its hash.
  const salt = Buffer.from(ports.randomBytes(12)).toString('base64url')
  const changes = JSON.stringify({ before: entry.before ?? null, after: entry.after ?? null, salt })
  const row = {
    workspace_id: workspaceId,
    sequence: head.audit_sequence,
    id: ports.newId(),
    at: ports.now(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action: entry.action,
    target_kind: entry.target.kind,
    target_id: entry.target.id,
    changes_hash: hashChanges(changes),
    address: actor.ip,
    request_id: actor.requestId,
    previous_hash: head.audit_hash,
  }
  const hash = hashRow(row)
  await tx.run(insertRow, { ...row, changes, changes_hash: '', hash })
  await tx.run(updateHeadHash, { workspaceId, hash })
  return head.audit_sequence
}

/** The number of rows whose changes are in memory at a time. */
const REDACTION_BATCH = 50

/** Removes the changes of a record from the log, and stores their hash, so that the chain stays valid. */
export async function redactAuditEntries(
  tx: Transaction,
  workspaceId: string,
  targetId: string,
): Promise<void> {
  for (;;) {
    const rows = await tx.all(unredactedRows, { workspaceId, targetId, limit: REDACTION_BATCH })
    for (const { sequence, changes } of rows)
      await tx.run(redactChanges, { workspaceId, sequence, hash: hashChanges(changes ?? '') })
    if (rows.length < REDACTION_BATCH) return
  }
}
