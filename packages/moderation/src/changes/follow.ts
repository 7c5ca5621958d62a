import type { HistoryReader } from '@reeve/audit'
import {
  type Actor,
  AppError,
  type Platforms,
  type Ports,
  type SanctionKind,
  sanctionKinds,
  wire,
} from '@reeve/core'
import type { Database } from '@reeve/db'
import type { RequestContext } from '@reeve/http'
import { type FeedPage, type FeedPosition, readFeed } from './feed.ts'
import { type ChangesInput, MAX_CHANGES } from './model.ts'
import type { WaitingPlace, WaitingRequests } from './waiting.ts'

/** How long a follower that does not wait leaves between two requests, in seconds. */
const POLL_SECONDS = 5
/** How long a follower leaves before it connects to another process, in seconds. */
const SHUTDOWN_SECONDS = 1

interface FollowRequest {
  readonly position: FeedPosition
  readonly kinds: readonly SanctionKind[]
  readonly limit: number
}

/**
 * Creates the function that reads the feed. Equal requests at the same time, such as those of all followers after a change, share
 * one read, unless something has changed since it began.
 */
function createSharedRead({ db, history, ports, waiting }: FollowDependencies) {
  const running = new Map<string, Promise<FeedPage>>()
  return ({ position, kinds, limit }: FollowRequest): Promise<FeedPage> => {
    const { workspaceId, since, epoch } = position
    const key = JSON.stringify([waiting.getGeneration(), workspaceId, since, epoch, kinds, limit])
    const shared = running.get(key)
    if (shared !== undefined) return shared
    const read = readFeed(db.read, history, position, kinds, limit, ports.now()).finally(() =>
      running.delete(key),
    )
    running.set(key, read)
    return read
  }
}

export interface FollowDependencies {
  readonly db: Database
  readonly history: HistoryReader
  readonly ports: Ports
  readonly waiting: WaitingRequests
}

/**
 * Creates the function that returns the changes since a position, and waits for them if the request says so.
 * @returns throws AppError `cursor_gone`; `client_closed_request`; what the gate throws, if the caller has lost access meanwhile
 */
export function createFollow(dependencies: FollowDependencies) {
  const { ports, waiting } = dependencies
  const read = createSharedRead(dependencies)

  const present = (page: FeedPage, epoch: string, platforms: Platforms, pollSeconds: number) => ({
    changes: [...page.changes],
    next: String(page.next),
    epoch,
    platforms: [...platforms],
    more: wire.boolean.write(page.hasMore),
    now: wire.time.write(ports.now()),
    pollAfter: String(page.hasMore ? 0 : pollSeconds),
  })

  /**
   * Reads until there is a change. Everything that was read before is contained in the position of the page.
   * @returns the page, with the platforms of the workspace then
   */
  async function readNext(
    request: FollowRequest,
    startPlatforms: Platforms,
    place: WaitingPlace,
    context: RequestContext,
    deadline: number,
  ): Promise<{ readonly page: FeedPage; readonly platforms: Platforms }> {
    let { position } = request
    let platforms = startPlatforms
    for (;;) {
      const page = await read({ ...request, position })
      if (page.changes.length > 0 || page.hasMore) return { page, platforms }
      const startedAt = performance.now()
      if (place.hasEnded() || startedAt >= deadline) return { page, platforms }
      await place.waitForChange(deadline - startedAt)
      context.waitedMs += performance.now() - startedAt
      if (!place.hasEnded()) ({ platforms } = await context.assertStillAuthorized())
      position = { ...position, since: page.next }
    }
  }

  return async (
    actor: Pick<Actor, 'workspaceId' | 'platforms'>,
    input: ChangesInput & { readonly since: number; readonly epoch: string },
    context: RequestContext,
    client: AbortSignal,
  ) => {
    const { workspaceId } = actor
    const { since, epoch, wait = 0, kinds = sanctionKinds, limit = MAX_CHANGES } = input
    const request = { position: { workspaceId, since, epoch }, kinds: [...kinds].sort(), limit }
    const place = wait === 0 ? null : waiting.enter(workspaceId, client)
    if (place === null) return present(await read(request), epoch, actor.platforms, POLL_SECONDS)
    try {
      const deadline = performance.now() + wait * 1000
      const { page, platforms } = await readNext(request, actor.platforms, place, context, deadline)
      if (client.aborted) throw new AppError('client_closed_request')
      return present(page, epoch, platforms, place.hasEnded() ? SHUTDOWN_SECONDS : 0)
    } finally {
      place.leave()
    }
  }
}
