import { expect, test } from 'bun:test'
import { getKeyStatus, type KeyStatus } from '../src/api-keys/status.ts'

const NOW = 1_000_000

test.each<[string, number | null, number | null, KeyStatus]>([
  ['never revoked, no expiry', null, null, 'live'],
  ['expires in a millisecond', null, NOW + 1, 'live'],
  ['expires now', null, NOW, 'expired'],
  ['revoked now', NOW, null, 'revoked'],
  ['rotated, in its grace period', NOW + 1, null, 'expiring'],
  ['rotated, but expired during its grace period', NOW + 1, NOW, 'expired'],
  ['revoked after it expired', NOW, NOW - 1, 'revoked'],
])('a key that is %s is reported correctly', (_, revokedAt, expiresAt, expected) => {
  expect(getKeyStatus({ revokedAt, expiresAt }, NOW)).toBe(expected)
})
