import { describe, expect, test } from 'bun:test'
import { parseSearchParams, stringifySearchParams, toInternalPath } from '../src/app/search-params.ts'

describe('the query string', () => {
  test('keeps every value as the same string', () => {
    const search = { userId: '0012', q: '1e3', flag: 'true', text: 'a & b = "c" + ü', list: '["x"]' }
    expect(parseSearchParams(stringifySearchParams(search))).toEqual(search)
  })

  test('omits empty values', () => {
    expect(stringifySearchParams({})).toBe('')
    expect(stringifySearchParams({ status: undefined, q: '' })).toBe('')
    expect(stringifySearchParams({ status: undefined, q: 'x' })).toBe('?q=x')
  })
})

test('signing in never redirects to another host', () => {
  for (const to of ['/', '/account', '/w/1/moderation?q=a%20b#c']) expect(toInternalPath(to)).toBe(to)
  for (const to of [
    '//elsewhere.example',
    '/\\elsewhere.example',
    'https://elsewhere.example',
    'javascript:alert(1)',
    '',
    undefined,
    7,
  ]) {
    expect(toInternalPath(to)).toBe('/')
  }
})
