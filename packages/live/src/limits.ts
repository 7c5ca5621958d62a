import type { Actor } from '@reeve/core'

/** Maximum number of open streams per account, per workspace and per process. A browser opens one per visible tab. */
const MAX_STREAMS_PER_ACCOUNT = 16
const MAX_STREAMS_PER_WORKSPACE = 200
const MAX_STREAMS = 1000

interface OpenStream {
  readonly actor: Pick<Actor, 'id' | 'workspaceId'>
}

/**
 * Which stream to end for a new one: the oldest of whoever has most. A new stream is never refused, so that nobody can keep others
 * from opening one.
 * @param streams every open stream, oldest first, the new one last
 * @returns null while the streams are within the limits
 */
export function findStreamToEnd<Stream extends OpenStream>(
  streams: readonly Stream[],
  added: Stream,
): Stream | null {
  const ofAccount = streams.filter(({ actor }) => actor.id === added.actor.id)
  if (ofAccount.length > MAX_STREAMS_PER_ACCOUNT) return ofAccount[0] ?? null
  const ofWorkspace = streams.filter(({ actor }) => actor.workspaceId === added.actor.workspaceId)
  if (ofWorkspace.length > MAX_STREAMS_PER_WORKSPACE) return oldestOfHeaviestAccount(ofWorkspace, added)
  if (streams.length <= MAX_STREAMS) return null
  return oldestOfHeaviestAccount(
    largestGroup(streams, added, ({ actor }) => actor.workspaceId),
    added,
  )
}

const oldestOfHeaviestAccount = <Stream extends OpenStream>(
  streams: readonly Stream[],
  added: Stream,
): Stream | null => largestGroup(streams, added, ({ actor }) => actor.id)[0] ?? null

/** The group with most streams, of several the one with the oldest. The new stream alone is none. */
function largestGroup<Stream extends OpenStream>(
  streams: readonly Stream[],
  added: Stream,
  getGroup: (stream: Stream) => string,
): readonly Stream[] {
  let largest: readonly Stream[] = []
  for (const group of Map.groupBy(streams, getGroup).values())
    if (group.length > largest.length && group[0] !== added) largest = group
  return largest
}
