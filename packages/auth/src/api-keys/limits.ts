import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  boundLimits,
  formatLimits,
  type Ports,
  parseLimits,
  tightenLimits,
  wire,
} from '@reeve/core'
import { type ApiKeyTable, isLiveKey, statement, type Transaction } from '@reeve/db'
import { presentLimits } from '@reeve/http'
import { findMembershipPermissions } from '../gate/membership.ts'

const liveKeys = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .select(['id', 'name', 'permissions', 'limits', 'created_by'])
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => isLiveKey(eb, p.now)),
)
const setLimits = statement<{ workspaceId: string; id: string; limits: string | null }>()((sql, p) =>
  sql
    .updateTable('api_key')
    .set({ limits: p.limits })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

const ACCOUNT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Who is responsible for an API key: the account that created it, or the key itself if that was no account. */
export const findPersonOfKey = (key: Pick<ApiKeyTable, 'id' | 'created_by'>): string =>
  ACCOUNT_ID.test(key.created_by) ? key.created_by : key.id

/**
 * Tightens the limits of the live API keys of a workspace to those that their creators have now, so that a key is no way around
 * a limit that its creator got later. Never widens them: a new key has the wider limits.
 * @param creatorId only the keys of this account
 */
export async function tightenKeyLimits(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  creatorId?: string,
): Promise<void> {
  const { workspaceId } = actor
  const keys = await tx.all(liveKeys, { workspaceId, now: ports.now() })
  for (const key of keys.filter((row) => creatorId === undefined || row.created_by === creatorId)) {
    if (findPersonOfKey(key) === key.id) continue
    const creator = await findMembershipPermissions(tx, workspaceId, key.created_by)
    if (!creator) continue
    const before = parseLimits(key.limits)
    const after = tightenLimits(before, boundLimits(creator, wire.permissionSet.read(key.permissions)))
    const limits = formatLimits(after)
    if (limits === key.limits) continue
    const { id, name } = key
    await tx.run(setLimits, { workspaceId, id, limits })
    await appendAuditEntry(tx, ports, actor, {
      action: 'api_keys.limit',
      target: { kind: 'api_key', id },
      before: { name, ...presentLimits(before) },
      after: { name, ...presentLimits(after) },
    })
    tx.announce({ kind: 'api_key', workspaceId, id })
  }
}
