import { wire } from '@reeve/core'
import type { ModerationRecord } from './model.ts'

/**
 * The tag of a list of bans: the workspace's sequence, and the first moment at which the list changes by itself because a
 * ban on it ends. Who sends it back learns that nothing has changed without any table being read.
 */

const ETAG_PATTERN = /^W\/"(\d+)-(\d*)"$/

/** A weak entity tag for a list of bans that was read at that sequence. */
export function createEtag(sequence: number, bans: readonly Pick<ModerationRecord, 'expiresAt'>[]): string {
  const expiries = bans.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [wire.time.read(expiresAt)]))
  return `W/"${sequence}-${expiries.length > 0 ? Math.min(...expiries) : ''}"`
}

/** Whether one of the tags of an `If-None-Match` header still holds at that sequence and moment. */
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
