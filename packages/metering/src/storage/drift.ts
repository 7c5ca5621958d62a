import { type StorageKind, storageKinds } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { countStored, headPage, WORKSPACES_PER_PAGE } from './recount.ts'
import { headByWorkspace } from './recount-statements.ts'

/**
 * How far a counter may be off until the next recount corrects it: by rows that are edited while they are counted, and by stored
 * responses and sent events that a redaction shortens. In bytes, and as a share of what is stored.
 */
const TOLERANCE_BYTES = 1_000_000
const TOLERANCE_SHARE = 0.01

/** A counter of a workspace that does not match its rows. Sizes are bytes. */
export interface StorageDrift {
  readonly workspaceId: string
  readonly kind: StorageKind
  readonly counter: number
  readonly stored: number
}

export interface StorageCheck {
  readonly workspaces: number
  /** The number of workspaces that the job has yet to count, after an upgrade, a copy or a roll-back. */
  readonly pending: number
  readonly drifts: readonly StorageDrift[]
}

/**
 * Counts the stored bytes of every workspace, and compares them with its counters.
 * @param read a snapshot, which later writes do not change
 * @param onProgress receives the number of workspaces counted so far
 */
export async function findStorageDrift(
  read: Queries,
  onProgress: (workspaces: number) => void,
): Promise<StorageCheck> {
  const options = { signal: new AbortController().signal }
  const drifts: StorageDrift[] = []
  let [workspaces, pending] = [0, 0]
  for (let after = ''; ; ) {
    const page = await read.all(headPage, { after, limit: WORKSPACES_PER_PAGE })
    for (const { workspace_id: workspaceId, storage_counted_at: countedAt } of page) {
      workspaces += 1
      if (countedAt === 0) pending += 1
      const head = countedAt === 0 ? undefined : await read.first(headByWorkspace, { workspaceId })
      if (!head) continue
      const stored = await countStored(read, head, options)
      const counters = {
        records: head.record_bytes,
        images: head.image_bytes,
        evidence: head.evidence_bytes,
        archives: head.archive_bytes,
        responses: head.response_bytes,
      }
      for (const kind of storageKinds) {
        const tolerance = Math.max(TOLERANCE_BYTES, stored[kind] * TOLERANCE_SHARE)
        if (Math.abs(counters[kind] - stored[kind]) > tolerance)
          drifts.push({ workspaceId, kind, counter: counters[kind], stored: stored[kind] })
      }
      onProgress(workspaces)
    }
    if (page.length < WORKSPACES_PER_PAGE) return { workspaces, pending, drifts }
    after = page.at(-1)?.workspace_id ?? ''
  }
}
