import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { InternalError, InvalidResponseError, QuotaExceededError, Reeve, TimeoutError } from '@reeve/client'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { type ReeveServer, startReeve } from './fixture.ts'

let server: ReeveServer
let proxy: FaultProxy
let reeve: Reeve
beforeAll(async () => {
  server = await startReeve()
  proxy = startFaultProxy(server.url)
  reeve = new Reeve({ ...server.options, url: proxy.url })
}, 60_000)
afterAll(async () => {
  await proxy.close()
  await server.stop()
})
beforeEach(() => {
  proxy.requests.length = 0
})

let player = 0
const nextPlayer = () => String(++player)
const listRecords = async (userId: string) => (await reeve.moderation.listRecords({ userId })).records

const badGateway = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
const error = (code: string, status: number, headers = {}) =>
  Response.json({ error: code, code, requestId: 'x' }, { status, headers })

describe('a write', () => {
  test('whose response is lost has one effect, because all attempts have the same idempotency key', async () => {
    const userId = nextPlayer()
    proxy.failNext({ kind: 'replace', response: badGateway }, { kind: 'replace', response: badGateway })
    const record = await reeve.moderation.note({ userId, reason: 'Asked for a mentor' })
    const keys = proxy.requests.map(({ idempotencyKey }) => idempotencyKey)
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect((await listRecords(userId)).map(({ id }) => id)).toEqual([record.id])
  })

  test('that has no response in time is sent again, also while the server still executes the first attempt', async () => {
    const userId = nextPlayer()
    const { promise, resolve } = Promise.withResolvers<void>()
    proxy.failNext(
      { kind: 'hold', until: promise },
      { kind: 'respond', response: () => error('conflict', 409, { 'retry-after': '1' }) },
    )
    const record = await reeve.moderation.note({ userId, reason: 'Slow' }, { timeout: 2000 })
    resolve()
    expect(proxy.requests).toHaveLength(3)
    expect((await listRecords(userId)).map(({ id }) => id)).toEqual([record.id])
  })

  test('with an idempotency key of its own has one effect, also from another client', async () => {
    const userId = nextPlayer()
    const options = { idempotencyKey: `command-${userId}` }
    const first = await reeve.moderation.note({ userId, reason: 'Once' }, options)
    const again = await new Reeve(server.options).moderation.note({ userId, reason: 'Once' }, options)
    expect(again.id).toBe(first.id)
  })

  test('of `http`, too, is sent again with its key', async () => {
    proxy.failNext({ kind: 'replace', response: badGateway })
    const body = { workspaceId: server.workspaceId, name: 'Typed by path' }
    const { data } = await reeve.http.POST('/api/departments', { body })
    expect(data?.department.name).toBe('Typed by path')
    expect(proxy.requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      expect.any(String),
      proxy.requests[0]?.idempotencyKey ?? '',
    ])
  })
})

describe('a write without an idempotency key', () => {
  const createInput = () => ({
    name: `Hook ${nextPlayer()}`,
    url: 'https://example.com/hook',
    events: 'ban.created',
  })
  const findWebhooks = async (name: string) =>
    (await reeve.webhooks.list({ limit: 100 })).webhooks.filter((webhook) => webhook.name === name)
  const loseResponses = () => {
    proxy.requests.length = 0
    proxy.failNext({ kind: 'replace', response: badGateway })
  }

  type Input = ReturnType<typeof createInput>

  test.each([
    [
      'by its path',
      (body: Input) =>
        reeve.http.POST('/api/webhooks', { body: { ...body, workspaceId: server.workspaceId } }),
    ],
    ['of a method', (body: Input) => reeve.webhooks.create(body)],
    ['whose `retries` are undefined', (body: Input) => reeve.webhooks.create(body, { retries: undefined })],
  ])('%s is sent once, so that a lost response does not create a second webhook', async (_, create) => {
    const input = createInput()
    loseResponses()
    await expect(create(input)).rejects.toThrow(InvalidResponseError)
    expect(proxy.requests).toHaveLength(1)
    expect(await findWebhooks(input.name)).toHaveLength(1)
  })

  test('is sent again if the request asks for it', async () => {
    const input = createInput()
    const { webhook } = await reeve.webhooks.create(input)
    loseResponses()
    expect((await reeve.webhooks.pause({ id: webhook.id }, { retries: 1 })).id).toBe(webhook.id)
    expect(proxy.requests).toHaveLength(2)
  })

  test('rotates a secret and erases a player once', async () => {
    const { webhook } = await reeve.webhooks.create(createInput())
    const userId = nextPlayer()
    await reeve.moderation.note({ userId, reason: 'x' })
    const erasure = { userId, confirmUserId: userId, mode: 'delete', reason: 'Asked for it' } as const
    for (const write of [
      () => reeve.webhooks.rotateSecret({ id: webhook.id }),
      () => reeve.erasures.create(erasure),
    ]) {
      loseResponses()
      await expect(write()).rejects.toThrow(InvalidResponseError)
      expect(proxy.requests).toHaveLength(1)
    }
  })
})

