/** One request to both instances. `<value 7>` is a placeholder for the seventh random value of each instance. */
export interface Operation {
  readonly method: string
  /** With its prefix. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly key?: string
  readonly session?: string
  /** Milliseconds by which the clocks advance before the request. */
  readonly advanceMs: number
  /** Whether buffered writes are flushed before the request. */
  readonly flushFirst: boolean
}

/** A request without caller, time and headers. */
export interface RequestTemplate extends Pick<Operation, 'method' | 'path' | 'body'> {
  readonly query?: Readonly<Record<string, string>>
}

export interface NormalizedResponse {
  readonly status: number
  /** One header per line. */
  readonly head: string
  readonly text: string
}
