import type { AppContext, Rule } from '@reeve/auth'
import {
  type Actor,
  CLAIM_LEASE_MINUTES,
  type ExpectedVersions,
  type Ports,
  requireFields,
} from '@reeve/core'
import type { AppealTable, Transaction } from '@reeve/db'
import { errorResponses, type RequestContext, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { decideAppeal } from './decide.ts'
import { getAppeal, listAppeals } from './list.ts'
import {
  AppealIdRequest,
  AppealResponse,
  AppealSettingsQuery,
  AppealSettingsRequest,
  AppealSettingsResponse,
  AppealsQuery,
  AppealsResponse,
  DecisionRequest,
  SingleAppealQuery,
  StaffMessageRequest,
  StatisticsQuery,
  StatisticsResponse,
} from './portal-model.ts'
import { changeAppealSettings, readAppealSettings } from './settings.ts'
import { addStaffMessage, claimAppeal, releaseAppeal } from './staff.ts'
import { getAppealStatistics } from './statistics.ts'

const viewRule: Rule = { caller: 'session', permission: 'appeals.view' }
const workRule: Rule = { ...viewRule, writesTo: 'moderation' }
const decideRule: Rule = { caller: 'session', permission: 'appeals.decide', writesTo: 'moderation' }

type Conditional<Input> = Input & { readonly ifMatch: ExpectedVersions }

/** `/portal/api/appeals`: the appeals of a workspace for its staff. */
export const appealPortalRoutes = (app: AppContext) => {
  const { db, ports } = app
  /** Changes an appeal. @returns it as the portal shows it */
  const change = <Input extends object>(
    apply: (tx: Transaction, ports: Ports, actor: Actor, input: Conditional<Input>) => Promise<AppealTable>,
    actor: Actor,
    context: RequestContext,
    input: Input,
  ) =>
    app.commit(
      context,
      async (tx) => {
        const { id } = await apply(tx, ports, actor, { ...input, ifMatch: context.ifMatch })
        return getAppeal(tx, ports, actor, id)
      },
      ({ appeal }) => appeal.recordId,
    )
  const changed = {
    200: AppealResponse,
    ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
  }

  return new Elysia({ name: 'appeals-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get('/portal/api/appeals', async ({ actor, query }) => listAppeals(db.read, ports, actor, query), {
      permission: viewRule,
      query: AppealsQuery,
      response: { 200: AppealsResponse, ...errorResponses() },
      detail: { summary: 'List appeals' },
    })
    .get(
      '/portal/api/appeals/appeal',
      async ({ actor, query }) => getAppeal(db.read, ports, actor, requireFields(query, 'id').id),
      {
        permission: viewRule,
        query: SingleAppealQuery,
        response: { 200: AppealResponse, ...errorResponses('not_found') },
        detail: { summary: 'Read an appeal with its messages' },
      },
    )
    .get(
      '/portal/api/appeals/statistics',
      async ({ actor, query }) => getAppealStatistics(db.read, ports, actor, query),
      {
        permission: viewRule,
        query: StatisticsQuery,
        response: { 200: StatisticsResponse, ...errorResponses() },
        detail: { summary: 'Count open and decided appeals, and how long decisions take' },
      },
    )
    .post(
      '/portal/api/appeals/claim',
      async ({ actor, requestContext, body }) => change(claimAppeal, actor, requestContext, body),
      {
        permission: workRule,
        query: workspaceQuery,
        body: AppealIdRequest,
        response: changed,
        detail: { summary: `Claim an appeal for ${CLAIM_LEASE_MINUTES} minutes, or renew the claim` },
      },
    )
    .post(
      '/portal/api/appeals/release',
      async ({ actor, requestContext, body }) => change(releaseAppeal, actor, requestContext, body),
      {
        permission: workRule,
        query: workspaceQuery,
        body: AppealIdRequest,
        response: changed,
        detail: { summary: 'Release the claim on an appeal' },
      },
    )
    .post(
      '/portal/api/appeals/message',
      async ({ actor, requestContext, body }) => change(addStaffMessage, actor, requestContext, body),
      {
        permission: workRule,
        query: workspaceQuery,
        body: StaffMessageRequest,
        response: changed,
        detail: { summary: 'Write an internal message, or one to the player' },
      },
    )
    .post(
      '/portal/api/appeals/decide',
      async ({ actor, requestContext, body }) => change(decideAppeal, actor, requestContext, body),
      {
        permission: decideRule,
        query: workspaceQuery,
        body: DecisionRequest,
        response: changed,
        detail: { summary: 'Decide an appeal, which lifts or shortens the ban' },
      },
    )
    .get('/portal/api/appeals/settings', async ({ actor }) => readAppealSettings(db.read, actor), {
      permission: viewRule,
      query: AppealSettingsQuery,
      response: { 200: AppealSettingsResponse, ...errorResponses() },
      detail: { summary: 'Read how the workspace handles appeals' },
    })
    .patch(
      '/portal/api/appeals/settings',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          changeAppealSettings(tx, ports, actor, { ...body, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: { caller: 'session', permission: 'moderation.configure', writesTo: 'moderation' },
        query: workspaceQuery,
        body: AppealSettingsRequest,
        response: {
          200: AppealSettingsResponse,
          ...writeErrorResponses('missing_workspace_id', 'version_mismatch'),
        },
        detail: { summary: 'Change how the workspace handles appeals' },
      },
    )
}
