import { describe, expect, test } from 'bun:test'
import { parseSearchParams, stringifySearchParams, toInternalPath } from '../src/app/search-params.ts'

describe('what stands behind the ? of an address', () => {
  test('stays the text that it is, whatever it looks like', () => {
    const search = { userId: '0012', q: '1e3', flag: 'true', text: 'a & b = "c" + ü', list: '["x"]' }
    expect(parseSearchParams(stringifySearchParams(search))).toEqual(search)
  })

  test('is left out where there is nothing to say', () => {
    expect(stringifySearchParams({})).toBe('')
    expect(stringifySearchParams({ status: undefined, q: '' })).toBe('')
    expect(stringifySearchParams({ status: undefined, q: 'x' })).toBe('?q=x')
  })
})

test('after signing in, nobody is led to another host', () => {
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
