import {
  type AuthorizationReason,
  type Permission,
  type Ports,
  ReadThroughCache,
  unauthorized,
  wire,
} from '@reeve/core'
import { type Database, statement } from '@reeve/db'
import { type AddressRange, readRange } from './address.ts'
import { isApiKey, tokenHash } from './token.ts'

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
const writeLastUse = statement<{ workspaceId: string; id: string; at: number; address: string }>({
  isCommutative: true,
})((sql, p) =>
  sql
    .updateTable('api_key')
    .set({ last_used_at: p.at, last_used_address: p.address })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** An API key as the gate needs it. */
export interface KnownKey {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly permissions: ReadonlySet<Permission>
  readonly rank: number
  /** Null allows every address. */
  readonly ranges: readonly AddressRange[] | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

/** How many keys are kept in memory. */
const REMEMBERED = 10_000

/** Looks API keys up, from memory where it can, and gathers when and from where each was last used. */
export class ApiKeys {
  readonly #db: Database
  readonly #ports: Ports
  readonly #known = new ReadThroughCache<KnownKey>(REMEMBERED)
  #lastUses = new Map<string, { workspaceId: string; id: string; at: number; address: string }>()

  constructor(db: Database, ports: Ports) {
    this.#db = db
    this.#ports = ports
    db.onChange((change) => {
      if (change.kind === 'api_key') this.#known.invalidateWhere((key) => key.id === change.id)
    })
    db.onMissedChanges(() => this.#known.invalidateAll())
  }

  /**
   * The key that a bearer credential is.
   * @throws AppError `unauthorized`: `invalid_key`, `key_revoked` or `key_expired`
   */
  async identify(credential: string): Promise<KnownKey> {
    // Remembered by the credential itself, which every call holds anyway: hashing is for what is stored.
    const key = await this.#known.get(credential, () => this.#load(credential))
    const refused = this.#refusal(key)
    if (!key || refused) throw unauthorized(refused ?? 'invalid_key')
    return key
  }

  /** Notes that a key was used; written by `flush`. */
  used(key: KnownKey, address: string): void {
    const at = this.#ports.now()
    const use = this.#lastUses.get(key.id)
    if (!use) {
      this.#lastUses.set(key.id, { workspaceId: key.workspaceId, id: key.id, at, address })
      return
    }
    use.at = at
    use.address = address
  }

  /** Writes the last uses that have gathered. */
  async flush(): Promise<void> {
    if (this.#lastUses.size === 0) return
    const gathered = this.#lastUses
    this.#lastUses = new Map()
    await this.#db.write(async (tx) => {
      // In one order, so that no process holds what another one waits for.
      for (const use of [...gathered.values()].sort(byId)) await tx.run(writeLastUse, use)
    })
  }

  #refusal(key: KnownKey | undefined): AuthorizationReason | null {
    if (!key) return 'invalid_key'
    const now = this.#ports.now()
    // A rotated key is given a time of revocation that is still to come.
    if (key.revokedAt !== null && key.revokedAt <= now) return 'key_revoked'
    if (key.expiresAt !== null && key.expiresAt <= now) return 'key_expired'
    return null
  }

  async #load(credential: string): Promise<KnownKey | undefined> {
    if (!isApiKey(credential)) return undefined
    const row = await this.#db.read.first(keyByHash, { hash: tokenHash(credential) })
    if (!row) return undefined
    return {
      id: row.id,
      workspaceId: row.workspace_id,
      name: row.name,
      permissions: new Set(wire.permissionSet.read(row.permissions)),
      rank: row.rank,
      ranges: row.allowed_addresses === null ? null : readRanges(row.allowed_addresses),
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
    }
  }
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1)

const readRanges = (stored: string): AddressRange[] =>
  (JSON.parse(stored) as string[]).map(readRange).filter((range) => range !== null)
