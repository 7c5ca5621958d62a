/**
 * What the storage of a workspace consists of: records with their versions, appeals, imports, batches, events sent to webhooks and the
 * audit log; images of events, evidence files, archives, stored responses.
 */
export const storageKinds = ['records', 'images', 'evidence', 'archives', 'responses'] as const

export type StorageKind = (typeof storageKinds)[number]

/** The bytes of a workspace, by kind. */
export type StorageBytes = Readonly<Record<StorageKind, number>>

/** What a stored row counts in addition to its texts: identifiers, times, hashes and index entries. Measured, rounded. */
export const STORED_ROW_BYTES = 256

/** The bytes that a row with these texts counts. */
export function countStoredBytes(...texts: readonly (string | null)[]): number {
  let bytes = STORED_ROW_BYTES
  for (const text of texts) if (text !== null) bytes += Buffer.byteLength(text)
  return bytes
}

export const sumStorage = (bytes: StorageBytes): number =>
  storageKinds.reduce((sum, kind) => sum + bytes[kind], 0)

/**
 * How a write is treated once the storage quota is used up: `optional` is rejected, `essential` still accepted within the reserve,
 * `exempt` always accepted, because it is needed to free space, to stop the caller that fills it, or to end a sanction.
 */
export type StorageUse = 'optional' | 'essential' | 'exempt'

/** From this share of a quota on, staff and operators see a warning. */
export const QUOTA_WARNING_PERCENT = 80

const RESERVE_SHARE = 0.1
const MIN_RESERVE_BYTES = 64_000_000

/** The bytes beyond a quota that only essential writes may use: enough for tens of thousands of bans. */
export const storageReserve = (quota: number): number => Math.max(MIN_RESERVE_BYTES, quota * RESERVE_SHARE)

/** The quota of a workspace whose own one is null where the default applies and 0 for no limit. @returns null for no limit */
export const resolveStorageQuota = (own: number | null, fallback: number | null): number | null =>
  own === null ? fallback : own === 0 ? null : own
