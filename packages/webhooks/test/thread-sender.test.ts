import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parseIpRange } from '@reeve/auth'
import type { Attempt, AttemptOptions, OutgoingDelivery } from '../src/outbound/attempt.ts'
import { createSender } from '../src/outbound/sender.ts'
import { createThreadSender } from '../src/outbound/thread/sender.ts'
import { generateSecret, sealSecret } from '../src/secret.ts'

const ENTRY = new URL('./failing-thread.ts', import.meta.url)

const ports = {
  now: Date.now,
  deriveKey: () => new Uint8Array(32).fill(7),
  randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
}
const options: AttemptOptions = {
  outboundAllow: ['127.0.0.1', 'fd00::/8'].map((text) => parseIpRange(text) ?? expect.unreachable()),
  outboundCa: null,
  publicUrl: new URL('https://reeve.test'),
  userAgent: 'Reeve/test',
}

let receiver: Bun.Server<undefined>
/** Called when a request waits for an answer that never comes. */
let onHanging = () => {}
beforeAll(() => {
  receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/hangs') {
        onHanging()
        return new Promise<Response>(() => {})
      }
      const status = Number(pathname.slice(1))
      const text = `${request.headers.get('webhook-id')} ${request.headers.get('user-agent')}`
      return new Response(text, { status, headers: { 'retry-after': '7' } })
    },
  })
})
afterAll(() => receiver.stop(true))

const webhook = { workspace_id: crypto.randomUUID(), id: crypto.randomUUID() }
const secret = sealSecret(ports, webhook, generateSecret(ports))

const createOutgoing = (
  url: string,
  change: Partial<OutgoingDelivery['webhook']> = {},
): OutgoingDelivery => ({
  webhook: {
    ...webhook,
    kind: 'standard',
    url,
    secret,
    previous_secret: null,
    previous_secret_until: null,
    ...change,
  },
  messageId: 'message-1',
  discordMessageId: null,
  body: '{"type":"ban.created"}',
})
const toReceiver = (path: string) => createOutgoing(new URL(path, receiver.url).href)

const openThread = () => createThreadSender(ENTRY, ports, options)
const withoutDuration = ({ durationMs: _, ...attempt }: Attempt) => attempt

describe('a sender in a thread', () => {
  test('has the results of one without', async () => {
    const [own, thread] = [createSender(ports, options), openThread()]
    const deliveries = [
      ...['/200', '/302', '/410', '/429', '/500'].map(toReceiver),
      createOutgoing('http://127.0.0.2/'),
      createOutgoing('http://127.0.0.1:1/'),
      createOutgoing(receiver.url.href, { secret: 'v1.unreadable' }),
    ]
    const results = await Promise.all(deliveries.map(thread.send))
    expect(results.map(withoutDuration)).toEqual(
      (await Promise.all(deliveries.map(own.send))).map(withoutDuration),
    )
    expect(results.slice(0, 4).map(({ status }) => status)).toEqual([200, 302, 410, 429])
    expect(results[0]?.response).toBe('message-1 Reeve/test')
    expect(results.at(-1)?.disables).toBe('secret_unreadable')
    await thread.close()
  })

  test('ends what is in progress when it is interrupted, and sends what follows', async () => {
    const thread = openThread()
    const hanging = Promise.withResolvers<void>()
    onHanging = hanging.resolve
    const interrupted = thread.send(toReceiver('/hangs'))
    await hanging.promise
    thread.interrupt()
    expect(await interrupted).toMatchObject({ isSuccess: false, error: 'The attempt was interrupted.' })
    expect(await thread.send(toReceiver('/200'))).toMatchObject({ isSuccess: true })
    await thread.close()
  })

  test('rejects what is in progress when the thread fails, and starts another one for what follows', async () => {
    const thread = openThread()
    const hanging = Promise.withResolvers<void>()
    onHanging = hanging.resolve
    const inProgress = thread.send(toReceiver('/hangs'))
    await hanging.promise
    const failing = thread.send({ ...toReceiver('/200'), messageId: 'fail the thread' })
    const outcomes = await Promise.allSettled([inProgress, failing])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await thread.send(toReceiver('/200'))).toMatchObject({ isSuccess: true })
    await thread.close()
  })

  test('starts again after it was closed', async () => {
    const thread = openThread()
    await thread.close()
    for (let round = 0; round < 2; round++) {
      expect(await thread.send(toReceiver('/200'))).toMatchObject({ isSuccess: true })
      await thread.close()
    }
  })
})
