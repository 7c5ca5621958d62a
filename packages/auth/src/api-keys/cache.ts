import {
  type ActorLimits,
  type AuthorizationReason,
  type Permission,
  type Ports,
  parseLimits,
  ReadThroughCache,
  toKeyLimits,
  unauthorized,
  wire,
} from '@reeve/core'
import { type Database, statement } from '@reeve/db'
import { type IpRange, parseIpRange } from '../ip-address.ts'
import { hashToken, isApiKey } from '../token.ts'
import { findPersonOfKey } from './limits.ts'
import { getKeyStatus } from './status.ts'

const keyByHash = statement<{ hash: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('api_key')
    .select([
      'workspace_id',
      'id',
      'name',
      'permissions',
      'rank',
      'limits',
      'created_by',
      'allowed_addresses',
      'expires_at',
      'revoked_at',
    ])
    .where('key_hash', '=', p.hash),
)
const updateLastUsed = statement<{ workspaceId: string; id: string; at: number; ip: string }>({
  isCommutative: true,
})((sql, p) =>
  sql
    .updateTable('api_key')
    .set({ last_used_at: p.at, last_used_address: p.ip })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** The fields of an API key that the gate needs. */
export interface AuthenticatedKey {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly permissions: ReadonlySet<Permission>
  readonly rank: number
  readonly limits: ActorLimits
  readonly personId: string
  /** IP ranges it may be used from; null allows every IP address. */
  readonly ipRanges: readonly IpRange[] | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

const MAX_CACHED_KEYS = 10_000
/** The uses of a key within this time count as one. */
const USE_INTERVAL_MS = 1000

/** A read-through cache of API keys. Also buffers when, and from which IP address, each key was last used. */
export class ApiKeyCache {
  readonly #db: Database
  readonly #ports: Ports
  readonly #cache = new ReadThroughCache<AuthenticatedKey>(MAX_CACHED_KEYS)
  #pendingUses = new Map<string, { workspaceId: string; id: string; at: number; ip: string }>()

  constructor(db: Database, ports: Ports) {
    this.#db = db
    this.#ports = ports
    db.onChange((change) => {
      if (change.kind === 'api_key') this.#cache.invalidateWhere((key) => key.id === change.id)
    })
    db.onMissedChanges(() => this.#cache.invalidateAll())
  }

  /**
   * Authenticates a bearer credential.
   * @throws AppError `unauthorized`: `invalid_key`, `key_revoked` or `key_expired`
   */
  async authenticate(credential: string): Promise<AuthenticatedKey> {
    // The cache key is the credential itself, which saves a hash per request; only the hash is stored.
    const key = await this.#cache.get(credential, this.#load)
    const rejection = this.#rejectionReason(key)
    if (!key || rejection) throw unauthorized(rejection ?? 'invalid_key')
    return key
  }

  /** Buffers a use of a key until `flush`. */
  recordUse(key: AuthenticatedKey, client: { readonly ip: string }): void {
    const at = this.#ports.now()
    const pending = this.#pendingUses.get(key.id)
    if (pending && at - pending.at < USE_INTERVAL_MS) return
    this.#pendingUses.set(key.id, { workspaceId: key.workspaceId, id: key.id, at, ip: client.ip })
  }

  /** Writes the buffered uses to the database. */
  async flush(): Promise<void> {
    if (this.#pendingUses.size === 0) return
    const pending = this.#pendingUses
    this.#pendingUses = new Map()
    await this.#db.write(async (tx) => {
      // Sorted, so that concurrent processes lock rows in the same order and cannot deadlock.
      for (const use of [...pending.values()].sort(byId)) await tx.run(updateLastUsed, use)
    })
  }

  #rejectionReason(key: AuthenticatedKey | undefined): AuthorizationReason | null {
    if (!key) return 'invalid_key'
    const status = getKeyStatus(key, this.#ports.now())
    return status === 'revoked' ? 'key_revoked' : status === 'expired' ? 'key_expired' : null
  }

  readonly #load = async (credential: string): Promise<AuthenticatedKey | undefined> => {
    if (!isApiKey(credential)) return undefined
    const row = await this.#db.read.first(keyByHash, { hash: hashToken(credential) })
    if (!row) return undefined
    return {
      id: row.id,
      workspaceId: row.workspace_id,
      name: row.name,
      permissions: new Set(wire.permissionSet.read(row.permissions)),
      rank: row.rank,
      limits: toKeyLimits(parseLimits(row.limits)),
      personId: findPersonOfKey(row),
      ipRanges: row.allowed_addresses === null ? null : parseStoredRanges(row.allowed_addresses),
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
    }
  }
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

const parseStoredRanges = (stored: string): IpRange[] =>
  (JSON.parse(stored) as string[]).map(parseIpRange).filter((range) => range !== null)
