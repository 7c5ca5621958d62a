import { lookup } from 'node:dns/promises'
import { rootCertificates } from 'node:tls'
import { DELIVERY_TIMEOUT_SECONDS, type Ports } from '@reeve/core'
import {
  findAddressProblem,
  isAllowedByOperator,
  isIpLiteral,
  type OutboundSettings,
  toHost,
} from './address.ts'
import { createSilentAddresses } from './silent-addresses.ts'

/** How much of a response is read. */
const MAX_RESPONSE_BYTES = 64 * 1024

export interface SendOptions extends OutboundSettings {
  /** Certificates of a private authority, PEM, for receivers in the ranges that the operator allows; null for none. */
  readonly outboundCa: string | null
  /** Resolves a host name to all of its IP addresses. Replaced in tests, which have no name server. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

export interface OutboundRequest {
  readonly method: 'POST' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface OutboundResponse {
  readonly status: number
  readonly headers: Headers
  /** At most `MAX_RESPONSE_BYTES`; less if the rest cannot be read or does not arrive in time. */
  readonly text: string
}

/** Why a request was not sent or got no response, for people. */
export class SendError extends Error {}

const resolveHost = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/**
 * Sends a request to an address that was checked. The host is resolved once: the connection goes to one of the addresses that passed the check,
 * not to what the name means a moment later. The next one is tried if a connection cannot be established, so that nothing is sent twice. The
 * certificate is checked against the name. Redirects are not followed.
 * @param signal ends it @throws SendError
 */
export type SendRequest = (request: OutboundRequest, signal: AbortSignal) => Promise<OutboundResponse>

/** Sends requests, and remembers which addresses do not answer: another request tries the others of that host first. */
export function createRequestSender(ports: Pick<Ports, 'now'>, options: SendOptions): SendRequest {
  const silent = createSilentAddresses(ports)
  return async (request, signal) => {
    const url = new URL(request.url)
    const host = toHost(url)
    const addresses = isIpLiteral(url) ? [host] : await resolveInTime(options, host, signal)
    const problem = findAddressProblem(options, url, addresses)
    if (problem !== null) throw new SendError(problem)
    let firstFailure: SendError | null = null
    for (const ip of silent.sortLast(addresses)) {
      try {
        return await sendTo(ip, options, url, request, signal)
      } catch (error) {
        if (isTimeout(signal)) silent.add(ip)
        const failure = new SendError(describeError(error, signal))
        if (signal.aborted || !Object.hasOwn(CONNECTION_ERRORS, getCode(error))) throw failure
        firstFailure ??= failure
      }
    }
    throw firstFailure
  }
}

async function sendTo(
  ip: string,
  options: SendOptions,
  url: URL,
  { method, headers, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const target = new URL(url)
  target.hostname = ip.includes(':') ? `[${ip}]` : ip
  const response = await fetch(target, {
    method,
    headers: { ...headers, host: url.host },
    body,
    redirect: 'manual',
    // A connection is not used for another receiver at the same address, so every certificate is checked.
    keepalive: url.protocol === 'http:',
    signal,
    // One from the environment would resolve the name again.
    proxy: false,
    ...createTlsOptions(options, url, ip),
  })
  return { status: response.status, headers: response.headers, text: await readStart(response) }
}

function createTlsOptions(options: SendOptions, url: URL, ip: string): object {
  if (url.protocol !== 'https:') return {}
  const hasPrivateCa = options.outboundCa !== null && isAllowedByOperator(options, ip)
  return {
    tls: {
      serverName: toHost(url),
      ...(hasPrivateCa && { ca: [...rootCertificates, options.outboundCa] }),
    },
  }
}

async function resolveInTime(
  { resolve = resolveHost }: SendOptions,
  host: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(new SendError('The host name was not resolved in time.'))
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([resolve(host), aborted.promise])
  } catch (error) {
    if (error instanceof SendError) throw error
    throw new SendError(`The host name ${host} was not found.`)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const chunks: Uint8Array[] = []
  try {
    for (let size = 0; size < MAX_RESPONSE_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      size += value.length
    }
  } catch {
    // The status has arrived, and it decides.
  }
  // What follows is not read.
  await reader.cancel().catch(() => {})
  const bytes = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES)
  // It is stored, and PostgreSQL stores no NUL.
  return new TextDecoder().decode(bytes).replaceAll('\0', '\ufffd')
}

const getCode = (error: unknown): string => String((error as { code?: unknown }).code ?? '')

/** Errors before anything was sent. */
const CONNECTION_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ConnectionRefused: 'The connection was refused.',
  ENETUNREACH: 'The connection could not be established.',
  EHOSTUNREACH: 'The connection could not be established.',
  FailedToOpenSocket: 'The connection could not be established.',
}

const ERRORS: Readonly<Record<string, string>> = {
  ...CONNECTION_ERRORS,
  ConnectionClosed: 'The connection was closed before the response.',
  ECONNRESET: 'The connection was closed before the response.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate is from an unknown authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is from an unknown authority.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
}

const isTimeout = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError'

function describeError(error: unknown, signal: AbortSignal): string {
  if (signal.aborted)
    return isTimeout(signal)
      ? `There was no response within ${DELIVERY_TIMEOUT_SECONDS} seconds.`
      : 'The attempt was interrupted.'
  const code = getCode(error)
  return ERRORS[code] ?? `The request failed${code === '' ? '' : ` (${code})`}.`
}
