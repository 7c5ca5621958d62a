import type { Actor, Ports } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'
import { type AuditTable, insertAll, statement, type Transaction } from '@reeve/db'

/** The chain of what belongs to no workspace: accounts, operators, settings. */
export const INSTANCE_CHAIN = 'instance'

/** What the first row of every chain points back to. */
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
const redactChanges = statement<{ workspaceId: string; targetId: string }>()((sql, p) =>
  sql
    .updateTable('audit')
    .set({ changes: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.targetId),
)

/** One change, as the log keeps it. */
export interface AuditEntry {
  /** `<resource>.<verb>`, such as `moderation.ban`. */
  readonly action: string
  readonly target: { readonly kind: string; readonly id: string }
  /** The record before and after, as data; leave secrets out. */
  readonly before?: unknown
  readonly after?: unknown
  /** The chain to append to; the actor's workspace by default. */
  readonly chain?: string
}

/** The hash of a row: over every column but itself, and over the hash of its changes instead of the changes. */
export const hashRow = (row: Omit<AuditTable, 'hash' | 'changes'>): string =>
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

export const hashChanges: (changes: string) => string = sha256Hex

/**
 * Starts the chain of a new workspace; a chain that is open already stays as it is.
 * @param after its first row is numbered one higher: 0 for a workspace made empty, the sequence of the archive for a
 *   copy, whose records bring their sequences along and must not lie ahead of the changes to come
 */
export async function startChain(tx: Transaction, workspaceId: string, initialSequence = 0): Promise<void> {
  await tx.run(insertHead, { workspaceId, after: initialSequence, genesis: GENESIS })
}

/**
 * Adds the row of a change to its workspace's chain, in the transaction of the change.
 * @returns the workspace's sequence: one higher with every change
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
  // The salt keeps short texts from being guessed from their hash once they have been redacted.
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
  await tx.run(insertRow, { ...row, changes, hash })
  await tx.run(updateHeadHash, { workspaceId, hash })
  return head.audit_sequence
}

/** Blanks what the log holds of a record's texts. The chain stays whole: it goes over their hash. */
export async function redactAuditEntries(
  tx: Transaction,
  workspaceId: string,
  targetId: string,
): Promise<void> {
  await tx.run(redactChanges, { workspaceId, targetId })
}
