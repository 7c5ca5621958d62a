/** Bytes as people read them, rounded up: nothing is 0 MiB. */
export const inMiB = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`

/** How many of something: `1 record`, `2 records`. */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** A moment, in UTC, to the second. */
export const moment = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`