describe('a request', () => {
  test('that only reads is sent again, although it is a POST without an idempotency key', async () => {
    proxy.failNext({ kind: 'replace', response: badGateway })
    expect(await reeve.check([nextPlayer()])).toEqual({ bans: [], mutes: [] })
    expect(proxy.requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual([null, null])
  })

  test('waits as long as Retry-After asks before it is sent again', async () => {
    proxy.failNext({ kind: 'respond', response: () => error('rate_limited', 429, { 'retry-after': '1' }) })
    const startedAt = performance.now()
    await reeve.moderation.listBans()
    expect(performance.now() - startedAt).toBeGreaterThan(1000)
    expect(proxy.requests).toHaveLength(2)
  })

  test('that would have to wait for longer than maxRetryDelay fails at once, with the wait', async () => {
    proxy.failNext({
      kind: 'respond',
      response: () => error('quota_exceeded', 429, { 'retry-after': '86400' }),
    })
    const failed = await reeve.moderation.listBans().catch((thrown) => thrown)
    expect(failed).toBeInstanceOf(QuotaExceededError)
    expect(failed.retryAfter).toBe(86400)
    expect(proxy.requests).toHaveLength(1)
  })

  test('that fails for good is sent once', async () => {
    await reeve.moderation.unban({ userId: nextPlayer() }).catch(() => {})
    expect(proxy.requests).toHaveLength(1)
  })

  test('that fails again and again throws the last error after its retries', async () => {
    const fault = { kind: 'respond', response: () => error('internal_error', 500) } as const
    proxy.failNext(fault, fault)
    await expect(reeve.moderation.listBans({}, { retries: 1 })).rejects.toThrow(InternalError)
    expect(proxy.requests).toHaveLength(2)
  })

  test.each([
    ['of a method', (signal: AbortSignal) => reeve.moderation.listBans({}, { signal })],
    [
      'by its path',
      (signal: AbortSignal) => {
        const query = { workspaceId: server.options.workspaceId }
        return reeve.http.GET('/api/moderation', { params: { query }, signal })
      },
    ],
  ])(
    '%s ends with its signal, before it is sent, while it waits for a response, and while it waits for a retry',
    async (_kind, sendWith) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      for (const fault of [
        null,
        { kind: 'hold', until: promise } as const,
        { kind: 'respond', response: () => error('unavailable', 503, { 'retry-after': '30' }) } as const,
      ]) {
        const end = new AbortController()
        if (fault) proxy.failNext(fault)
        else end.abort(new Error('stopped'))
        proxy.requests.length = 0
        const message = sendWith(end.signal).catch((thrown) => thrown.message)
        if (fault) await proxy.waitForRequest(() => true)
        end.abort(new Error('stopped'))
        expect(await message).toBe('stopped')
        expect(proxy.requests).toHaveLength(fault ? 1 : 0)
      }
      resolve()
    },
  )

  test('without a response in time throws a TimeoutError', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    proxy.failNext({ kind: 'hold', until: promise })
    const failed = await reeve.moderation.listBans({}, { timeout: 100, retries: 0 }).catch((thrown) => thrown)
    expect(failed).toBeInstanceOf(TimeoutError)
    expect(failed.message).toBe(`No response from ${proxy.url} within 100 ms.`)
    resolve()
  })
})

test('a burst above the rate limit of a real server succeeds, more slowly', async () => {
  const limited = await startReeve({ REEVE_KEY_RATE_PER_MINUTE: '120' })
  try {
    const client = new Reeve(limited.options)
    const users = Array.from({ length: 24 }, (_, i) => String(i + 1))
    await Promise.all(
      users.map((userId) => client.moderation.warn({ userId, reason: 'Language' }, { retries: 20 })),
    )
    const seen: string[] = []
    for await (const { userId } of client.moderation.listAllRecords({ limit: 10 }, { retries: 20 }))
      seen.push(userId)
    expect(seen.sort()).toEqual(users.sort())
  } finally {
    await limited.stop()
  }
}, 60_000)
