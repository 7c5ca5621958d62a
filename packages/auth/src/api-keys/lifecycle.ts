import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  canManageApiKey,
  forbidden,
  MAX_ID,
  normalizeName,
  type Ports,
  paginate,
  parseLimits,
  parsePage,
  requireFields,
  wire,
} from '@reeve/core'
import {
  type ApiKeyTable,
  isUsableKey,
  onFormerMember,
  type Queries,
  type Sql,
  selectListedName,
  statement,
  statementFamily,
  type Transaction,
} from '@reeve/db'
import { assertExpiresLater, createApiKey, issueApiKey, toAuditSnapshot } from './create.ts'
import { logTightenedLimits } from './limits.ts'
import {
  type ConfirmKeyInput,
  type KeyQueryInput,
  type KeyRow,
  type NewKeyInput,
  presentKey,
  type RevokeKeyInput,
  type RotateKeyInput,
} from './model.ts'
import { getKeyStatus } from './status.ts'

const CREATOR = { account: 'creator', formerMember: 'former_creator' }
const REVOKER = { account: 'revoker', formerMember: 'former_revoker' }

const selectKeys = (sql: Sql) =>
  sql
    .selectFrom('api_key')
    .leftJoin('account as creator', 'creator.id', 'api_key.created_by')
    .leftJoin('account as revoker', 'revoker.id', 'api_key.revoked_by')
    .leftJoin('former_member as former_creator', onFormerMember('api_key', CREATOR))
    .leftJoin('former_member as former_revoker', onFormerMember('api_key', REVOKER))
    .leftJoin('member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'api_key.workspace_id')
        .onRef('member.account_id', '=', 'creator.id'),
    )
    .selectAll('api_key')
    .select((eb) => [
      selectListedName(eb, CREATOR).as('created_by_username'),
      'creator.username_key as creator_key',
      'creator.disabled_at as creator_disabled_at',
      'member.account_id as creator_member_id',
      selectListedName(eb, REVOKER).as('revoked_by_username'),
    ])

const byId = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  selectKeys(sql).where('api_key.workspace_id', '=', p.workspaceId).where('api_key.id', '=', p.id),
)
type PageParams = { workspaceId: string; now: number; before: string; limit: number }
const newestFirst = statementFamily<PageParams, 'all' | 'usable' | 'ended'>()((sql, p, filter) =>
  selectKeys(sql)
    .where('api_key.workspace_id', '=', p.workspaceId)
    .where('api_key.id', '<', p.before)
    .$if(filter === 'usable', (query) => query.where((eb) => isUsableKey(eb, p.now)))
    .$if(filter === 'ended', (query) =>
      query.where((eb) => eb.or([eb('revoked_at', '<=', p.now), eb('expires_at', '<=', p.now)])),
    )
    .orderBy('api_key.id', 'desc')
    .limit(p.limit),
)
/** Sets when a key is revoked, which can be in the future, and by whom. */
export const setRevocation = statement<{ workspaceId: string; id: string; at: number; by: string }>()(
  (sql, p) =>
    sql
      .updateTable('api_key')
      .set({ revoked_at: p.at, revoked_by: p.by })
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '=', p.id),
)

