import { describe, expect, test } from 'bun:test'
import { wire } from '@reeve/core'
import {
  formatIpRange,
  type IpRange,
  ipRanges,
  isInRanges,
  parseIpRange,
  toIpNetwork,
} from '../src/ip-address.ts'
import { resolveClientIp } from '../src/proxies.ts'

const parse = (...texts: string[]): IpRange[] =>
  texts.map((text) => {
    const range = parseIpRange(text)
    if (range === null) throw new Error(`${text} is not a range`)
    return range
  })
const normalize = (text: string) => {
  const range = parseIpRange(text)
  return range && formatIpRange(range)
}

describe('an IP address or CIDR range', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ])('%s is normalized to %s', (text, expected) => {
    expect(normalize(text)).toBe(expected)
  })

  test.each([
    '',
    'localhost',
    '203.0.113',
    '0313.0.113.7',
    '0xcb.0.113.7',
    '3405803783',
    '203.0.113.256',
    '203.0.113.7/33',
    '203.0.113.7/-1',
    '203.0.113.7/',
    '203.0.113.0/24/24',
    '2001:db8::/129',
    '::ffff:203.0.113.7/95',
    'fe80::1%eth0',
  ])('%p is rejected', (text) => {
    expect(parseIpRange(text)).toBeNull()
  })
})

describe('isInRanges', () => {
  const ranges = parse('203.0.113.0/24', '2001:db8::/32')

  test.each([
    ['203.0.113.255', true],
    ['::ffff:203.0.113.1', true],
    ['203.0.114.0', false],
    ['2001:db8:ffff::1', true],
    ['2001:db9::1', false],
    ['unknown', false],
    ['', false],
  ])('%s: %p', (ip, expected) => {
    expect(isInRanges(ip, ranges)).toBe(expected)
  })

  test('an IPv4 range of all addresses does not contain IPv6', () => {
    expect(isInRanges('2001:db8::1', parse('0.0.0.0/0'))).toBe(false)
  })
})

describe('resolveClientIp', () => {
  const trusted = parse('10.0.0.0/8')

  test.each<[string, string, string | null, string]>([
    ['without the header, it is the peer', '10.0.0.1', null, '10.0.0.1'],
    ['an untrusted peer cannot set it', '198.51.100.1', '203.0.113.7', '198.51.100.1'],
    ['a trusted proxy sets it', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['a client cannot forge an earlier hop', '10.0.0.1', '192.0.2.1, 203.0.113.7', '203.0.113.7'],
    ['several trusted proxies are skipped', '10.0.0.1', '203.0.113.7, 10.0.0.3,10.0.0.2', '203.0.113.7'],
    ['if every hop is a proxy, it is the peer', '10.0.0.1', '10.0.0.2', '10.0.0.1'],
    ['if a hop is not an IP address, it is the peer', '10.0.0.1', '203.0.113.7, unknown', '10.0.0.1'],
    ['a port after an IPv4 address is ignored', '10.0.0.1', '203.0.113.7:51324', '203.0.113.7'],
    ['a port after an IPv6 address is ignored', '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['an IPv6 address can be in brackets', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['the port of a proxy is ignored', '10.0.0.1', '203.0.113.7:51324, 10.0.0.2:443', '203.0.113.7'],
    ['after another text than a port, it is the peer', '10.0.0.1', '203.0.113.7:http', '10.0.0.1'],
    ['without its port, it is the peer', '10.0.0.1', '203.0.113.7:', '10.0.0.1'],
    ['with an incomplete bracket, it is the peer', '10.0.0.1', '[2001:db8::1:443', '10.0.0.1'],
    ['an IPv4-mapped peer is IPv4', '::ffff:10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
  ])('%s', (_, peer, forwardedFor, expected) => {
    expect(resolveClientIp(peer, forwardedFor, trusted)).toBe(expected)
  })

  test.each([
    ['203.0.113.7:51324', '203.0.113.7'],
    ['192.0.2.1, [2001:db8::1]:443', '2001:db8::1'],
  ])('behind one proxy, %p is from %p', (forwardedFor, expected) => {
    expect(resolveClientIp('10.0.0.1', forwardedFor, 1)).toBe(expected)
  })

  test('without trusted proxies, the header is ignored', () => {
    expect(resolveClientIp('10.0.0.1', '203.0.113.7', [])).toBe('10.0.0.1')
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:7:7:ffff::1', '2001:db8:7:7::/64'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['', ''],
])('the throttle counts %p as %p', (ip, expected) => {
  expect(toIpNetwork(ip)).toBe(expected)
})

describe('the ranges of an API key', () => {
  test('are separated by commas, spaces or line breaks, normalized and unique', () => {
    expect(ipRanges.read(' 203.0.113.7/24,203.0.113.9/24\n2001:DB8::/48 ')).toEqual([
      '203.0.113.0/24',
      '2001:db8::/48',
    ])
  })

  test('are null, which allows every IP address, if the text is empty', () => {
    expect(ipRanges.read(' ')).toBeNull()
    expect(() => ipRanges.read(' , ')).toThrow('must be IP addresses or CIDR ranges')
    expect(ipRanges.write(null)).toBe('')
  })

  test('are rejected with the first invalid entry, and beyond 50', () => {
    expect(() => ipRanges.read('203.0.113.7, somewhere')).toThrow(wire.WireError)
    expect(() => ipRanges.read('203.0.113.7, somewhere')).toThrow('somewhere is neither')
    const addresses = Array.from({ length: 51 }, (_, index) => `203.0.113.${index}`)
    expect(ipRanges.read(addresses.slice(0, 50).join())).toHaveLength(50)
    expect(() => ipRanges.read(addresses.join())).toThrow('at most 50')
  })
})
