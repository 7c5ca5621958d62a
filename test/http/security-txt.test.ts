import { expect, test } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import { openInstance } from '../support/instance.ts'

const PATH = '/.well-known/security.txt'

test('tells whom to write to about a vulnerability, as RFC 9116 requires', async () => {
  const instance = await openInstance({
    publicUrl: 'https://staff.example.com',
    securityContact: 'mailto:security@example.com',
  })
  const { status, headers, text } = await instance.request('GET', PATH)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const fields = new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  )
  expect([...fields.keys()].toSorted()).toEqual(['Canonical', 'Contact', 'Expires', 'Preferred-Languages'])
  expect(fields.get('Contact')).toBe('mailto:security@example.com')
  expect(fields.get('Canonical')).toBe(`https://staff.example.com${PATH}`)
  const expiresIn = Date.parse(fields.get('Expires') ?? '') - instance.clock.now()
  expect(expiresIn).toBeGreaterThan(178 * DAY_MS)
  expect(expiresIn).toBeLessThan(365 * DAY_MS)
  await instance.close()
})

test('does not exist without a contact', async () => {
  const instance = await openInstance()
  const { status, body } = await instance.request('GET', PATH)
  expect([status, body.code]).toEqual([404, 'not_found'])
  await instance.close()
})
