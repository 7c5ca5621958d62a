import { createHmac } from 'node:crypto'
import type { Ports } from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'
import type { AuditTable } from '@reeve/db'

/** Derives the key that authenticates the audit log. */
export type AuditKey = Pick<Ports, 'deriveKey'>

/** What the first row of every chain links to instead of the hash of a row before it. */
export const GENESIS = '0'.repeat(64)

/**
 * What the hash of a row covers: its columns, with a hash of the name and of the changes in their place, so that both can be removed,
 * and what is before it.
 */
export type HashedRow = Omit<AuditTable, 'hash' | 'actor_name' | 'changes' | 'blanked_changes_hash'> & {
  /** The seal of the head before this row. */
  readonly previous_hash: string
}

const serializeRow = (row: HashedRow, actorName: string | null): string =>
  JSON.stringify([
    row.workspace_id,
    row.sequence,
    row.id,
    row.at,
    row.actor_kind,
    row.actor_id,
    actorName,
    row.action,
    row.target_kind,
    row.target_id,
    row.changes_hash,
    row.address,
    row.request_id,
    row.previous_hash,
  ])

/** Measured on Bun 1.4.5: 0.8 µs for a row, half of what `Bun.CryptoHasher` takes. */
const authenticate = ({ deriveKey }: AuditKey, text: string): string =>
  createHmac('sha256', deriveKey('audit')).update(text).digest('hex')

/** The hash of a row: HMAC-SHA-256, so that nobody can compute it without the key. */
export const hashRow = (key: AuditKey, row: HashedRow): string =>
  authenticate(key, serializeRow(row, row.actor_name_hash))

/**
 * What the head of a chain contains, and what the next row links to. The seals of earlier heads are stored nowhere, so that nobody
 * can cut rows off the end without the key.
 * @param hash that of the last row; `GENESIS` if there is none
 */
export const sealHead = (key: AuditKey, workspaceId: string, sequence: number, hash: string): string =>
  authenticate(key, JSON.stringify(['head', workspaceId, sequence, hash]))

/** Authenticates other data about the audit log. @param purpose keeps it apart from rows, heads and other purposes */
export const authenticateData = (key: AuditKey, purpose: string, data: unknown): string =>
  authenticate(key, JSON.stringify([purpose, data]))

/** The hash of a row in a log that was written before it was keyed. */
export const hashUnkeyedRow = (row: AuditTable, previous_hash: string): string =>
  sha256Hex(serializeRow({ ...row, changes_hash: getChangesHash(row), previous_hash }, row.actor_name))

/** The hash of the changes of a row, which stays valid after they are redacted. */
export const hashChanges: (changes: string) => string = sha256Hex

/**
 * The hash of the name of an actor, which stays valid after the name is blanked. Keyed, because a name could be guessed from its hash.
 * Each row has another one.
 */
export const hashActorName = (
  key: AuditKey,
  { workspace_id, id, actor_name }: Pick<AuditTable, 'workspace_id' | 'id' | 'actor_name'>,
): string => authenticate(key, JSON.stringify(['name', workspace_id, id, actor_name]))

/** The hash of the changes as they were written. */
const getChangesHash = ({ changes, changes_hash }: AuditTable): string | null =>
  changes_hash ?? (changes === null ? null : hashChanges(changes))

/**
 * Proves that this program has blanked names in the changes of a row.
 * @param changesHash that of the changes before @param changes the changes after it
 */
export const hashBlankedChanges = (
  key: AuditKey,
  { workspace_id, sequence }: Pick<AuditTable, 'workspace_id' | 'sequence'>,
  changesHash: string,
  changes: string,
): string =>
  authenticate(key, JSON.stringify(['blank', workspace_id, sequence, changesHash, hashChanges(changes)]))

/** A stored row as its hash covers it. @param previous_hash the seal before it */
export const toHashedRow = (key: AuditKey, row: AuditTable, previous_hash: string): HashedRow => ({
  ...row,
  actor_name_hash: row.actor_name_hash ?? hashActorName(key, row),
  changes_hash: getChangesHash(row),
  previous_hash,
})
