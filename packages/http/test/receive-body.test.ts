import { expect, test } from 'bun:test'
import { waitForNextTurn } from '@reeve/db'
import { createBodyReceiver } from '../src/index.ts'

const createRequest = (size: number) =>
  new Request('http://localhost', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(size) }),
  })

test('two large bodies are processed at the same time, the next one after an answer, and small ones at once', async () => {
  const { receive, release } = createBodyReceiver()
  const sender = { id: 'account', isAuthenticated: true, rejection: null }
  const received: number[] = []
  const requests = Array.from({ length: 4 }, () => createRequest(100_000))
  const receptions = requests.map(async (request, index) => {
    await receive(request, 1_000_000, sender)
    received.push(index)
  })
  await Promise.all(receptions.slice(0, 2))
  // A small body is received after the large ones, and does not wait for them.
  expect((await receive(createRequest(1), 1_000_000, sender)).fields).toEqual({ text: 'x' })
  // Each body takes a turn of the event loop.
  for (let turn = 0; turn < 10 * requests.length; turn++) await waitForNextTurn()
  expect(received).toEqual([0, 1])
  release(requests[1] as Request)
  await receptions[2]
  expect(received).toEqual([0, 1, 2])
  for (const request of requests) release(request)
  await Promise.all(receptions)
})

test('a rejected body is dropped without keeping its chunks in memory', async () => {
  const { receive } = createBodyReceiver()
  const sender = { id: 'account', isAuthenticated: true, rejection: null }
  const chunks = Array.from({ length: 3 }, () => new Uint8Array(100_000))
  const request = new Request('http://localhost', {
    method: 'POST',
    headers: { 'content-length': '300000' },
    body: new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    }),
  })
  await expect(receive(request, 200_000, sender)).rejects.toThrow('exceeds the limit of 200000 bytes')
  expect(chunks.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0])
})
