import { wire } from '@reeve/core'

/** Source: Standard Webhooks 1.0.0, "Payload size": below 20 KB. */
export const MAX_BODY_BYTES = 20_000
/** What a long text of a body that is too large is cut to. */
const CUT_LENGTH = 500

const formatJson = (type: string, at: number, data: object): string =>
  JSON.stringify({ type, timestamp: wire.time.write(at), data })

/**
 * The body of an event. Long texts are cut if it would be too large, which only the longest descriptions make it.
 * @param at when the change happened
 */
export function formatBody(type: string, at: number, data: object): string {
  const body = formatJson(type, at, data)
  return Buffer.byteLength(body) < MAX_BODY_BYTES ? body : formatJson(type, at, cutTexts(data))
}

const cutTexts = (value: object): object =>
  JSON.parse(JSON.stringify(value), (_, item) =>
    typeof item === 'string' && item.length > CUT_LENGTH
      ? `${item.slice(0, CUT_LENGTH).toWellFormed()}… (shortened)`
      : item,
  )
