import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance
let server: Server
let respond: (socket: Socket, request: string) => void

beforeAll(async () => {
  instance = await openInstance()
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => respond(socket, data.toString()))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
afterEach(() => expect(instance.unexpectedErrors).toEqual([]))
afterAll(async () => {
  server.close()
  await instance.close()
})

const end = (socket: Socket) => void socket.end()

/** What follows the other headers of a response, and what the receiver does then. */
const broken = [
  ['is cut off', 'Content-Length: 100\r\n\r\nok', end],
  ['never ends', 'Content-Length: 100\r\n\r\nok', () => {}],
  ['is no gzip', 'Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok', end],
  ['has a wrong chunk', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n', end],
] as const

const toOrigin = () => `http://127.0.0.1:${(server.address() as { port: number }).port}`

/** Sends a ban. @returns the delivery and the webhook */
async function deliver(status: number, headers: string, [, start, finish]: (typeof broken)[number]) {
  respond = (socket) => socket.write(`HTTP/1.1 ${status} X\r\n${headers}${start}`, () => finish(socket))
  const { sendAllDue } = openDeliveries(instance, { timeoutMs: 2000 })
  const caller = createWebhookCaller(instance, await instance.workspace())
  const { webhook } = await caller.create(`${toOrigin()}/hook`, 'ban.created')
  await caller.moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
  await sendAllDue()
  const [{ id }] = await caller.deliveries(webhook.id)
  const { delivery } = await caller.call('GET', 'webhooks/deliveries', { id })
  return { delivery, webhook: await caller.read(webhook.id) }
}

describe.each(broken)('a response that %s', (...response) => {
  test('with a status of success is one', async () => {
    const { delivery, webhook } = await deliver(200, '', response)
    expect(delivery).toMatchObject({ state: 'delivered', lastStatus: '200', lastError: null })
    expect(webhook).toMatchObject({ failures: '0', lastStatus: '200' })
  })

  test('with the status 503 keeps it, and its Retry-After', async () => {
    const { delivery, webhook } = await deliver(503, 'Retry-After: 600\r\n', response)
    expect(delivery).toMatchObject({
      state: 'pending',
      lastStatus: '503',
      lastError: 'The receiver returned 503.',
    })
    expect(Date.parse(webhook.holdUntil)).toBe(instance.clock.now() + 600_000)
  })

  test('with the status 410 disables the webhook', async () => {
    const { webhook } = await deliver(410, '', response)
    expect(webhook).toMatchObject({ state: 'disabled', stateReason: 'gone', lastStatus: '410' })
  })
})

test('what has arrived of a response that never ends is kept', async () => {
  const { delivery } = await deliver(200, '', broken[1])
  expect(delivery.response).toBe('ok')
})

test('a 404 of Discord whose reason is cut off disables nothing if it may only mean the message', async () => {
  const methods: (string | undefined)[] = []
  const message = JSON.stringify({ id: '1000000000000000001' })
  respond = (socket, request) => {
    const [method] = request.split(' ')
    methods.push(method)
    socket.end(
      method === 'PATCH'
        ? 'HTTP/1.1 404 X\r\nContent-Length: 100\r\n\r\n{"mess'
        : `HTTP/1.1 200 X\r\nConnection: close\r\nContent-Length: ${message.length}\r\n\r\n${message}`,
    )
  }
  const { sendAllDue } = openDeliveries(instance, { discordOrigin: toOrigin() })
  const { create, moderate, read } = createWebhookCaller(instance, await instance.workspace())
  const { webhook } = await create(
    'https://discord.com/api/webhooks/123456789012345678/the-token-of-the-webhook',
    'ban.created,ban.ended',
  )
  await moderate({ action: 'ban', userId: '261', reason: 'Exploiting' })
  await sendAllDue()
  await moderate({ action: 'unban', userId: '261' })
  await sendAllDue()
  expect(methods).toEqual(['POST', 'PATCH', 'POST'])
  expect(await read(webhook.id)).toMatchObject({ state: 'active', failures: '0' })
})
