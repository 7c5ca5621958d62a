/** Bytes as people read them, rounded up: nothing is 0 MiB. */
export const formatMiB = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`

/** How many of something: `1 record`, `2 records`. */
export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A moment, in UTC, to the second. */
export const formatTimestamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`
