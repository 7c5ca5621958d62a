import {
  MINUTE_MS,
  QUOTA_WARNING_PERCENT,
  resolveStorageQuota,
  type StorageBytes,
  storageKinds,
  sumStorage,
} from '@reeve/core'
import { type Database, statement, yieldToEventLoop } from '@reeve/db'
import { toStorageBytes } from './usage.ts'

/** A few milliseconds. */
const WORKSPACES_PER_PAGE = 500

/** For so long totals are returned again, because they take a statement for every so many workspaces. */
const MAX_STALENESS_MS = MINUTE_MS

const usagePage = statement<{ after: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .innerJoin('workspace', 'workspace.id', 'workspace_head.workspace_id')
    .select([
      'workspace_id',
      'record_bytes',
      'image_bytes',
      'evidence_bytes',
      'archive_bytes',
      'response_bytes',
      'storage_quota',
    ])
    .where('workspace_id', '>', p.after)
    .orderBy('workspace_id')
    .limit(p.limit),
)

/** The storage of all workspaces of the instance. */
export interface StorageTotals {
  readonly bytes: StorageBytes
  /** How many workspaces use at least the share of their quota at which a warning is shown, those that use it up included. */
  readonly nearQuota: number
  readonly overQuota: number
}

/** Returns a function that sums the storage of all workspaces, at most once a minute. */
export function createStorageTotalsReader(
  db: Database,
  defaultQuota: number | null,
): () => Promise<StorageTotals> {
  let cached: { readonly at: number; readonly totals: Promise<StorageTotals> } | null = null
  return () => {
    if (cached && performance.now() - cached.at < MAX_STALENESS_MS) return cached.totals
    const totals = sumTotals(db, defaultQuota)
    const current = { at: performance.now(), totals }
    cached = current
    totals.catch(() => {
      if (cached === current) cached = null
    })
    return totals
  }
}

async function sumTotals(db: Database, defaultQuota: number | null): Promise<StorageTotals> {
  const bytes = { records: 0, images: 0, evidence: 0, archives: 0, responses: 0 }
  let [nearQuota, overQuota] = [0, 0]
  for (let after = ''; ; ) {
    const rows = await db.read.all(usagePage, { after, limit: WORKSPACES_PER_PAGE })
    for (const row of rows) {
      const stored = toStorageBytes(row)
      for (const kind of storageKinds) bytes[kind] += stored[kind]
      const quota = resolveStorageQuota(row.storage_quota, defaultQuota)
      if (quota === null) continue
      const used = sumStorage(stored)
      if (used >= (quota * QUOTA_WARNING_PERCENT) / 100) nearQuota += 1
      if (used >= quota) overQuota += 1
    }
    if (rows.length < WORKSPACES_PER_PAGE) return { bytes, nearQuota, overQuota }
    after = rows.at(-1)?.workspace_id ?? ''
    await yieldToEventLoop()
  }
}
