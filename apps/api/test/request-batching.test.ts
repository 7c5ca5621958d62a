import { expect, test } from 'bun:test'
import { createRequestBatcher } from '../src/request-batching.ts'

const waitForTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

const URL = 'http://localhost/api/moderation'
const firsts = [
  new Request(URL, { headers: { authorization: 'Bearer key' } }),
  new Request(URL, { method: 'POST', headers: { 'content-length': '3000000' } }),
  new Request(URL, { method: 'POST', headers: { 'transfer-encoding': 'chunked' } }),
]
const others = [
  new Request(URL, { headers: { cookie: 'session' } }),
  new Request(URL, { method: 'POST', headers: { authorization: 'Bearer key' } }),
]

test('reads with an API key and large bodies begin before requests that arrived earlier, and these one per turn in their order', async () => {
  const batcher = createRequestBatcher()
  const begun: (number | 'first')[] = []
  const arrive = async (request: Request, name: number | 'first') => {
    await batcher.waitForTurn(request)
    begun.push(name)
  }
  const beginnings = Array.from({ length: 20 }, (_, index) => arrive(others[index % 2] as Request, index))
  // The next requests arrive while the first of the others begins.
  await waitForTurn()
  expect(begun).toEqual([0])
  beginnings.push(...firsts.map((request) => arrive(request, 'first')))
  // The first of a turn does not wait for it to end.
  await Promise.resolve()
  expect(begun.slice(1)).toEqual(['first'])
  await waitForTurn()
  expect(begun.slice(0, 5).filter((name) => name === 'first')).toHaveLength(firsts.length)
  await Promise.all(beginnings)
  expect(begun.filter((name) => name !== 'first')).toEqual(Array.from({ length: 20 }, (_, index) => index))
})
