interface Limits {
  /** How long a provider may take to respond, body included. */
  readonly timeoutMs: number
  /** The largest response. */
  readonly maxBytes: number
}

/** The size is far above any discovery document, key set or token. */
const LIMITS: Limits = { timeoutMs: 10_000, maxBytes: 512 * 1024 }

/** The headers of a response that are read: its media type, and why a client was rejected. */
const READ_HEADERS = ['content-type', 'www-authenticate'] as const

/** A request to a provider that got no usable response. */
export class ProviderRequestError extends Error {
  readonly problem: 'unreachable' | 'timeout' | 'invalid_response' | 'old_sign_in'

  constructor(problem: ProviderRequestError['problem'], message: string) {
    super(message)
    this.name = 'ProviderRequestError'
    this.problem = problem
  }
}

/** What the OAuth library passes to `fetch`. */
export interface ProviderRequest {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

/**
 * Sends a request to a provider and reads the response: within the limits, and without following redirects, which could lead to
 * another host with the credentials in the request.
 * @throws ProviderRequestError whose message names the host but no path, query or header
 */
export async function fetchBounded(
  url: string,
  { method, headers, body }: ProviderRequest,
  { timeoutMs, maxBytes }: Limits = LIMITS,
): Promise<Response> {
  const { host } = new URL(url)
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined || body === null ? {} : { body: body as URLSearchParams }),
    })
    const bytes = await readBounded(response, host, maxBytes)
    return new Response(bytes.length === 0 ? null : bytes, {
      status: response.status,
      headers: READ_HEADERS.flatMap((name): [string, string][] => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new ProviderRequestError('timeout', `no response from ${host} within ${timeoutMs / 1000} s`)
    // Errors of the connection have a code that is a text, those of DNS, TCP and TLS included.
    const { code } = error as { code?: unknown }
    if (typeof code !== 'string') throw error
    throw new ProviderRequestError('unreachable', `the connection to ${host} failed (${code})`)
  }
}

async function readBounded(
  response: Response,
  host: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body === null) return new Uint8Array()
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > maxBytes)
      throw new ProviderRequestError(
        'invalid_response',
        `the response of ${host} is larger than ${maxBytes / 1024} KiB`,
      )
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
