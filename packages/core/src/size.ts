// Not part of the index: the portal loads it only where sizes are edited.

import { type Codec, fail } from './wire-codec.ts'

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
  const names = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), names.length - 1)
  const amount = Math.floor((bytes / 1000 ** power) * 10) / 10
  return bytes === 1 ? '1 byte' : `${power === 0 ? bytes : amount} ${names[power]}`
}
