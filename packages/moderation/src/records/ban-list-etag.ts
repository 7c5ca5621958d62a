import type { HistoryPosition } from '@reeve/audit'
import { parseIfNoneMatch, wire } from '@reeve/core'
import type { RecordSummary } from './model.ts'

/**
 * The entity tag of a ban list: the workspace's sequence, the time at which the first ban on the list expires or can no longer be
 * appealed, and a hash of the query. A client that sends it in `If-None-Match` gets a 304 without a table being read.
 */

const TAG_PATTERN = /^(\d+)-(\d*)-([0-9a-z]+)$/

/**
 * A hash of the query string and the epoch, so that the tag of one player's bans never stands for those of another, or for
 * those before a restore.
 */
const hashQuery = (url: string, epoch: string): string =>
  Bun.hash(`${epoch} ${url.slice(url.indexOf('?') + 1)}`).toString(36)

/** Creates the weak entity tag of a ban list. @param position read before the list @param now likewise, in epoch milliseconds */
export function createEtag(
  url: string,
  { epoch, sequence }: HistoryPosition,
  bans: readonly Pick<RecordSummary, 'expiresAt' | 'appealableUntil'>[],
  now: number,
): string {
  const times = bans
    .flatMap(({ expiresAt, appealableUntil }) => [expiresAt ?? [], appealableUntil ?? []].flat())
    .map((time) => wire.time.read(time))
    .filter((time) => time > now)
  return `W/"${sequence}-${times.length > 0 ? Math.min(...times) : ''}-${hashQuery(url, epoch)}"`
}

/**
 * Finds the tag in an `If-None-Match` header that is ours, and valid for this URL, position and time (epoch milliseconds).
 * @returns the tag as `createEtag` wrote it; null if there is none
 */
export function findFreshEtag(
  { url, headers }: Request,
  { epoch, sequence }: HistoryPosition,
  now: number,
): string | null {
  const tags = parseIfNoneMatch(headers.get('if-none-match'))
  if (tags === '*' || tags.length === 0) return null
  const hash = hashQuery(url, epoch)
  const fresh = tags.find((tag) => {
    const [, taggedSequence, freshUntil, taggedHash] = TAG_PATTERN.exec(tag) ?? []
    return (
      taggedHash === hash &&
      taggedSequence === String(sequence) &&
      (freshUntil === '' || now < Number(freshUntil))
    )
  })
  return fresh === undefined ? null : `W/"${fresh}"`
}
