import { appendAuditEntry } from '@reeve/audit'
import { type Actor, canManageApiKey, forbidden, invalidRequest, type Ports, wire } from '@reeve/core'
import { type ApiKeyTable, isUsableKey, type Queries, statement, type Transaction } from '@reeve/db'
import { inputField, nullableString, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { MAX_CREATIONS, moreCreations } from '../creations.ts'
import { toAuditSnapshot } from './create.ts'
import { setRevocation } from './lifecycle.ts'
import { restrictKeys } from './limits.ts'

/** What becomes of the API keys of a person who leaves a workspace, loses roles, or can no longer sign in. */

interface CreatorParams {
  readonly creatorId: string
  readonly now: number
  readonly limit: number
}

const keysInWorkspace = statement<CreatorParams & { workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .innerJoin('workspace', 'workspace.id', 'api_key.workspace_id')
    .selectAll('api_key')
    .select('workspace.group_name')
    .where('api_key.workspace_id', '=', p.workspaceId)
    .where('api_key.created_by', '=', p.creatorId)
    .where((eb) => isUsableKey(eb, p.now))
    .orderBy('api_key.id', 'desc')
    .limit(p.limit),
)
const keysOfInstance = statement<CreatorParams>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .innerJoin('workspace', 'workspace.id', 'api_key.workspace_id')
    .selectAll('api_key')
    .select('workspace.group_name')
    .where('api_key.created_by', '=', p.creatorId)
    .where((eb) => isUsableKey(eb, p.now))
    .orderBy('api_key.id', 'desc')
    .limit(p.limit),
)
const keyCount = statement<Omit<CreatorParams, 'limit'>>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .innerJoin('workspace', 'workspace.id', 'api_key.workspace_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('api_key.created_by', '=', p.creatorId)
    .where((eb) => isUsableKey(eb, p.now)),
)
/** A usable key with the name of its workspace. */
export type CreatorKeyRow = ApiKeyTable & { readonly group_name: string }

/** The field of a request that ends or reduces somebody's access. */
export const revokeKeyIds = inputField(
  wire.ids(MAX_CREATIONS),
  'API keys that the account created, to revoke with it; none by default',
)

/** The fields of `presentCreatorKey`. */
export const creatorKeyFields = {
  id: stringField('API key id'),
  workspaceId: stringField('Its workspace'),
  groupName: stringField('Name of the workspace', 'Night shift'),
  name: stringField('What the key is for', 'Main game server'),
  hint: stringField('Last four characters of the key', 'x7Qd'),
  permissions: stringField('JSON array of the permissions of the key', wire.permissionSet.example),
  rank: stringField('Rank of the key', '10'),
  createdAt: stringField('When the key was created', wire.time.example),
  lastUsedAt: nullableString('When the key was last used'),
}

const CreatorKey = responseObject(creatorKeyFields, 'An API key that still works')
export const CreatorKeysResponse = responseObject(
  { apiKeys: Type.Array(CreatorKey), more: moreCreations },
  `The API keys of an account that still work, newest first; at most ${MAX_CREATIONS}`,
)

/** The usable keys that an account created in a workspace, newest first. */
export const listCreatorKeys = (
  db: Queries,
  ports: Ports,
  key: { readonly workspaceId: string; readonly creatorId: string },
): Promise<CreatorKeyRow[]> => db.all(keysInWorkspace, { ...key, now: ports.now(), limit: MAX_CREATIONS })

/** The usable keys that an account created in any workspace, newest first. @param limit how many at most */
export const listAllCreatorKeys = (
  db: Queries,
  ports: Ports,
  creatorId: string,
  limit = MAX_CREATIONS,
): Promise<CreatorKeyRow[]> => db.all(keysOfInstance, { creatorId, now: ports.now(), limit })

/** The response with the usable keys that an account created in any workspace. */
export async function readAllCreatorKeys(
  db: Queries,
  ports: Ports,
  creatorId: string,
): Promise<Static<typeof CreatorKeysResponse>> {
  const keys = await listAllCreatorKeys(db, ports, creatorId)
  if (keys.length < MAX_CREATIONS) return presentCreatorKeys(keys)
  const row = await db.first(keyCount, { creatorId, now: ports.now() })
  return presentCreatorKeys(keys, Number(row?.count ?? 0) - keys.length)
}

export const presentCreatorKey = (row: CreatorKeyRow): Static<typeof CreatorKey> => ({
  id: row.id,
  workspaceId: row.workspace_id,
  groupName: row.group_name,
  name: row.name,
  hint: row.hint,
  permissions: row.permissions,
  rank: String(row.rank),
  createdAt: wire.time.write(row.created_at),
  lastUsedAt: wire.writeNullableTime(row.last_used_at),
})

/** @param more how many are not listed */
export const presentCreatorKeys = (
  rows: readonly CreatorKeyRow[],
  more = 0,
): Static<typeof CreatorKeysResponse> => ({ apiKeys: rows.map(presentCreatorKey), more: String(more) })

/**
 * Revokes some of the usable keys of people whose access ends or is reduced.
 * @param keys the usable keys of these people @param ids those to revoke
 * @throws AppError `invalid_request` for an id that is not among the keys
 */
export async function revokeCreatorKeys(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  keys: readonly CreatorKeyRow[],
  ids: readonly string[],
): Promise<void> {
  const unknown = ids.find((id) => !keys.some((key) => key.id === id))
  if (unknown !== undefined) {
    throw invalidRequest({
      field: 'revokeKeyIds',
      message: `contains an id that is not an API key of those concerned that still works: ${unknown}`,
    })
  }
  const at = ports.now()
  for (const key of keys.filter(({ id }) => ids.includes(id))) {
    const { workspace_id: workspaceId, id } = key
    await tx.run(setRevocation, { workspaceId, id, at, by: actor.id })
    await appendAuditEntry(
      tx,
      ports,
      { ...actor, workspaceId },
      {
        action: 'api_keys.revoke',
        target: { kind: 'api_key', id },
        before: toAuditSnapshot(key),
        after: toAuditSnapshot({ ...key, revoked_at: at }),
      },
    )
    tx.announce({ kind: 'api_key', workspaceId, id })
  }
}

/**
 * Revokes some of the keys that a member created, and restricts the others to the rank and the limits that the member has now.
 * @param change.ids the keys to revoke @param change.isReduced whether the member may have lost something
 * @throws AppError as `revokeCreatorKeys`; `forbidden` (`insufficient_rank`) for a key that ranks above the actor
 */
export async function settleMemberKeys(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { creatorId, ids, isReduced }: { creatorId: string; ids: readonly string[]; isReduced: boolean },
): Promise<void> {
  const { workspaceId } = actor
  const keys = await listCreatorKeys(tx, ports, { workspaceId, creatorId })
  if (keys.some((key) => ids.includes(key.id) && !canManageApiKey(actor, key) && creatorId !== actor.id))
    throw forbidden('insufficient_rank')
  await revokeCreatorKeys(tx, ports, actor, keys, ids)
  if (isReduced) await restrictKeys(tx, ports, actor, creatorId)
}
