import type { Ports } from '@reeve/core'
import type { WebhookStateReason, WebhookTable } from '@reeve/db'
import { parseRetryAfter, TIMEOUT_MS } from '../deliveries/limits.ts'
import { openSecret } from '../secret.ts'
import { getDiscordPause, readMessageId, toDiscordRequest } from './discord.ts'
import {
  type OutboundRequest,
  type OutboundResponse,
  SendError,
  type SendOptions,
  type SendRequest,
} from './send.ts'
import { createSignatureHeaders } from './signature.ts'

export interface AttemptOptions extends SendOptions {
  /** Where links in messages lead. */
  readonly publicUrl: URL
  /** Replaces `https://discord.com` in tests. */
  readonly discordOrigin?: string
  readonly userAgent: string
  /** Shorter in tests. */
  readonly timeoutMs?: number
}

/** What an attempt needs of a webhook. */
type OutgoingWebhook = Pick<
  WebhookTable,
  'workspace_id' | 'id' | 'kind' | 'url' | 'secret' | 'previous_secret' | 'previous_secret_until'
>

/** Leaves out the other columns: copying them for another thread would take as long as all the rest. */
export const toOutgoingWebhook = (webhook: WebhookTable): OutgoingWebhook => ({
  workspace_id: webhook.workspace_id,
  id: webhook.id,
  kind: webhook.kind,
  url: webhook.url,
  secret: webhook.secret,
  previous_secret: webhook.previous_secret,
  previous_secret_until: webhook.previous_secret_until,
})

/** What an attempt needs of a delivery and its webhook: values that can be sent to another thread. */
export interface OutgoingDelivery {
  readonly webhook: OutgoingWebhook
  /** The header `webhook-id`, by which the receiver recognizes a repeated attempt. */
  readonly messageId: string
  /** The message in Discord that the event ends; null if there is none. */
  readonly discordMessageId: string | null
  readonly body: string
}

/** The result of an attempt. */
export interface Attempt {
  readonly isSuccess: boolean
  /** Null if there was no response. */
  readonly status: number | null
  /** Why it failed, for people; null if it succeeded. */
  readonly error: string | null
  /** The start of the response. */
  readonly response: string | null
  readonly durationMs: number
  /** How long the receiver wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number | null
  /** The receiver will never accept anything again. */
  readonly disables: Extract<WebhookStateReason, 'gone' | 'removed' | 'secret_unreadable'> | null
  /** The message that Discord has created. */
  readonly discordMessageId?: string
}

/** What attempts need of the instance. */
export type AttemptPorts = Pick<Ports, 'now' | 'deriveKey'>

interface SendingPorts extends AttemptPorts {
  readonly sendRequest: SendRequest
}

/** Sends a delivery once. @param signal interrupts it */
export async function attemptDelivery(
  ports: SendingPorts,
  options: AttemptOptions,
  outgoing: OutgoingDelivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const { webhook, discordMessageId, body } = outgoing
  const startedAt = performance.now()
  const toAttempt = (result: Partial<Attempt>): Attempt => ({
    isSuccess: false,
    status: null,
    error: null,
    response: null,
    retryAfterMs: null,
    disables: null,
    ...result,
    durationMs: performance.now() - startedAt,
  })
  const secret = openSecret(ports, webhook, webhook.secret)
  if (secret === null)
    return toAttempt({
      error: 'The secret of this webhook cannot be read with the key of this instance.',
      disables: 'secret_unreadable',
    })
  const deadline = createDeadline(signal, options.timeoutMs ?? TIMEOUT_MS)
  try {
    const send = async (request: OutboundRequest) => {
      const headers = { ...request.headers, 'user-agent': options.userAgent }
      const response = await ports.sendRequest({ ...request, headers }, deadline.signal)
      return { request, response }
    }
    if (webhook.kind !== 'discord') {
      const sent = await send(createSignedRequest(ports, outgoing, secret))
      return toAttempt(judgeResponse(ports, webhook, sent.request, sent.response))
    }
    const url = toDiscordUrl(options, secret)
    let sent = await send(toDiscordRequest(url, discordMessageId, body, options.publicUrl))
    // Somebody has deleted the message, so there is none to edit.
    if (discordMessageId !== null && isUnknownMessage(sent.response))
      sent = await send(toDiscordRequest(url, null, body, options.publicUrl))
    return toAttempt(judgeResponse(ports, webhook, sent.request, sent.response))
  } catch (error) {
    if (error instanceof SendError) return toAttempt({ error: error.message })
    throw error
  } finally {
    deadline.clear()
  }
}

