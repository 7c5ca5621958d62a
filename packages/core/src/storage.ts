import { type Codec, fail } from './wire-codec.ts'

/** What the storage of a workspace consists of: records with their versions and audit log, images of events, archives, stored responses. */
export const storageKinds = ['records', 'images', 'archives', 'responses'] as const

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

const units: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

/** The shortest exact text of a size that `parseSize` accepts: `5 GB`. */
export function toSizeText(bytes: number): string {
  const names = ['TB', 'GB', 'MB', 'TiB', 'GiB', 'MiB'] as const
  const name = names.find((unit) => bytes > 0 && bytes % (units[unit.toLowerCase()] ?? 1) === 0)
  return name === undefined ? String(bytes) : `${bytes / (units[name.toLowerCase()] ?? 1)} ${name}`
}

/** More than any disk has. */
const MAX_SIZE = 1e15

/** Parses a size such as `5GB`, `1.5 GiB` or `500000` to bytes. @throws WireError */
export function parseSize(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,16}(?:\.\d{1,6})?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const size = Math.round(Number(amount) * (units[unit.toLowerCase()] ?? Number.NaN))
  if (amount === '' || !(size <= MAX_SIZE)) fail('must be a size such as 5GB, 500MB or 5GiB')
  return size
}

/** The storage quota of one workspace, in bytes; 0 means no limit. */
export const storageQuotaCodec: Codec<number> = {
  read: parseSize,
  write: String,
  description: 'bytes, or a size such as 5GB or 5GiB; 0 means no limit',
  example: '5000000000',
}

/** Formats a size: `4.2 GB`. Rounds down, so that what has space left never seems full. */
export function formatSize(bytes: number): string {
  const names = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), names.length - 1)
  const amount = Math.floor((bytes / 1000 ** power) * 10) / 10
  return bytes === 1 ? '1 byte' : `${power === 0 ? bytes : amount} ${names[power]}`
}
