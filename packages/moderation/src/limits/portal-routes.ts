import type { AppContext } from '@reeve/auth'
import {
  type Actor,
  CREATE_PERMISSIONS,
  getLimits,
  hasPermission,
  type Ports,
  recordActions,
  wire,
} from '@reeve/core'
import type { Queries } from '@reeve/db'
import { errorResponses, presentLimits } from '@reeve/http'
import { Elysia } from 'elysia'
import { findApprovalHours } from '../approvals/request.ts'
import { OwnLimitsQuery, OwnLimitsResponse } from './model.ts'
import { countRecentBans } from './recent-bans.ts'

/** What an account may do at most, and how much of it is used up. */
async function getOwnLimits(db: Queries, ports: Ports, actor: Actor) {
  const { bansPerHour } = getLimits(actor, CREATE_PERMISSIONS.ban)
  const recent =
    bansPerHour === null
      ? { count: 0, nextAt: null }
      : await countRecentBans(db, actor, bansPerHour, ports.now())
  return {
    limits: recordActions
      .filter((action) => hasPermission(actor, CREATE_PERMISSIONS[action]))
      .map((action) => ({ action, ...presentLimits(getLimits(actor, CREATE_PERMISSIONS[action])) })),
    editLimits: presentLimits(getLimits(actor, 'moderation.edit')),
    bansThisHour: String(recent.count),
    nextBanAt: wire.writeNullableTime(recent.nextAt),
    approvalHours: String(await findApprovalHours(db, actor.workspaceId)),
  }
}

/** `/portal/api/moderation/limits`: the limits of the signed-in account. */
export const limitPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'limits-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get('/portal/api/moderation/limits', async ({ actor }) => getOwnLimits(app.db.read, app.ports, actor), {
      permission: { caller: 'session', permission: 'moderation.view' },
      query: OwnLimitsQuery,
      response: { 200: OwnLimitsResponse, ...errorResponses() },
      detail: { summary: 'Get what the roles of the account allow at most' },
    })
