import { DAY_MS, HOUR_MS } from '@reeve/core'

/** A size in MiB, rounded up so that only 0 bytes are 0 MiB. */
export const formatMiB = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`

/** How many things of one kind a message names. */
export const MAX_NAMED = 20

/** A count with its noun: `1 record`, `2 records`. */
export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A time in UTC, to the second. */
export const formatTimestamp = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** A duration in hours; in days if it is longer than two. */
export const formatAge = (ms: number): string =>
  ms > 2 * DAY_MS
    ? pluralize(Math.floor(ms / DAY_MS), 'day')
    : pluralize(Math.max(0, Math.floor(ms / HOUR_MS)), 'hour')

/** The progress of unfinished work, rounded down: at most 99 %. */
export const formatPercent = (part: number, whole: number): string =>
  `${Math.min(99, Math.floor((part / Math.max(1, whole)) * 100))} %`

/** Adds a full stop to a message that has no closing punctuation. */
export const toSentence = (message: string): string => (/[.?!]$/.test(message) ? message : `${message}.`)
