/** How to reach an instance. */
export interface ReeveOptions {
  /** The URL of the instance, such as `https://reeve.example.com`. */
  readonly url: string | URL
  /** An API key of a workspace: `rve_…`. */
  readonly key: string
  /** The workspace of every request that does not name another one. */
  readonly workspaceId?: string | undefined
  /** Milliseconds that one attempt may take, with its body. Default: 30,000. */
  readonly timeout?: number | undefined
  /** How often a failed request is sent again. Default: 4. Writes that accept no idempotency key are sent once. */
  readonly retries?: number | undefined
  /** The longest wait before a retry, in milliseconds: an error that asks for a longer one is thrown at once. Default: 60,000. */
  readonly maxRetryDelay?: number | undefined
  /** Replaces the global `fetch`, for example to send requests through a proxy. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** Options of one request. */
export interface RequestOptions {
  /** Ends the request and its retries: it throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** See `ReeveOptions`. */
  readonly timeout?: number | undefined
  /** How often the request is sent again if it fails, also a write that accepts no idempotency key. Default: see `ReeveOptions`. */
  readonly retries?: number | undefined
  /**
   * Makes a write take effect once, also if it is sent again later or by another process: use an ID of its cause, such as that of the
   * command in the chat. At most 255 characters. Default: a random one for all attempts of a request.
   */
  readonly idempotencyKey?: string | undefined
  /** The `version` that a record must still have: a write of a changed one throws `VersionMismatchError`. */
  readonly ifMatch?: string | undefined
}

/** Options with their defaults. */
export interface Settings {
  readonly url: string
  readonly key: string
  readonly workspaceId: string | undefined
  readonly timeout: number
  readonly retries: number
  readonly maxRetryDelay: number
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

const DEFAULTS = { timeout: 30_000, retries: 4, maxRetryDelay: 60_000 }

/** @throws TypeError that names the option which is missing or invalid */
export function readSettings(options: ReeveOptions): Settings {
  const { key, workspaceId, timeout, retries, maxRetryDelay } = options
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('key: must be an API key, such as rve_…, without spaces.')
  return {
    url: readUrl(options.url),
    key,
    workspaceId,
    timeout: timeout ?? DEFAULTS.timeout,
    retries: retries ?? DEFAULTS.retries,
    maxRetryDelay: maxRetryDelay ?? DEFAULTS.maxRetryDelay,
    // Called without `this`, because workers and browsers reject other receivers.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  }
}

function readUrl(value: string | URL): string {
  const text = String(value ?? '')
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError('url: must be the URL of an instance, such as https://reeve.example.com.')
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('url: must not contain credentials, a query or a fragment.')
  if (/\/api\/?$/.test(url.pathname))
    throw new TypeError('url: must be the URL of the instance, without /api.')
  return url.href.replace(/\/+$/, '')
}
