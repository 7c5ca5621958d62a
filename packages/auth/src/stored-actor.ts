import { type Actor, anonymousActor, forbidden, parseLimits, toKeyLimits, wire } from '@reeve/core'
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

/** Who requested a job, without permissions: for audit entries. */
export const parseActor = ({ actor }: Pick<JobRow, 'actor'>): Actor => ({
  ...anonymousActor,
  ...(JSON.parse(actor) as StoredActor),
})

/**
 * Who requested a job, with the permissions that they have now in its workspace.
 * @throws AppError `forbidden` if they have lost access since
 */
export async function loadActor(db: Queries, job: JobRow, now: number): Promise<Actor> {
  const actor = parseActor(job)
  const lostAccess = forbidden(
    'missing_permission',
    `${actor.name}, who requested this, no longer has access to the workspace.`,
  )
  if (actor.kind === 'api_key') {
    const key = await db.first(keyById, { workspaceId: job.workspace_id, id: actor.id })
    const status = key && getKeyStatus({ revokedAt: key.revoked_at, expiresAt: key.expires_at }, now)
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
