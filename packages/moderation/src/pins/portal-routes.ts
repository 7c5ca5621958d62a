import type { AppContext, Rule } from '@reeve/auth'
import { workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { type PinnedNote, PinnedNoteQuery, PinnedNoteRequest, PinnedNoteResponse } from './model.ts'
import { pinNote, unpinNote } from './service.ts'

const pinRule: Rule = { caller: 'session', permission: 'moderation.note', writesTo: 'moderation' }

const getRecordId = ({ pinnedNote }: { readonly pinnedNote: PinnedNote }) => pinnedNote.recordId

/** `/portal/api/pinned-notes`: what staff see first about a player. */
export const pinnedNotePortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'pinned-notes-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/pinned-notes',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => pinNote(tx, app.ports, actor, body), getRecordId),
      {
        permission: pinRule,
        query: workspaceQuery,
        body: PinnedNoteRequest,
        response: { 200: PinnedNoteResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Pin a text or a record to a player' },
      },
    )
    .delete(
      '/portal/api/pinned-notes',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, (tx) => unpinNote(tx, app.ports, actor, query), getRecordId),
      {
        permission: pinRule,
        query: PinnedNoteQuery,
        response: { 200: PinnedNoteResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Unpin a note' },
      },
    )
