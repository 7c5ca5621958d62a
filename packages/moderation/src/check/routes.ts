import type { AppContext } from '@reeve/auth'
import { requireFields, wire } from '@reeve/core'
import { errorResponses, workspaceQuery } from '@reeve/http'
import { Elysia } from 'elysia'
import { CheckRequest, CheckResponse } from './model.ts'
import { checkPlayers, isFreshTag } from './service.ts'

/** `/moderation/check`: the check of all players of a game server. */
export const serverCheck = (app: AppContext) =>
  new Elysia({ name: 'server-check', tags: ['Moderation'], normalize: false }).use(app.auth).post(
    '/moderation/check',
    async ({ actor, body }) => {
      const { userIds } = requireFields(body, 'userIds')
      const now = app.ports.now()
      const position = await app.history.getCached(actor.workspaceId)
      const time = { now: wire.time.write(now) }
      if (body.tag && isFreshTag(body.tag, position, userIds, now))
        return { unchanged: 'true', tag: body.tag, ...time }
      return { ...(await checkPlayers(app.db.read, actor, position, userIds, now)), ...time }
    },
    {
      permission: { permission: 'moderation.view', endpoint: 'moderation', isReadOnly: () => true },
      query: workspaceQuery,
      body: CheckRequest,
      response: {
        200: CheckResponse,
        ...errorResponses(
          'missing_workspace_id',
          'invalid_json',
          'request_timeout',
          'payload_too_large',
          'unsupported_media_type',
        ),
      },
      detail: {
        summary: 'Check all players of a game server',
        description:
          'The bans and mutes in force of up to 700 players. With the `tag` of the previous response, the response says whether anything has changed. It reads only, and ignores an `Idempotency-Key`.',
      },
    },
  )
