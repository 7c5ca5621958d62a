/** A response with the browser's times around it, in milliseconds since the epoch. */
export interface EarlyResponse {
  readonly response: Response
  readonly sentAt: number
  readonly receivedAt: number
}

/** What the script inside the page leaves to the scripts that are loaded later. */
interface EarlyReads {
  /** Responses on their way, by their key; null for what the user may not read. */
  earlyReads?: Map<string, Promise<EarlyResponse | null>>
  /** Whether the data of the first screen are among them. */
  hasEarlyData?: Promise<boolean>
}

/** Filled by `start-early-reads.ts`. */
export const page: EarlyReads = globalThis as EarlyReads

/** Whether the data of the screen have been requested, and nothing has taken them yet: while the first screen is opened. */
export const hasEarlyData = async (): Promise<boolean> =>
  (page.earlyReads?.size ?? 0) > 0 && (await (page.hasEarlyData ?? false))

/** The key of a request: its path and query, however its values are encoded. */
const toEarlyReadKey = ({ pathname, searchParams }: URL): string =>
  searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname

/** Takes the response to a request that the page has already sent. @returns null if it was not sent, or is taken already */
export async function takeEarlyRead(request: Request): Promise<EarlyResponse | null> {
  if (request.method !== 'GET') return null
  const key = toEarlyReadKey(new URL(request.url))
  const response = page.earlyReads?.get(key)
  page.earlyReads?.delete(key)
  return (await response) ?? null
}
