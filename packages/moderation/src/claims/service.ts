import { type Actor, AppError, CLAIM_LEASE_MS, type Ports, wire } from '@reeve/core'
import { type ClaimTable, insertAll, type Queries, statement, type Transaction } from '@reeve/db'

/**
 * Claims: a person works on a record or an appeal, so that no one else does the same work. A claim is a lease: it ends by itself,
 * also if the browser of its holder is gone. It is a message to other people and forbids them nothing else.
 */

/** Maximum number of claims of a person. */
const MAX_CLAIMS = 50

/** What is claimed. The caller checks that it exists and that the actor may work on it. */
export interface ClaimTarget {
  readonly kind: ClaimTable['target_kind']
  readonly id: string
}

interface TargetKey {
  readonly workspaceId: string
  readonly kind: ClaimTable['target_kind']
  readonly id: string
}
type HolderKey = TargetKey & { readonly accountId: string }

const claimByTarget = statement<TargetKey>()((sql, p) =>
  sql
    .selectFrom('claim')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('target_kind', '=', p.kind)
    .where('target_id', '=', p.id),
)
const activeClaims = statement<{
  workspaceId: string
  kind: ClaimTable['target_kind']
  ids: readonly string[]
  now: number
}>()((sql, p, dialect) =>
  sql
    .selectFrom('claim')
    .innerJoin('member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'claim.workspace_id')
        .onRef('member.account_id', '=', 'claim.account_id'),
    )
    .innerJoin('account', 'account.id', 'claim.account_id')
    .selectAll('claim')
    .select('account.username')
    .where('claim.workspace_id', '=', p.workspaceId)
    .where('target_kind', '=', p.kind)
    .where(dialect.inList('target_id', p.ids))
    .where('expires_at', '>', p.now),
)
const claimsByAccount = statement<{ workspaceId: string; accountId: string; now: number; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('claim')
      .select('target_id')
      .where('workspace_id', '=', p.workspaceId)
      .where('account_id', '=', p.accountId)
      .where('expires_at', '>', p.now)
      .limit(p.limit),
)
/** Replaces the actor's own claim, one that has expired, and one of a former member. */
const upsertClaim = statement<ClaimTable & { replacedHolder: string }>()((sql, p) =>
  insertAll(sql, 'claim', p).onConflict((conflict) =>
    conflict
      .columns(['workspace_id', 'target_kind', 'target_id'])
      .doUpdateSet((eb) => ({
        account_id: eb.ref('excluded.account_id'),
        claimed_at: eb.ref('excluded.claimed_at'),
        expires_at: eb.ref('excluded.expires_at'),
      }))
      .where((eb) =>
        eb.or([
          eb('claim.expires_at', '<=', eb.ref('excluded.claimed_at')),
          eb('claim.account_id', '=', p.replacedHolder),
        ]),
      ),
  ),
)
const deleteClaim = statement<HolderKey>()((sql, p) =>
  sql
    .deleteFrom('claim')
    .where('workspace_id', '=', p.workspaceId)
    .where('target_kind', '=', p.kind)
    .where('target_id', '=', p.id)
    .where('account_id', '=', p.accountId),
)
const deleteExpired = statement<{ workspaceId: string; accountId: string; now: number }>()((sql, p) =>
  sql
    .deleteFrom('claim')
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '=', p.accountId)
    .where('expires_at', '<=', p.now),
)

const deleteByTargets = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql.deleteFrom('claim').where('workspace_id', '=', p.workspaceId).where(dialect.inList('target_id', p.ids)),
)

/** Deletes the claims on records and appeals that are deleted. */
export const deleteClaims = (tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<number> =>
  tx.run(deleteByTargets, { workspaceId, ids })

/** Who works on something, as responses contain it. */
export interface Claim {
  readonly targetId: string
  readonly accountId: string
  readonly username: string
  readonly claimedAt: string
  readonly expiresAt: string
}

const presentClaim = (row: ClaimTable & { username: string }): Claim => ({
  targetId: row.target_id,
  accountId: row.account_id,
  username: row.username,
  claimedAt: wire.time.write(row.claimed_at),
  expiresAt: wire.time.write(row.expires_at),
})

/** The claims of these records or appeals that have not expired. */
export async function listClaims(
  db: Queries,
  ports: Ports,
  workspaceId: string,
  kind: ClaimTable['target_kind'],
  ids: readonly string[],
): Promise<Claim[]> {
  if (ids.length === 0) return []
  const rows = await db.all(activeClaims, { workspaceId, kind, ids, now: ports.now() })
  return rows.map(presentClaim)
}

/** @throws AppError `conflict` naming the holder, if another person has claimed it and the claim has not expired */
export async function assertNotClaimedByOther(
  db: Queries,
  ports: Ports,
  actor: Actor,
  target: ClaimTarget,
): Promise<void> {
  const [claim] = await listClaims(db, ports, actor.workspaceId, target.kind, [target.id])
  if (claim && claim.accountId !== actor.id) {
    throw new AppError('conflict', {
      message: `${claim.username} works on this until ${claim.expiresAt}. You can take it over then.`,
    })
  }
}

/**
 * Claims a record or an appeal, or renews the actor's own claim. An expired claim of another person is taken over.
 * @throws AppError `conflict` if another person has claimed it, or the actor has claimed too much
 */
export async function takeClaim(tx: Transaction, ports: Ports, actor: Actor, target: ClaimTarget) {
  await assertNotClaimedByOther(tx, ports, actor, target)
  const now = ports.now()
  const key = { workspaceId: actor.workspaceId, accountId: actor.id, now }
  const before = await tx.first(claimByTarget, { ...target, workspaceId: actor.workspaceId })
  const isRenewal = before?.account_id === actor.id && before.expires_at > now
  await tx.run(deleteExpired, key)
  if (!isRenewal && (await tx.all(claimsByAccount, { ...key, limit: MAX_CLAIMS })).length === MAX_CLAIMS) {
    throw new AppError('conflict', {
      message: `You can work on at most ${MAX_CLAIMS} things at a time. Release one first.`,
    })
  }
  const changed = await tx.run(upsertClaim, {
    // The holder that was just found to be the actor or no member any more.
    replacedHolder: before?.account_id ?? actor.id,
    workspace_id: actor.workspaceId,
    target_kind: target.kind,
    target_id: target.id,
    account_id: actor.id,
    claimed_at: isRenewal ? before.claimed_at : now,
    expires_at: now + CLAIM_LEASE_MS,
  })
  // Another person was faster.
  if (changed === 0) await assertNotClaimedByOther(tx, ports, actor, target)
  tx.announce({ kind: 'claim', workspaceId: actor.workspaceId, id: target.id })
  return readClaim(tx, ports, actor, target)
}

/** Ends the actor's own claim. Without one, nothing changes. */
export async function releaseClaim(tx: Transaction, ports: Ports, actor: Actor, target: ClaimTarget) {
  const key = { ...target, workspaceId: actor.workspaceId, accountId: actor.id }
  const deleted = await tx.run(deleteClaim, key)
  if (deleted > 0) tx.announce({ kind: 'claim', workspaceId: actor.workspaceId, id: target.id })
  return readClaim(tx, ports, actor, target)
}

/** Who works on it; null for nobody. */
async function readClaim(db: Queries, ports: Ports, actor: Actor, target: ClaimTarget) {
  const [claim] = await listClaims(db, ports, actor.workspaceId, target.kind, [target.id])
  return { claim: claim ?? null }
}
