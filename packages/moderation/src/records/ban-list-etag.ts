import { wire } from '@reeve/core'
import type { RecordSummary } from './model.ts'

/**
 * The entity tag of a ban list: the workspace's sequence, and the time at which the first ban on the list expires. A client
 * that sends it in `If-None-Match` gets a 304 without a table being read.
 */

const ETAG_PATTERN = /^W\/"(\d+)-(\d*)"$/

/** Creates the weak entity tag of a ban list. @param sequence read before the list */
export function createEtag(sequence: number, bans: readonly Pick<RecordSummary, 'expiresAt'>[]): string {
  const expiries = bans.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [wire.time.read(expiresAt)]))
  return `W/"${sequence}-${expiries.length > 0 ? Math.min(...expiries) : ''}"`
}

/** Whether a tag of an `If-None-Match` header is valid at this sequence and time (epoch milliseconds). */
export function isFresh(ifNoneMatch: string | null, sequence: number, now: number): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((tag) => {
    const [, taggedSequence, freshUntil] = ETAG_PATTERN.exec(tag.trim()) ?? []
    return (
      taggedSequence !== undefined &&
      Number(taggedSequence) === sequence &&
      (freshUntil === '' || now < Number(freshUntil))
    )
  })
}
