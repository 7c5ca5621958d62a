import { describe, expect, test } from 'bun:test'
import { AppError } from '@reeve/core'
import { assertNotCrossSite, assertSameOrigin } from '../src/gate/same-origin.ts'

const SET = { publicUrl: new URL('https://reeve.example/'), hasPublicUrl: true }
/** Where nobody has said what people type. */
const DERIVED = { publicUrl: new URL('http://localhost:3000/'), hasPublicUrl: false }

function isAccepted(guard: typeof assertSameOrigin, headers: Record<string, string>, address = SET): boolean {
  try {
    guard(new Headers(headers), address)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).options.reason).toBe('cross_site_request')
    return false
  }
}

describe.each<[Record<string, string>, boolean]>([
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ 'sec-fetch-site': 'cross-site' }, false],
  [{ origin: 'https://reeve.example' }, true],
  [{ origin: 'http://reeve.example' }, false],
  [{ origin: 'https://reeve.example:8443' }, false],
  [{ origin: 'https://evil.example' }, false],
  [{ origin: 'null' }, false],
  // A browser sets Sec-Fetch-Site itself; Origin cannot override it.
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://reeve.example' }, false],
])('a request with %j', (headers, expected) => {
  test(`is ${expected ? 'accepted' : 'rejected'} by both guards`, () => {
    expect(isAccepted(assertSameOrigin, headers)).toBe(expected)
    expect(isAccepted(assertNotCrossSite, headers)).toBe(expected)
  })
})

test('a request without either header is accepted only if no cookie is used', () => {
  expect(isAccepted(assertSameOrigin, {})).toBe(false)
  expect(isAccepted(assertNotCrossSite, {})).toBe(true)
})

describe('a page that was opened over plain http at another address', () => {
  const host = '192.168.1.20:3000'
  const headers = { host, origin: `http://${host}` }

  test.each([assertSameOrigin, assertNotCrossSite])(
    'is the portal while nobody has set an address',
    (guard) => {
      expect(isAccepted(guard, headers, DERIVED)).toBe(true)
      expect(isAccepted(guard, { ...headers, origin: 'http://192.168.1.20:8080' }, DERIVED)).toBe(false)
      expect(isAccepted(guard, { ...headers, origin: `https://${host}` }, DERIVED)).toBe(false)
      expect(isAccepted(guard, { ...headers, 'sec-fetch-site': 'same-site' }, DERIVED)).toBe(false)
      expect(isAccepted(guard, headers)).toBe(false)
    },
  )

  test('says which address to open once one is set', () => {
    expect(() => assertSameOrigin(new Headers(headers), SET)).toThrow(
      'This page was opened at http://192.168.1.20:3000, but the URL of this server is https://reeve.example: open that.',
    )
  })
})
