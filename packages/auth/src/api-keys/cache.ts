import {
  type AuthorizationReason,
  type Permission,
  type Ports,
  ReadThroughCache,
  unauthorized,
  wire,
} from '@reeve/core'
import { type Database, statement } from '@reeve/db'
import { type IpRange, parseIpRange } from '../ip-address.ts'
import { hashToken, isApiKey } from '../token.ts'

const keyByHash = statement<{ hash: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('api_key')
    .select([
      'workspace_id',
      'id',
      'name',
      'permissions',
      'rank',
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

/** An API key as the gate needs it. */
export interface AuthenticatedKey {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly permissions: ReadonlySet<Permission>
  readonly rank: number
  /** Null allows every address. */
  readonly ipRanges: readonly IpRange[] | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

/** How many keys are kept in memory. */
const MAX_CACHED_KEYS = 10_000

/** Looks API keys up, from memory where it can, and gathers when and from where each was last used. */
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
   * The key that a bearer credential is.
   * @throws AppError `unauthorized`: `invalid_key`, `key_revoked` or `key_expired`
   */
  async authenticate(credential: string): Promise<AuthenticatedKey> {
    // Remembered by the credential itself, which every call holds anyway: hashing is for what is stored.
    const key = await this.#cache.get(credential, () => this.#load(credential))
    const rejection = this.#rejectionReason(key)
    if (!key || rejection) throw unauthorized(rejection ?? 'invalid_key')
    return key
  }

  /** Notes that a key was used; written by `flush`. */
  recordUse(key: AuthenticatedKey, ip: string): void {
    const at = this.#ports.now()
    const use = this.#pendingUses.get(key.id)
    if (!use) {
      this.#pendingUses.set(key.id, { workspaceId: key.workspaceId, id: key.id, at, ip })
      return
    }
    use.at = at
    use.ip = ip
  }

  /** Writes the last uses that have gathered. */
  async flush(): Promise<void> {
    if (this.#pendingUses.size === 0) return
    const pending = this.#pendingUses
    this.#pendingUses = new Map()
    await this.#db.write(async (tx) => {
      // In one order, so that no process holds what another one waits for.
      for (const use of [...pending.values()].sort(byId)) await tx.run(updateLastUsed, use)
    })
  }

  #rejectionReason(key: AuthenticatedKey | undefined): AuthorizationReason | null {
    if (!key) return 'invalid_key'
    const now = this.#ports.now()
    // A rotated key is given a time of revocation that is still to come.
    if (key.revokedAt !== null && key.revokedAt <= now) return 'key_revoked'
    if (key.expiresAt !== null && key.expiresAt <= now) return 'key_expired'
    return null
  }

  async #load(credential: string): Promise<AuthenticatedKey | undefined> {
    if (!isApiKey(credential)) return undefined
    const row = await this.#db.read.first(keyByHash, { hash: hashToken(credential) })
    if (!row) return undefined
    return {
      id: row.id,
      workspaceId: row.workspace_id,
      name: row.name,
      permissions: new Set(wire.permissionSet.read(row.permissions)),
      rank: row.rank,
      ipRanges: row.allowed_addresses === null ? null : parseStoredRanges(row.allowed_addresses),
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
    }
  }
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

const parseStoredRanges = (stored: string): IpRange[] =>
  (JSON.parse(stored) as string[]).map(parseIpRange).filter((range) => range !== null)
