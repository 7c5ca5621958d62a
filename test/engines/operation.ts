/** One call of either instance. `<made 7>` in it stands for what each of the instances made seventh. */
export interface Operation {
  readonly method: string
  /** With the prefix. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly key?: string
  readonly session?: string
  /** How far the clock is moved before it, in milliseconds. */
  readonly advanceMs: number
  /** Whether what gathers in memory is written before it. */
  readonly flushFirst: boolean
}

/** What is asked, before it is decided who asks, when and how. */
export interface RequestTemplate extends Pick<Operation, 'method' | 'path' | 'body'> {
  readonly query?: Readonly<Record<string, string>>
}

export interface NormalizedResponse {
  readonly status: number
  /** Every header, one a line. */
  readonly head: string
  readonly text: string
}
