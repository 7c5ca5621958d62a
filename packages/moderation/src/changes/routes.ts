import type { HistoryPosition } from '@reeve/audit'
import type { AppContext, Rule } from '@reeve/auth'
import {
  type Actor,
  assertNoProblems,
  findUnusedFields,
  matchesIfNoneMatch,
  requireFields,
  type SanctionKind,
} from '@reeve/core'
import { errorResponses, notModifiedResponse } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { sendNotModified } from '../not-modified.ts'
import { createFollow } from './follow.ts'
import {
  ChangesQuery,
  ChangesResponse,
  SnapshotIdsResponse,
  SnapshotQuery,
  SnapshotResponse,
} from './model.ts'
import { createSnapshotEtag, readSnapshotPage } from './snapshot.ts'
import { readSnapshotIds } from './snapshot-ids.ts'
import { createWaitingRequests } from './waiting.ts'

const rule: Rule = { permission: 'moderation.view', endpoint: 'moderation' }

const IDS_FIELDS: ReadonlySet<string> = new Set(['workspaceId', 'kinds', 'format'])

/** Requests for the same set at the same time, such as those of all game servers after a restart, share one read. */
function createSharedIds({ db, ports }: AppContext) {
  const running = new Map<string, ReturnType<typeof readSnapshotIds>>()
  return (
    actor: Pick<Actor, 'workspaceId' | 'platforms'>,
    kinds: readonly SanctionKind[] | undefined,
    position: HistoryPosition,
    etag: string,
  ) => {
    const key = `${actor.workspaceId} ${etag}`
    const shared = running.get(key)
    if (shared !== undefined) return shared
    const read = readSnapshotIds(db.read, position, actor, kinds, ports.now()).finally(() =>
      running.delete(key),
    )
    running.set(key, read)
    return read
  }
}

/** `/changes`: the changes of bans and mutes, and the snapshot that they continue. */
export const changes = (app: AppContext) => {
  const follow = createFollow({ ...app, waiting: createWaitingRequests(app.db, app.shutdownSignal) })
  const readIds = createSharedIds(app)

  return new Elysia({ name: 'changes', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get(
      '/changes',
      async ({ actor, query, request, requestContext }) => {
        const position = requireFields(query, 'since', 'epoch')
        return follow(actor, { ...query, ...position }, requestContext, request.signal)
      },
      {
        permission: rule,
        query: ChangesQuery,
        response: { 200: ChangesResponse, ...errorResponses('missing_workspace_id', 'cursor_gone') },
        detail: {
          summary: 'Follow the changes of bans and mutes',
          description:
            'The current state of every player whose bans or mutes have changed since the snapshot or the previous response. With `wait`, a request without changes is answered as soon as there is one.',
        },
      },
    )
    .get(
      '/changes/snapshot',
      async ({ actor, query, request, set }) => {
        const position = await app.history.getCached(actor.workspaceId)
        const etag = createSnapshotEtag(position, request.url)
        set.headers['cache-control'] = 'private, no-cache'
        set.headers.etag = etag
        if (matchesIfNoneMatch(request, etag)) return sendNotModified(set)
        if (query.format !== 'ids')
          return readSnapshotPage(app.db.read, position, actor, query, app.ports.now())
        assertNoProblems(
          findUnusedFields(query, IDS_FIELDS, 'is not used with format=ids, which has no pages'),
        )
        return readIds(actor, query.kinds, position, etag)
      },
      {
        permission: rule,
        query: SnapshotQuery,
        response: {
          200: Type.Union([SnapshotResponse, SnapshotIdsResponse], {
            description: 'The sanctions in force',
          }),
          304: notModifiedResponse,
          ...errorResponses('missing_workspace_id', 'cursor_gone'),
        },
        detail: { summary: 'Read all bans and mutes in force' },
      },
    )
}
