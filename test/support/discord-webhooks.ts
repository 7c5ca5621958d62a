/**
 * A stand-in for the webhooks of Discord, as documented: messages with `?wait=true`, edits, rate limits per webhook, and the
 * errors of unknown webhooks and messages. Sources: https://discord.com/developers/docs/resources/webhook,
 * https://discord.com/developers/docs/topics/rate-limits, https://discord.com/developers/docs/topics/opcodes-and-status-codes.
 */
interface Message {
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert embeds of every shape
  readonly [field: string]: any
}

interface RateLimit {
  remaining: number
  readonly resetAfterMs: number
}

const WEBHOOK_ID = '123456789012345678'
const TOKEN = 'the-token-of-the-webhook-0123456789'

export function startDiscord() {
  const messages: Message[] = []
  const state = {
    edits: 0,
    rejected: 0,
    requests: 0,
    isRemoved: false,
    failures: 0,
    limit: null as RateLimit | null,
  }
  let nextId = 1_000_000_000_000_000_000n

  const toHeaders = (limit: RateLimit | null): Record<string, string> =>
    limit === null
      ? {}
      : {
          'x-ratelimit-limit': '5',
          'x-ratelimit-remaining': String(limit.remaining),
          'x-ratelimit-reset-after': String(limit.resetAfterMs / 1000),
        }

  async function respond(request: Request): Promise<Response> {
    state.requests += 1
    const url = new URL(request.url)
    const [, id, token, , messageId] =
      /^\/api\/v10\/webhooks\/(\d+)\/([\w-]+)(\/messages\/(\d+))?$/.exec(url.pathname) ?? []
    if (state.isRemoved || id !== WEBHOOK_ID || token !== TOKEN)
      return Response.json({ message: 'Unknown Webhook', code: 10015 }, { status: 404 })
    if (state.failures > 0) {
      state.failures -= 1
      return Response.json({ message: 'Internal Server Error', code: 0 }, { status: 500 })
    }
    const { limit } = state
    if (limit !== null) {
      if (limit.remaining === 0) {
        state.rejected += 1
        return Response.json(
          { message: 'You are being rate limited.', retry_after: limit.resetAfterMs / 1000, global: false },
          { status: 429, headers: { ...toHeaders(limit), 'retry-after': '2' } },
        )
      }
      limit.remaining -= 1
    }
    const headers = toHeaders(limit)
    if (limit?.remaining === 0) limit.remaining = 1
    const body = (await request.json()) as Record<string, unknown>
    if (messageId !== undefined) {
      const index = messages.findIndex((message) => message.id === messageId)
      if (index < 0)
        return Response.json({ message: 'Unknown Message', code: 10008 }, { status: 404, headers })
      state.edits += 1
      messages[index] = { ...body, id: messageId }
      return Response.json(messages[index], { headers })
    }
    const message = { type: 0, ...body, id: String(nextId++), webhook_id: WEBHOOK_ID } as unknown as Message
    messages.push(message)
    if (url.searchParams.get('wait') !== 'true') return new Response(null, { status: 204, headers })
    return Response.json(message, { headers })
  }

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: respond })
  return {
    origin: `http://127.0.0.1:${server.port}`,
    url: `https://discord.com/api/webhooks/${WEBHOOK_ID}/${TOKEN}`,
    token: TOKEN,
    /** The messages of the channel, as they are now. */
    messages,
    get edits() {
      return state.edits
    },
    /** Requests that were sent in spite of the rate limit. */
    get rejected() {
      return state.rejected
    },
    get requests() {
      return state.requests
    },
    limit: (limit: RateLimit | null) => {
      state.limit = limit
    },
    /** The next requests fail. */
    failNext: (count: number) => {
      state.failures = count
    },
    /** Somebody deletes the webhook in Discord. */
    remove: () => {
      state.isRemoved = true
    },
    stop: () => server.stop(true),
  }
}
