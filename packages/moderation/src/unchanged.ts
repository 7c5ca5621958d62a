import { wire } from '@reeve/core'
import type { ShownRecord } from './model.ts'

/**
 * The tag of a list of bans: the workspace's sequence, and the first moment at which the list changes by itself because a
 * ban on it ends. Who sends it back learns that nothing has changed without any table being read.
 */

const TAG = /^W\/"(\d+)-(\d*)"$/

/** A weak entity tag for a list of bans that was read at that sequence. */
export function tagOf(sequence: number, bans: readonly Pick<ShownRecord, 'expiresAt'>[]): string {
  const ends = bans.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [wire.time.read(expiresAt)]))
  return `W/"${sequence}-${ends.length > 0 ? Math.min(...ends) : ''}"`
}

/** Whether one of the tags of an `If-None-Match` header still holds at that sequence and moment. */
export function stillHolds(ifNoneMatch: string | null, sequence: number, now: number): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((tag) => {
    const [, taggedAt, until] = TAG.exec(tag.trim()) ?? []
    return taggedAt !== undefined && Number(taggedAt) === sequence && (until === '' || now < Number(until))
  })
}
