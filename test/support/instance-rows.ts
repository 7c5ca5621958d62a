import { createAccount, createApiKey, createSession } from '@reeve/auth'
import {
  type Actor,
  anonymousActor,
  formatLimits,
  NO_LIMITS,
  normalizeName,
  OWNER_RANK,
  type Permission,
  type Ports,
  permissions,
  type RoleLimits,
} from '@reeve/core'
import { type Database, insertMember, insertMemberRole, insertRole } from '@reeve/db'
import { createWorkspace } from '@reeve/workspaces'
import type { createVerifiedSessions } from './verified-sessions.ts'

interface Options {
  readonly db: Database
  readonly ports: Ports
  readonly verifiedSessions: ReturnType<typeof createVerifiedSessions>
  /** The hash of the password of every account. */
  readonly passwordHash: Promise<string>
}

/** Creates accounts, workspaces and what belongs to them, without requests. */
export function createInstanceRows({ db, ports, verifiedSessions, passwordHash }: Options) {
  const system: Actor = {
    ...anonymousActor,
    id: 'test',
    name: 'test',
    permissions: new Set(permissions),
    rank: OWNER_RANK,
  }
  let counter = 0
  const createName = (prefix: string) => `${prefix} ${++counter}`
  /** Creates an account. @returns its id */
  async function account(name = createName('account'), isOperator = false): Promise<string> {
    const hash = await passwordHash
    const row = await db.write((tx) =>
      createAccount(tx, ports, system, { username: name, passwordHash: hash, isOperator }),
    )
    return row.id
  }

  /** Creates a session. @returns its token, for `request(…, { session })`; it never needs to be verified again */
  const session = (accountId: string): Promise<string> =>
    db.write(async (tx) => {
      const client = { ip: '127.0.0.1', userAgent: 'test', factors: ['password'] } as const
      const token = await createSession(tx, ports, accountId, client)
      verifiedSessions.add(token)
      return token
    })

  /** Creates a workspace with an owner and a key with every permission. */
  async function workspace(groupName = createName('group')) {
    const ownerId = await account()
    const { workspace: row, ownerRoleId } = await db.write((tx) =>
      createWorkspace(tx, ports, system, { groupName, ownerId }),
    )
    return { id: row.id, ownerId, ownerRoleId, key: await key(row.id), ownerSession: await session(ownerId) }
  }

  /** Creates a key with exactly these permissions. @returns its secret */
  async function key(
    workspaceId: string,
    permissionSet: readonly Permission[] = permissions,
    keyOptions: { expiresAt?: number; allowedAddresses?: readonly string[]; rank?: number } = {},
  ): Promise<string> {
    const actor: Actor = { ...system, workspaceId, rank: keyOptions.rank ?? OWNER_RANK }
    const { secret } = await db.write((tx) =>
      createApiKey(tx, ports, actor, {
        name: createName('key'),
        permissions: permissionSet,
        expiresAt: keyOptions.expiresAt ?? null,
        allowedAddresses: keyOptions.allowedAddresses ?? null,
      }),
    )
    return secret
  }

  /** Creates a role. @returns its id */
  async function role(
    workspaceId: string,
    permissionSet: readonly Permission[],
    rank = 10,
    limits: Partial<RoleLimits> = {},
  ): Promise<string> {
    const id = ports.newId()
    const name = createName('role')
    await db.write((tx) =>
      tx.run(insertRole, {
        workspace_id: workspaceId,
        id,
        name,
        name_key: normalizeName(name),
        color: null,
        rank,
        permissions: JSON.stringify(permissionSet),
        limits: formatLimits({ ...NO_LIMITS, ...limits }),
        is_owner: 0,
        second_factor_since: null,
        created_at: ports.now(),
        updated_at: ports.now(),
        version: 1,
      }),
    )
    return id
  }

  /** Creates an account that is a member with a role of exactly these permissions. */
  async function member(
    workspaceId: string,
    permissionSet: readonly Permission[],
    rank = 10,
    limits: Partial<RoleLimits> = {},
  ) {
    const accountId = await account()
    const roleId = await role(workspaceId, permissionSet, rank, limits)
    await db.write(async (tx) => {
      await tx.run(insertMember, { workspaceId, accountId, now: ports.now() })
      await tx.run(insertMemberRole, { workspaceId, accountId, roleId, now: ports.now() })
    })
    return { accountId, roleId, session: await session(accountId) }
  }

  return { account, session, workspace, key, role, member }
}
