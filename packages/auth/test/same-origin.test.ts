import { describe, expect, test } from 'bun:test'
import { AppError } from '@reeve/core'
import { assertNotCrossSite, assertSameOrigin } from '../src/gate/same-origin.ts'

const PUBLIC_URL = new URL('https://reeve.example/')

function isAccepted(guard: typeof assertSameOrigin, headers: Record<string, string>): boolean {
  try {
    guard(new Headers(headers), PUBLIC_URL)
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
