import { hashToken } from '@reeve/auth'
import { type Permission, permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import type { Instance } from './instance.ts'

const alterKey = statement<{ hash: string; expiresAt: number | null; revokedAt: number | null }>()((sql, p) =>
  sql
    .updateTable('api_key')
    .set({ expires_at: p.expiresAt, revoked_at: p.revokedAt })
    .where('key_hash', '=', p.hash),
)
const alterSession = statement<{ hash: string; expiresAt: number }>()((sql, p) =>
  sql.updateTable('session').set({ expires_at: p.expiresAt }).where('token_hash', '=', p.hash),
)

/** The callers that a request is replayed with: made once for a workspace, so that its keys stay few. */
const casts = new WeakMap<Instance, Map<string, Promise<Cast>>>()

export type Cast = Awaited<ReturnType<typeof makeCast>>

async function makeCast(instance: Instance, workspaceId: string) {
  const { db, ports } = instance
  const full = await instance.key(workspaceId)
  const altered = async (times: { expiresAt?: number; revokedAt?: number }) => {
    const key = await instance.key(workspaceId)
    const { expiresAt = null, revokedAt = null } = times
    await db.write((tx) => tx.run(alterKey, { hash: hashToken(key), expiresAt, revokedAt }))
    return key
  }
  const stranger = await instance.workspace()
  const member = await instance.member(workspaceId, permissions)
  const expiredSession = await instance.session(member.accountId)
  await db.write((tx) =>
    tx.run(alterSession, { hash: hashToken(expiredSession), expiresAt: ports.now() - 1 }),
  )
  const bySet = new Map<string, Promise<{ key: string; session: string }>>()
  return {
    full,
    member: member.session,
    expired: await altered({ expiresAt: ports.now() - 1 }),
    revoked: await altered({ revokedAt: ports.now() - 1 }),
    elsewhere: await instance.key(workspaceId, permissions, { allowedAddresses: ['192.0.2.7/32'] }),
    foreign: stranger.key,
    foreignSession: stranger.ownerSession,
    expiredSession,
    operator: await instance.session(await instance.account(undefined, true)),
    /** A key and a member with exactly these permissions. */
    holding(set: readonly Permission[]) {
      const name = set.join()
      const known = bySet.get(name)
      if (known !== undefined) return known
      const made = Promise.all([instance.key(workspaceId, set), instance.member(workspaceId, set)]).then(
        ([key, { session }]) => ({ key, session }),
      )
      bySet.set(name, made)
      return made
    },
  }
}

/** The callers for a workspace: made at the first asking. */
export function castOf(instance: Instance, workspaceId: string): Promise<Cast> {
  const byWorkspace = casts.get(instance) ?? new Map<string, Promise<Cast>>()
  casts.set(instance, byWorkspace)
  const known = byWorkspace.get(workspaceId)
  if (known !== undefined) return known
  const made = makeCast(instance, workspaceId)
  byWorkspace.set(workspaceId, made)
  return made
}

/** A key with one of its characters changed for another. */
export const mistyped = (key: string): string => {
  const at = 12
  const other = key[at] === 'a' ? 'b' : 'a'
  return `${key.slice(0, at)}${other}${key.slice(at + 1)}`
}
