import { AppError, resolveStorageQuota, type StorageUse, storageReserve } from '@reeve/core'
import { formatSize } from '@reeve/core/size'
import type { Database, Queries } from '@reeve/db'
import QuickLRU from 'quick-lru'
import { readStorage, type StorageUsage } from './usage.ts'

/** How old the stored bytes may be that decide on essential writes: the reserve is much larger than what they add in this time. */
const MAX_STALENESS_MS = 10_000
const MAX_CACHED_WORKSPACES = 10_000

type CachedUsage = StorageUsage & { readonly loadedAt: number }

/** Enforces the storage quotas of workspaces. */
export class StorageGuard {
  /** The quota of workspaces that have none of their own, in bytes; null for no limit. */
  readonly defaultQuota: number | null
  readonly #cache = new QuickLRU<string, CachedUsage>({ maxSize: MAX_CACHED_WORKSPACES })

  constructor(db: Pick<Database, 'onChange' | 'onMissedChanges'>, defaultQuota: number | null) {
    this.defaultQuota = defaultQuota
    db.onChange((change) => {
      if (change.kind === 'workspace') this.#cache.delete(change.workspaceId)
    })
    db.onMissedChanges(() => this.#cache.clear())
  }

  /**
   * Asserts that a workspace has storage left for a write. In its transaction, this is exact for optional writes: the one that
   * reaches the quota is the last one.
   * @throws AppError `storage_quota_exceeded`
   */
  async assertAvailable(db: Pick<Queries, 'first'>, workspaceId: string, use: StorageUse): Promise<void> {
    if (use === 'exempt') return
    const usage =
      use === 'optional' ? await readStorage(db, workspaceId) : await this.#readRecent(db, workspaceId)
    const quota = resolveStorageQuota(usage?.ownQuota ?? null, this.defaultQuota)
    if (!usage || quota === null) return
    const limit = use === 'optional' ? quota : quota + storageReserve(quota)
    if (usage.total >= limit)
      throw new AppError('storage_quota_exceeded', { message: describe(use, usage.total, quota) })
  }

  /**
   * Asserts that a file fits into the storage quota of a workspace.
   * @throws AppError `storage_quota_exceeded`
   */
  async assertFits(db: Pick<Queries, 'first'>, workspaceId: string, bytes: number): Promise<void> {
    const usage = await readStorage(db, workspaceId)
    const quota = resolveStorageQuota(usage?.ownQuota ?? null, this.defaultQuota)
    if (!usage || quota === null || usage.total + bytes <= quota) return
    throw new AppError('storage_quota_exceeded', {
      message:
        usage.total >= quota
          ? describe('optional', usage.total, quota)
          : `The file has ${formatSize(bytes)}, and the workspace has only ${formatSize(quota - usage.total)} of its ${formatSize(quota)} of storage left. ${ADVICE}`,
    })
  }

  async #readRecent(db: Pick<Queries, 'first'>, workspaceId: string): Promise<StorageUsage | undefined> {
    const cached = this.#cache.get(workspaceId)
    if (cached && performance.now() - cached.loadedAt < MAX_STALENESS_MS) return cached
    const usage = await readStorage(db, workspaceId)
    if (usage) this.#cache.set(workspaceId, { ...usage, loadedAt: performance.now() })
    return usage
  }
}

const ADVICE = 'Delete archives, or ask an operator of the instance for a higher storage quota.'

function describe(use: Exclude<StorageUse, 'exempt'>, total: number, quota: number): string {
  const used = `The workspace uses ${formatSize(total)} of its ${formatSize(quota)} of storage`
  return use === 'optional'
    ? `${used}, so images, archives, copies, imports, notes, comments and evidence are rejected; bans and other moderation actions are still accepted. ${ADVICE}`
    : `${used}, and the reserve for moderation is used up too; only lifting, revoking and redacting are still accepted. ${ADVICE}`
}
