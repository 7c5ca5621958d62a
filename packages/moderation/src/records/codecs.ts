import { wire } from '@reeve/core'

/** The formats of what a record says, and their limits. */

export const reasonText = wire.text({ max: 1000, multiline: true, example: 'Exploiting' })

export const MAX_COMMENTS = 100
export const commentText = wire.text({ min: 1, max: 2000, multiline: true, example: 'Seen again.' })

export const MAX_EVIDENCE = 10
const MAX_EVIDENCE_LENGTH = 2000
const multilineText = wire.text({ max: MAX_EVIDENCE * (MAX_EVIDENCE_LENGTH + 2), multiline: true })

/** Evidence: one item a line; empty lines are none. */
export const evidenceLines: wire.Codec<readonly string[]> = {
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
  description: `Links and observations, one a line: at most ${MAX_EVIDENCE} of at most ${MAX_EVIDENCE_LENGTH} characters`,
  example: 'https://example.com/clip',
}

/** `value` as it comes: what it must be depends on the action, which reads it with a codec of its own. */
export const valueText: wire.Codec<string> = {
  ...multilineText,
  description: 'What it must be depends on the action',
  example: wire.durationChange.example,
}
