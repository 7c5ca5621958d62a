import {
  type Actor,
  anonymousActor,
  forbidden,
  type Ports,
  parseLimits,
  toKeyLimits,
  wire,
} from '@reeve/core'
import { openPlayerKey } from '@reeve/core/player-hashes'
import { type Queries, statement } from '@reeve/db'
import { findPersonOfKey } from './api-keys/limits.ts'
import { getKeyStatus } from './api-keys/status.ts'
import { findMembershipPermissions } from './gate/membership.ts'

const accountById = statement<{ accountId: string }>({ isCommutative: true })((sql, p) =>
  sql.selectFrom('account').select(['disabled_at', 'is_operator']).where('id', '=', p.accountId),
)
const keyById = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .select(['permissions', 'rank', 'limits', 'created_by', 'revoked_at', 'expires_at'])
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

const pseudonymKeyOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('pseudonym_key').where('id', '=', p.workspaceId),
)

/** A row of a job that stores who requested it. */
interface JobRow {
  readonly workspace_id: string
  readonly actor: string
}

/** What is stored of the actor of a job: what its audit entries need. Permissions are read again. */
type StoredActor = Pick<Actor, 'kind' | 'id' | 'name' | 'workspaceId' | 'platforms' | 'ip' | 'requestId'>

/** Converts an actor for storage. */
export function serializeActor({ kind, id, name, workspaceId, platforms, ip, requestId }: Actor): string {
  const stored: StoredActor = { kind, id, name, workspaceId, platforms, ip, requestId }
  return JSON.stringify(stored)
}

/** Who requested a job, without permissions and the key of pseudonyms: for audit entries. */
export const parseActor = ({ actor }: Pick<JobRow, 'actor'>): Actor => ({
  ...anonymousActor,
  ...(JSON.parse(actor) as StoredActor),
})

/** The key by which bans of pseudonymised players are found; null in a workspace without any. */
export async function loadPseudonymKey(
  db: Queries,
  ports: Ports,
  workspaceId: string,
): Promise<Uint8Array | null> {
  const row = await db.first(pseudonymKeyOf, { workspaceId })
  return openPlayerKey(ports, 'pseudonyms', workspaceId, row?.pseudonym_key ?? null)
}

/**
 * Who requested a job, with the permissions that they have now in its workspace.
 * @throws AppError `forbidden` if they have lost access since
 */
export async function loadActor(db: Queries, ports: Ports, job: JobRow): Promise<Actor> {
  const pseudonymKey = await loadPseudonymKey(db, ports, job.workspace_id)
  const actor = { ...parseActor(job), pseudonymKey }
  const lostAccess = forbidden(
    'missing_permission',
    `${actor.name}, who requested this, no longer has access to the workspace.`,
  )
  if (actor.kind === 'api_key') {
    const key = await db.first(keyById, { workspaceId: job.workspace_id, id: actor.id })
    const status = key && getKeyStatus({ revokedAt: key.revoked_at, expiresAt: key.expires_at }, ports.now())
    if (!key || status === 'revoked' || status === 'expired') throw lostAccess
    return {
      ...actor,
      permissions: new Set(wire.permissionSet.read(key.permissions)),
      rank: key.rank,
      limits: toKeyLimits(parseLimits(key.limits)),
      personId: findPersonOfKey({ id: actor.id, created_by: key.created_by }),
    }
  }
  const account = await db.first(accountById, { accountId: actor.id })
  const membership = await findMembershipPermissions(db, job.workspace_id, actor.id)
  if (!account || account.disabled_at !== null || !membership) throw lostAccess
  const { permissions, rank, limits } = membership
  return { ...actor, permissions, rank, limits, personId: actor.id, isOperator: account.is_operator === 1 }
}
