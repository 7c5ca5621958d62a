import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  boundLimits,
  formatLimits,
  isUuid,
  type Ports,
  parseLimits,
  type RoleLimits,
  tightenLimits,
  wire,
} from '@reeve/core'
import { type ApiKeyTable, isUsableKey, statement, type Transaction } from '@reeve/db'
import { presentLimits } from '@reeve/http'
import { findMembershipPermissions, type MembershipPermissions } from '../gate/membership.ts'

const usableKeys = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .select(['id', 'name', 'permissions', 'rank', 'limits', 'created_by'])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => isUsableKey(eb, p.now)),
)
const setLimits = statement<{ workspaceId: string; id: string; limits: string | null }>()((sql, p) =>
  sql
    .updateTable('api_key')
    .set({ limits: p.limits })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
const setRank = statement<{ workspaceId: string; id: string; rank: number }>()((sql, p) =>
  sql
    .updateTable('api_key')
    .set({ rank: p.rank })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** Who is responsible for an API key: the account that created it, or the key itself if that was no account. */
export const findPersonOfKey = (key: Pick<ApiKeyTable, 'id' | 'created_by'>): string =>
  isUuid(key.created_by) ? key.created_by : key.id

/** What a change of an API key needs of its row. */
type KeyRow = Pick<ApiKeyTable, 'id' | 'name' | 'permissions' | 'rank' | 'limits'>

/**
 * Lowers the rank and tightens the limits of the usable API keys of a workspace to those that their creators have now, so that a key
 * is no way around what its creator has lost. Never raises them: a new key has the higher rank and the wider limits. The keys of
 * somebody who has left stay as they are until that person is a member again.
 * @param creatorId only the keys of this account
 */
export async function restrictKeys(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  creatorId?: string,
): Promise<void> {
  const { workspaceId } = actor
  const keys = await tx.all(usableKeys, { workspaceId, now: ports.now() })
  for (const key of keys.filter((row) => creatorId === undefined || row.created_by === creatorId)) {
    if (findPersonOfKey(key) === key.id) continue
    const creator = await findMembershipPermissions(tx, workspaceId, key.created_by)
    if (!creator) continue
    await tightenLimitsOfKey(tx, ports, actor, key, creator)
    await lowerRankOfKey(tx, ports, actor, key, creator.rank)
  }
}

async function tightenLimitsOfKey(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  key: KeyRow,
  creator: MembershipPermissions,
): Promise<void> {
  const { workspaceId } = actor
  const { id } = key
  const before = parseLimits(key.limits)
  const after = tightenLimits(before, boundLimits(creator, wire.permissionSet.read(key.permissions)))
  const limits = formatLimits(after)
  if (limits === key.limits) return
  await tx.run(setLimits, { workspaceId, id, limits })
  await logTightenedLimits(tx, ports, actor, { ...key, limits }, before)
  tx.announce({ kind: 'api_key', workspaceId, id })
}

/** Writes to the audit log that a key has stricter limits than before. */
export async function logTightenedLimits(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { id, name, limits }: Pick<KeyRow, 'id' | 'name' | 'limits'>,
  before: RoleLimits,
): Promise<void> {
  await appendAuditEntry(tx, ports, actor, {
    action: 'api_keys.limit',
    target: { kind: 'api_key', id },
    before: { name, ...presentLimits(before) },
    after: { name, ...presentLimits(parseLimits(limits)) },
  })
}

async function lowerRankOfKey(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { id, name, rank: rankBefore }: KeyRow,
  rank: number,
): Promise<void> {
  const { workspaceId } = actor
  if (rankBefore <= rank) return
  await tx.run(setRank, { workspaceId, id, rank })
  await appendAuditEntry(tx, ports, actor, {
    action: 'api_keys.lower_rank',
    target: { kind: 'api_key', id },
    before: { name, rank: String(rankBefore) },
    after: { name, rank: String(rank) },
  })
  tx.announce({ kind: 'api_key', workspaceId, id })
}
