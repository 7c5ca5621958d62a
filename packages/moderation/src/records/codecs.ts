import { listCodec, recordActions, recordStatuses, wire } from '@reeve/core'

/** The text formats of a record, and their limits. */

/** The maximum length of a reason, in characters. */
export const MAX_REASON_LENGTH = 1000
export const reasonText = wire.text({ max: MAX_REASON_LENGTH, multiline: true, example: 'Exploiting' })

export const MAX_COMMENTS = 100
export const MAX_COMMENT_LENGTH = 2000
export const commentText = wire.text({
  min: 1,
  max: MAX_COMMENT_LENGTH,
  multiline: true,
  example: 'Seen again.',
})

export const MAX_EVIDENCE = 10
export const MAX_EVIDENCE_LENGTH = 2000
const multilineText = wire.text({ max: MAX_EVIDENCE * (MAX_EVIDENCE_LENGTH + 2), multiline: true })

/** The maximum size of the comments and evidence of a record together, in bytes of UTF-8. */
export const MAX_ADDITIONS_BYTES = 64 * 1024

/** Evidence: one item per line; empty lines are ignored. An array has one item per element. */
export const evidenceLines: wire.Codec<readonly string[]> = {
  readList(items) {
    if (items.some((item) => /[\r\n]/.test(item))) {
      throw new wire.WireError('must not contain line breaks within an item of an array')
    }
    return evidenceLines.read(items.join('\n'))
  },
  read(raw) {
    const items = multilineText
      .read(raw)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    if (items.length <= MAX_EVIDENCE && items.every((item) => [...item].length <= MAX_EVIDENCE_LENGTH)) {
      return items
    }
    throw new wire.WireError(
      `must be at most ${MAX_EVIDENCE} lines of at most ${MAX_EVIDENCE_LENGTH} characters`,
    )
  },
  write: (items) => items.join('\n'),
  description: `Links and observations, one per line, or an array of strings: at most ${MAX_EVIDENCE}, each of at most ${MAX_EVIDENCE_LENGTH} characters`,
  example: 'https://example.com/clip',
}

/** `value` as sent: `parseChange` reads it in the format of the action. */
export const valueText: wire.Codec<string> = {
  ...multilineText,
  description: 'The format depends on the action',
  example: wire.durationChange.example,
}

/** A record, or null for none. */
export const recordOrNone: wire.Codec<string | null> = {
  read: (text) => (text.trim() === '' ? null : wire.id.read(text)),
  write: (id) => id ?? '',
  description: 'The id of a record, or empty for none',
  example: wire.id.example,
}

/** The actions that a list is limited to. */
export const actionList = listCodec(wire.oneOf(recordActions), {
  max: recordActions.length,
  items: 'actions',
  example: 'ban,mute',
})

/** The statuses that a list is limited to. */
export const statusList = listCodec(wire.oneOf(recordStatuses), {
  max: recordStatuses.length,
  items: 'statuses',
  example: 'active',
})

/** A text to search for. */
export const searchText = wire.text({ min: 1, max: 100, example: 'exploit' })
