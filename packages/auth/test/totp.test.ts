import { describe, expect, test } from 'bun:test'
import {
  buildTotpUri,
  computeTotp,
  encodeBase32,
  findTotpStep,
  toTotpStep,
} from '../src/methods/totp/totp.ts'

/** The secret of the test vectors of RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890')

describe('a code', () => {
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('of second %d is that of RFC 6238', (second, code) => {
    const step = toTotpStep(second * 1000)
    expect(computeTotp(SECRET, step, 8)).toBe(code)
    expect(computeTotp(SECRET, step)).toBe(code.slice(2))
  })

  test('is accepted one step before and after its own, and not two', () => {
    const now = 1_111_111_111_000
    const current = toTotpStep(now)
    const find = (step: number) => findTotpStep(SECRET, computeTotp(SECRET, step), { now, afterStep: -1 })
    expect([-2, -1, 0, 1, 2].map((offset) => find(current + offset))).toEqual([
      null,
      current - 1,
      current,
      current + 1,
      null,
    ])
  })

  test('of a used step or an earlier one is not accepted', () => {
    const now = 1_111_111_111_000
    const current = toTotpStep(now)
    const find = (step: number) =>
      findTotpStep(SECRET, computeTotp(SECRET, step), { now, afterStep: current })
    expect([-1, 0, 1].map((offset) => find(current + offset))).toEqual([null, null, current + 1])
  })
})

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('Base32 of %p is that of RFC 4648 without padding', (text, encoded) => {
  expect(encodeBase32(Buffer.from(text))).toBe(encoded)
})

test('the URI names the issuer and the account, whatever characters they contain', () => {
  const uri = buildTotpUri({ issuer: 'Reeve (reeve.example)', username: 'Ämilia: #1', secret: 'MZXW6YTBOI' })
  const url = new URL(uri)
  expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(url.pathname.slice(1))).toBe('Reeve (reeve.example):Ämilia: #1')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    secret: 'MZXW6YTBOI',
    issuer: 'Reeve (reeve.example)',
  })
})