/**
 * A signal that aborts with another one, or after some time. `AbortSignal.timeout` would keep what waits for it until then, for 15
 * seconds after an attempt that took milliseconds.
 */
function createDeadline(other: AbortSignal, timeoutMs: number) {
  const controller = new AbortController()
  const abort = () => controller.abort(other.reason)
  if (other.aborted) abort()
  other.addEventListener('abort', abort)
  const timer = setTimeout(
    () => controller.abort(new DOMException('The attempt took too long.', 'TimeoutError')),
    timeoutMs,
  )
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      other.removeEventListener('abort', abort)
    },
  }
}

function createSignedRequest(
  ports: AttemptPorts,
  { webhook, messageId, body }: OutgoingDelivery,
  secret: string,
): OutboundRequest {
  const now = ports.now()
  const isRotating = webhook.previous_secret_until !== null && webhook.previous_secret_until > now
  const previous = isRotating ? openSecret(ports, webhook, webhook.previous_secret) : null
  const message = { id: messageId, timestamp: Math.floor(now / 1000), body }
  return {
    method: 'POST',
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      ...createSignatureHeaders(message, previous === null ? [secret] : [secret, previous]),
    },
    body,
  }
}

const toDiscordUrl = ({ discordOrigin }: AttemptOptions, url: string): string =>
  discordOrigin === undefined ? url : url.replace('https://discord.com', discordOrigin)

/**
 * There may be no message to edit: unless Discord says that it does not know the webhook, because that disables it for good, and the reason
 * may be cut off. Source: Discord, "JSON Error Codes".
 */
const isUnknownMessage = ({ status, text }: OutboundResponse): boolean =>
  status === 404 && !/"code"\s*:\s*10015\b/.test(text)

/** How much of a response is stored. */
const MAX_STORED_BYTES = 4096

const cutBytes = (text: string): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_STORED_BYTES)).replace(/\ufffd$/, '')

function judgeResponse(
  ports: AttemptPorts,
  { kind }: OutgoingWebhook,
  request: OutboundRequest,
  { status, headers, text }: OutboundResponse,
): Partial<Attempt> {
  const isSuccess = status >= 200 && status < 300
  const isDiscord = kind === 'discord'
  const retryAfterMs = isDiscord
    ? getDiscordPause(status, headers, text)
    : isSuccess
      ? null
      : parseRetryAfter(headers.get('retry-after'), ports.now())
  const base = { status, response: cutBytes(text), retryAfterMs }
  if (isSuccess) {
    const discordMessageId = isDiscord && request.method === 'POST' ? readMessageId(text) : null
    return { ...base, isSuccess, ...(discordMessageId === null ? {} : { discordMessageId }) }
  }
  if (status === 410 && !isDiscord)
    return { ...base, error: 'The receiver returned 410: it wants no further events.', disables: 'gone' }
  if (isDiscord && status === 404)
    return { ...base, error: 'Discord no longer knows this webhook.', disables: 'removed' }
  const isRedirect = status >= 300 && status < 400
  return {
    ...base,
    error: isRedirect
      ? `The receiver returned ${status}: redirects are not followed.`
      : `The receiver returned ${status}.`,
  }
}
