import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertCanGrant,
  boundLimits,
  formatLimits,
  invalidRequest,
  NO_LIMITS,
  type Permission,
  type Ports,
  parseLimits,
  type RoleLimits,
  tightenLimits,
  wire,
} from '@reeve/core'
import { type ApiKeyTable, insertAll, isUsableKey, statement, type Transaction } from '@reeve/db'
import { presentLimits } from '@reeve/http'
import { generateApiKey, hashToken } from '../token.ts'

/** Keys of a workspace that are neither revoked nor expired, also those whose revocation is scheduled. */
export const MAX_USABLE_KEYS = 50

const insertKey = statement<ApiKeyTable>()((sql, p) => insertAll(sql, 'api_key', p))
const countUsable = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('usable'))
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => isUsableKey(eb, p.now)),
)

export interface NewKey {
  readonly name: string
  readonly permissions: readonly Permission[]
  /** Epoch milliseconds; null for no expiry. */
  readonly expiresAt: number | null
  /** IP addresses and CIDR ranges; null allows every IP address. */
  readonly allowedAddresses: readonly string[] | null
}

/**
 * Creates an API key in the actor's workspace, with the actor's rank and limits. The actor must have every permission of the key.
 * @returns the stored row, and the key itself, which is not stored
 * @throws AppError `forbidden` (`missing_permission`), `invalid_request` for an expiry in the past, `conflict` at
 *   `MAX_USABLE_KEYS`
 */
export async function createApiKey(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: NewKey,
): Promise<{ row: ApiKeyTable; secret: string }> {
  assertExpiresLater(ports, input.expiresAt)
  const created = await issueApiKey(tx, ports, actor, { ...input, rank: actor.rank, limits: NO_LIMITS })
  await appendAuditEntry(tx, ports, actor, {
    action: 'api_keys.create',
    target: { kind: 'api_key', id: created.row.id },
    after: toAuditSnapshot(created.row),
  })
  return created
}

/** @param expiresAt epoch milliseconds; null for never @throws AppError `invalid_request` for a time that is not in the future */
export function assertExpiresLater(ports: Ports, expiresAt: number | null): void {
  if (expiresAt !== null && expiresAt <= ports.now())
    throw invalidRequest({ field: 'expiresAt', message: 'must be in the future' })
}

/**
 * Generates and stores a key. Does not write to the audit log: creation and rotation do.
 * @param input.rank not above the actor's rank @param input.limits tightened to those of the actor
 * @returns the stored row, and the key itself, which is not stored
 * @throws AppError `forbidden` (`missing_permission`), `conflict` at `MAX_USABLE_KEYS`
 */
export async function issueApiKey(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: NewKey & { readonly rank: number; readonly limits: RoleLimits },
): Promise<{ row: ApiKeyTable; secret: string }> {
  assertCanGrant(actor, input.permissions)
  const now = ports.now()
  const count = await tx.first(countUsable, { workspaceId: actor.workspaceId, now })
  if ((count?.usable ?? 0) >= MAX_USABLE_KEYS) {
    throw new AppError('conflict', {
      message: `A workspace can have at most ${MAX_USABLE_KEYS} API keys that still work. Revoke one first.`,
    })
  }
  const secret = generateApiKey(ports)
  const row: ApiKeyTable = {
    workspace_id: actor.workspaceId,
    id: ports.newId(),
    name: input.name,
    key_hash: hashToken(secret),
    hint: secret.slice(-4),
    permissions: wire.permissionSet.write(input.permissions),
    rank: input.rank,
    limits: formatLimits(tightenLimits(input.limits, boundLimits(actor, input.permissions))),
    allowed_addresses: input.allowedAddresses === null ? null : JSON.stringify(input.allowedAddresses),
    created_by: actor.id,
    created_at: now,
    expires_at: input.expiresAt,
    last_used_at: null,
    last_used_address: null,
    revoked_at: null,
    revoked_by: null,
    restored_at: null,
  }
  await tx.run(insertKey, row)
  tx.announce({ kind: 'api_key', workspaceId: row.workspace_id, id: row.id })
  return { row, secret }
}

/** The fields of a key for the audit log; neither the key nor its hash. */
export const toAuditSnapshot = (row: ApiKeyTable) => ({
  name: row.name,
  rank: String(row.rank),
  permissions: wire.permissionSet.read(row.permissions),
  limits: row.limits === null ? null : presentLimits(parseLimits(row.limits)),
  allowedAddresses: row.allowed_addresses === null ? null : (JSON.parse(row.allowed_addresses) as string[]),
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  restoredAt: row.restored_at,
})
