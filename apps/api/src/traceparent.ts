/** The trace that a request is part of. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** The span of the client: 16 hexadecimal digits. */
  readonly parentSpanId: string
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const ONLY_ZEROS = /^0+$/

/**
 * Parses a `traceparent` header. Source: https://www.w3.org/TR/trace-context/#traceparent-header
 * @returns null if it is absent or invalid: the request is then not part of a trace
 */
export function parseTraceparent(header: string | null): TraceContext | null {
  const [, version, traceId = '', parentSpanId = '', more] = (header && TRACEPARENT.exec(header)) || []
  if (version === undefined || version === 'ff') return null
  // Later versions may append fields, the first one may not.
  if (version === '00' && more !== undefined) return null
  return ONLY_ZEROS.test(traceId) || ONLY_ZEROS.test(parentSpanId) ? null : { traceId, parentSpanId }
}
