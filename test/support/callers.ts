import { hashToken } from '@reeve/auth'
import { type Permission, permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import type { Instance } from './instance.ts'

const updateKeyTimes = statement<{ hash: string; expiresAt: number | null; revokedAt: number | null }>()(
  (sql, p) =>
    sql
      .updateTable('api_key')
      .set({ expires_at: p.expiresAt, revoked_at: p.revokedAt })
      .where('key_hash', '=', p.hash),
)
const updateSessionExpiry = statement<{ hash: string; expiresAt: number }>()((sql, p) =>
  sql.updateTable('session').set({ expires_at: p.expiresAt }).where('token_hash', '=', p.hash),
)

/** The callers of a workspace, created once so that it has few keys. */
const callersByWorkspace = new WeakMap<Instance, Map<string, Promise<Callers>>>()

export type Callers = Awaited<ReturnType<typeof createCallers>>

async function createCallers(instance: Instance, workspaceId: string) {
  const { db, ports } = instance
  const fullKey = await instance.key(workspaceId)
  const createKeyWithTimes = async (keyTimes: { expiresAt?: number; revokedAt?: number }) => {
    const key = await instance.key(workspaceId)
    const { expiresAt = null, revokedAt = null } = keyTimes
    await db.write((tx) => tx.run(updateKeyTimes, { hash: hashToken(key), expiresAt, revokedAt }))
    return key
  }
  const stranger = await instance.workspace()
  const member = await instance.member(workspaceId, permissions)
  const expiredSession = await instance.session(member.accountId)
  await db.write((tx) =>
    tx.run(updateSessionExpiry, { hash: hashToken(expiredSession), expiresAt: ports.now() - 1 }),
  )
  const byPermissions = new Map<string, Promise<{ key: string; session: string }>>()
  return {
    fullKey,
    member: member.session,
    expiredKey: await createKeyWithTimes({ expiresAt: ports.now() - 1 }),
    revokedKey: await createKeyWithTimes({ revokedAt: ports.now() - 1 }),
    wrongIp: await instance.key(workspaceId, permissions, { allowedAddresses: ['192.0.2.7/32'] }),
    foreignKey: stranger.key,
    foreignSession: stranger.ownerSession,
    expiredSession,
    operatorSession: await instance.session(await instance.account(undefined, true)),
    /** A key and a member with exactly these permissions. */
    withPermissions(permissionSet: readonly Permission[]) {
      const name = permissionSet.join()
      const cached = byPermissions.get(name)
      if (cached !== undefined) return cached
      const created = Promise.all([
        instance.key(workspaceId, permissionSet),
        instance.member(workspaceId, permissionSet),
      ]).then(([key, { session }]) => ({ key, session }))
      byPermissions.set(name, created)
      return created
    },
  }
}

/** The callers of a workspace, created on first use. */
export function getCallers(instance: Instance, workspaceId: string): Promise<Callers> {
  const byWorkspace = callersByWorkspace.get(instance) ?? new Map<string, Promise<Callers>>()
  callersByWorkspace.set(instance, byWorkspace)
  const cached = byWorkspace.get(workspaceId)
  if (cached !== undefined) return cached
  const created = createCallers(instance, workspaceId)
  byWorkspace.set(workspaceId, created)
  return created
}

/** A key with one wrong character. */
export const mistypeKey = (key: string): string => {
  const index = 12
  const other = key[index] === 'a' ? 'b' : 'a'
  return `${key.slice(0, index)}${other}${key.slice(index + 1)}`
}