const clearRestored = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .updateTable('api_key')
    .set({ restored_at: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

const LIST = 'api-keys'

/** A page of the workspace's keys, newest first: usable, ended or all. */
export async function listKeys(db: Queries, ports: Ports, actor: Actor, input: KeyQueryInput) {
  const page = parsePage(LIST, input, ['string'])
  const now = ports.now()
  const results = await db.all(newestFirst(toStatusFilter(input.ended)), {
    workspaceId: actor.workspaceId,
    now,
    before: String(page.after?.[0] ?? MAX_ID),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  return { apiKeys: rows.map((row) => presentKey(row, now)), nextCursor }
}

/** A key as the API returns it; null if it does not exist. */
export async function findApiKey(db: Queries, ports: Ports, workspaceId: string, id: string) {
  const row = await db.first(byId, { workspaceId, id })
  return row ? presentKey(row, ports.now()) : null
}

const toStatusFilter = (isEnded: boolean | undefined) =>
  isEnded === undefined ? 'all' : isEnded ? 'ended' : 'usable'

/**
 * Creates a key from a request body.
 * @returns the presented key, and the key itself, which is not stored
 * @throws AppError `invalid_request` for missing fields; as `createApiKey`
 */
export async function createKeyFromRequest(tx: Transaction, ports: Ports, actor: Actor, input: NewKeyInput) {
  const { name, permissions } = requireFields(input, 'name', 'permissions')
  const { row, secret } = await createApiKey(tx, ports, actor, {
    name,
    permissions,
    expiresAt: input.expiresAt ?? null,
    allowedAddresses: input.allowedAddresses ?? null,
  })
  return { apiKey: presentKey(toKeyRow(actor, row), ports.now()), secret }
}

/**
 * Revokes a key immediately, also one in the grace period of a rotation.
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`), `conflict` if it has ended
 */
export async function revokeKey(tx: Transaction, ports: Ports, actor: Actor, input: RevokeKeyInput) {
  const before = await requireManageableKey(tx, ports, actor, input)
  const after = await scheduleRevocation(tx, actor, before, ports.now())
  await appendAuditEntry(tx, ports, actor, {
    action: 'api_keys.revoke',
    target: { kind: 'api_key', id: before.id },
    before: toAuditSnapshot(before),
    after: toAuditSnapshot(after),
  })
  return { apiKey: presentKey(after, ports.now()) }
}

/**
 * Confirms that a key which a restore has brought back is still in use.
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`), `conflict` if it has ended
 */
export async function confirmKey(tx: Transaction, ports: Ports, actor: Actor, input: ConfirmKeyInput) {
  const before = await requireManageableKey(tx, ports, actor, input)
  if (before.restored_at === null) return { apiKey: presentKey(before, ports.now()) }
  const after = { ...before, restored_at: null }
  await tx.run(clearRestored, { workspaceId: before.workspace_id, id: before.id })
  tx.announce({ kind: 'api_key', workspaceId: before.workspace_id, id: before.id })
  await appendAuditEntry(tx, ports, actor, {
    action: 'api_keys.confirm',
    target: { kind: 'api_key', id: before.id },
    before: toAuditSnapshot(before),
    after: toAuditSnapshot(after),
  })
  return { apiKey: presentKey(after, ports.now()) }
}

/**
 * Replaces a key by a new one with the same name, permissions, rank, limits and IP ranges, and with the same expiry unless another one is
 * given. The old key stays valid for `graceSeconds`, 0 by default.
 * @returns the presented new key, and the key itself, which is not stored
 * @throws AppError `not_found`, `forbidden` (`insufficient_rank`, `missing_permission`), `invalid_request` for an expiry in the past,
 *   `conflict` if it has ended, was already rotated, or at `MAX_USABLE_KEYS`
 */
export async function rotateKey(tx: Transaction, ports: Ports, actor: Actor, input: RotateKeyInput) {
  const previous = await requireManageableKey(tx, ports, actor, input)
  if (previous.revoked_at !== null)
    throw new AppError('conflict', { message: 'This key has already been rotated.' })
  if (input.expiresAt !== undefined) assertExpiresLater(ports, input.expiresAt)
  const after = await scheduleRevocation(tx, actor, previous, ports.now() + (input.graceSeconds ?? 0) * 1000)
  const limits = parseLimits(previous.limits)
  const { row, secret } = await issueApiKey(tx, ports, actor, {
    name: previous.name,
    permissions: wire.permissionSet.read(previous.permissions),
    rank: previous.rank,
    limits,
    expiresAt: input.expiresAt === undefined ? previous.expires_at : input.expiresAt,
    allowedAddresses:
      previous.allowed_addresses === null ? null : (JSON.parse(previous.allowed_addresses) as string[]),
  })
  await appendAuditEntry(tx, ports, actor, {
    action: 'api_keys.rotate',
    target: { kind: 'api_key', id: previous.id },
    before: toAuditSnapshot(previous),
    after: { ...toAuditSnapshot(after), replacedBy: row.id },
  })
  if (row.expires_at !== previous.expires_at)
    await appendAuditEntry(tx, ports, actor, {
      action: 'api_keys.set_expiry',
      target: { kind: 'api_key', id: row.id },
      before: { name: row.name, expiresAt: previous.expires_at },
      after: { name: row.name, expiresAt: row.expires_at },
    })
  // The new key has those of the actor too.
  if (row.limits !== previous.limits) await logTightenedLimits(tx, ports, actor, row, limits)
  return { apiKey: presentKey(toKeyRow(actor, row), ports.now()), secret }
}

const toKeyRow = (actor: Actor, row: ApiKeyTable): KeyRow => ({
  ...row,
  created_by_username: actor.name,
  creator_key: actor.kind === 'account' ? normalizeName(actor.name) : null,
  creator_disabled_at: null,
  creator_member_id: actor.id,
  revoked_by_username: null,
})

/** A key that has not ended and does not rank above the actor. */
async function requireManageableKey(tx: Transaction, ports: Ports, actor: Actor, input: { id?: string }) {
  const { id } = requireFields(input, 'id')
  const row = await tx.first(byId, { workspaceId: actor.workspaceId, id })
  if (!row) throw new AppError('not_found')
  if (!canManageApiKey(actor, row)) throw forbidden('insufficient_rank')
  const status = getKeyStatus({ revokedAt: row.revoked_at, expiresAt: row.expires_at }, ports.now())
  if (status === 'revoked' || status === 'expired') {
    throw new AppError('conflict', { message: `This key is already ${status}.` })
  }
  return row
}

async function scheduleRevocation(tx: Transaction, actor: Actor, row: KeyRow, at: number): Promise<KeyRow> {
  await tx.run(setRevocation, { workspaceId: row.workspace_id, id: row.id, at, by: actor.id })
  tx.announce({ kind: 'api_key', workspaceId: row.workspace_id, id: row.id })
  return { ...row, revoked_at: at, revoked_by: actor.id, revoked_by_username: actor.name }
}
