/** Reads that every signed-in screen needs. */
const EARLY_PATHS = ['/portal/api/me']

interface EarlyReads {
  /** Responses on their way, by their path and query. */
  earlyReads?: Map<string, Promise<Response>>
}

const page: EarlyReads = globalThis as EarlyReads

/** Sends the first requests before the scripts are loaded. Called by the script inside the page. */
export function startEarlyReads(): void {
  page.earlyReads = new Map(
    EARLY_PATHS.map((path) => [
      path,
      fetch(path, { headers: { accept: 'application/json' }, cache: 'no-store' }),
    ]),
  )
  // A failed request is reported to the reader that takes it.
  for (const response of page.earlyReads.values()) response.catch(() => null)
}

/** Takes the response to a request that the page has already sent. A second call for it returns undefined. */
export function takeEarlyRead(request: Request): Promise<Response> | undefined {
  if (request.method !== 'GET') return undefined
  const { pathname, search } = new URL(request.url)
  const response = page.earlyReads?.get(pathname + search)
  page.earlyReads?.delete(pathname + search)
  return response
}
