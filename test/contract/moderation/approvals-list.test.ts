import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY_MS } from '@reeve/core'
import { requestApproval } from '../../support/approvals.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { openLimitsFixture } from './limits-fixture.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
}, 60_000)
afterAll(() => instance.close())

test('pending requests are listed by their end, all others newest first, on pages', async () => {
  const fixture = await openLimitsFixture(instance)
  const ids: string[] = []
  for (const number of Array(5).keys()) {
    ids.push((await requestApproval(instance, fixture.id, String(1000 + number))).approval.id)
    instance.clock.advance(1000)
  }
  const [first, second, ...rest] = ids
  await fixture.decide(String(first), { action: 'approve' })
  await fixture.decide(String(second), { action: 'approve' })
  const collect = async (state?: string) => {
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await fixture.approvals({
        limit: '2',
        ...(state && { state }),
        ...(cursor && { cursor }),
      })
      found.push(...page.approvals.map(({ id }: { id: string }) => id))
      cursor = page.nextCursor
    }
    return found
  }
  expect(await collect('pending')).toEqual(rest)
  expect(await collect('approved')).toEqual([String(second), String(first)])
  expect(await collect()).toEqual([...ids].reverse())
  instance.clock.advance(DAY_MS)
  expect(await collect('expired')).toEqual([...rest].reverse())
})
