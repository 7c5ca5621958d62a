/// <reference path="../../files.d.ts" />
import { readFileSync } from 'node:fs'
import { sha256Hex } from '@reeve/core/sha256'
import listPath from './common-passwords.bin' with { type: 'file' }

/** Passwords of newer dates, other games and this product, which the list of leaked passwords is too old for. */
const ownPasswords: ReadonlySet<string> = new Set(
  `passw0rd12 passw0rd123 p@ssw0rd123 p@ssword123 password!1 welcome1234 welcome2024 welcome2025 welcome2026 letmein1234
  changeme1234 admin123456 administrator1 rootroot123 abcd12345678 11223344556 trustno1trustno1 roblox1234 roblox12345
  robloxroblox minecraft2026 fortnite123 gamer12345 moderator1 moderator123 reeve12345 correcthorse correcthorsebatterystaple
  mypassword123 summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 spring2026 autumn2026 football1234`.split(
    /\s+/,
  ),
)

/** Two of the listed hashes agree by chance in one of 20 million passwords, which is then refused without being common. */
const COMMON_HASH_LENGTH = 5

/** How a password is looked up: regardless of case and Unicode form. */
export const hashCommonPassword = (password: string): Buffer =>
  Buffer.from(sha256Hex(password.normalize('NFKC').toLowerCase()), 'hex').subarray(0, COMMON_HASH_LENGTH)

let list: Buffer | null = null

/**
 * Whether a password is one of the 50,000 most common ones that are long enough, or contains only the words of one that everybody
 * knows.
 */
export function isCommonPassword(password: string): boolean {
  const words = password.toLowerCase().replace(/[\s_-]/g, '')
  if (ownPasswords.has(words)) return true
  list ??= readFileSync(listPath)
  return [password, words].some((text) => includesHash(list as Buffer, hashCommonPassword(text)))
}

/** Binary search: the hashes are sorted. */
function includesHash(hashes: Buffer, hash: Buffer): boolean {
  let low = 0
  let high = hashes.length / COMMON_HASH_LENGTH
  while (low < high) {
    const middle = (low + high) >>> 1
    const start = middle * COMMON_HASH_LENGTH
    const order = hashes.compare(hash, 0, COMMON_HASH_LENGTH, start, start + COMMON_HASH_LENGTH)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle
  }
  return false
}
