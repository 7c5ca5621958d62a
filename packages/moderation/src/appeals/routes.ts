import type { AppContext } from '@reeve/auth'
import { MAX_APPEAL_FILE_BYTES, requireFields } from '@reeve/core'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { toBase64BodyLimit } from '../base64-codec.ts'
import { admitAppealFile, attachAppealFile } from './attach-file.ts'
import { AppealFileRequest, AppealQuery, AppealRequest, PlayerAppealResponse } from './model.ts'
import { applyPlayerAction, findAppealableBan, presentForPlayer } from './player.ts'

/** `/appeals`: appeals of bans, for games that let their players submit them. */
export const appeals = (app: AppContext) =>
  new Elysia({ name: 'appeals', tags: ['Appeals'], normalize: false })
    .use(app.auth)
    .get(
      '/appeals',
      async ({ actor, query }) => {
        const { code } = requireFields(query, 'code')
        const ban = await findAppealableBan(app.db, app.ports, { workspaceId: actor.workspaceId }, code)
        return presentForPlayer(app.db.read, app.ports, ban)
      },
      {
        permission: { permission: 'appeals.submit', endpoint: 'moderation' },
        query: AppealQuery,
        response: { 200: PlayerAppealResponse, ...errorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Read a ban and its appeal by the code of the player' },
      },
    )
    .post(
      '/appeals',
      async ({ actor, requestContext, body }) => {
        const { code } = requireFields(body, 'code')
        const ban = await findAppealableBan(app.db, app.ports, { workspaceId: actor.workspaceId }, code)
        return app.commit(
          requestContext,
          (tx) => applyPlayerAction(tx, app.ports, actor, ban.id, body),
          () => ban.id,
        )
      },
      {
        permission: { permission: 'appeals.submit', endpoint: 'moderation' },
        query: workspaceQuery,
        body: AppealRequest,
        response: {
          200: PlayerAppealResponse,
          ...writeErrorResponses(
            'missing_workspace_id',
            'not_found',
            'not_appealable',
            'already_appealed',
            'appeal_window_closed',
          ),
        },
        detail: {
          summary: 'Submit, reply to or withdraw an appeal for a player',
          description: 'Responses contain what the player may read, and nothing else.',
        },
      },
    )
    .post(
      '/appeals/files',
      async ({ actor, requestContext, body }) => {
        const { code, name, data } = requireFields(body, 'code', 'name', 'data')
        const ban = await findAppealableBan(app.db, app.ports, { workspaceId: actor.workspaceId }, code)
        await admitAppealFile(app.db, app.ports, ban, null)
        return attachAppealFile(app, actor, requestContext, ban, { name, bytes: data })
      },
      {
        permission: {
          permission: 'appeals.submit',
          endpoint: 'moderation',
          storage: 'optional',
          bodyLimit: toBase64BodyLimit(MAX_APPEAL_FILE_BYTES),
        },
        query: workspaceQuery,
        body: AppealFileRequest,
        response: {
          200: PlayerAppealResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found'),
        },
        detail: {
          summary: 'Send a file with the open appeal of a player',
          description:
            'Only if the workspace allows it. Staff with `moderation.evidence` can download the file.',
        },
      },
    )
