import {
  type AppContext,
  CreatorKeysResponse,
  type CreatorWebhooks,
  CreatorWebhooksResponse,
  listCreatorKeys,
  presentCreatorKeys,
  presentCreatorWebhooks,
  type Rule,
  requireVerification,
} from '@reeve/auth'
import { assertNoVersion, requireFields } from '@reeve/core'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { grantsRoles } from './assign.ts'
import { removeMember, setRoles } from './change.ts'
import {
  MemberCreationsQuery,
  MemberPlayersQuery,
  MemberPlayersRequest,
  MemberPlayersResponse,
  MemberRequest,
  MemberResponse,
  MembersQuery,
  MembersResponse,
  OwnershipRequest,
  OwnershipResponse,
  ReadMemberResponse,
  RemoveMemberQuery,
} from './model.ts'
import { transferOwnership } from './ownership.ts'
import { listMemberPlayers, replaceMemberPlayers } from './players.ts'
import { getMember, listMembers } from './read.ts'

/** Granting roles needs a recent verification; taking all of them away does not. */
const rolesRule: Rule = {
  caller: 'session',
  permission: 'members.manage',
  requiresVerification: ({ body }) => grantsRoles(body),
}

/** Members can always leave, also a workspace whose second factor they do not want. Removing a member must work in an archived one too. */
const removeRule: Rule = {
  caller: 'session',
  allowWhenArchived: true,
  allowWithoutWorkspaceFactor: ({ query }, caller) => query.accountId === caller.id,
  permission: {
    candidates: ['members.manage'],
    select: ({ query }, caller) => (query.accountId === caller.id ? null : 'members.manage'),
  },
}

/** `/portal/api/members` and `/portal/api/ownership`: the members of a workspace, their roles, and its owner. */
export const members = (app: AppContext, creatorWebhooks: CreatorWebhooks) =>
  new Elysia({ name: 'members', normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/members',
      async ({ actor, query }) =>
        query.accountId === undefined
          ? listMembers(app.db.read, app.settings, actor, query)
          : getMember(app.db.read, app.settings, actor, query.accountId),
      {
        permission: { caller: 'session', permission: 'members.view' },
        query: MembersQuery,
        response: { 200: Type.Union([MembersResponse, ReadMemberResponse]), ...errorResponses('not_found') },
      },
    )
    .get(
      '/portal/api/members/keys',
      async ({ actor, query }) => {
        await app.flushKeyUsage()
        const { accountId: creatorId } = requireFields(query, 'accountId')
        const key = { workspaceId: actor.workspaceId, creatorId }
        return presentCreatorKeys(await listCreatorKeys(app.db.read, app.ports, key))
      },
      {
        permission: removeRule,
        query: MemberCreationsQuery,
        response: { 200: CreatorKeysResponse, ...errorResponses() },
      },
    )
    .get(
      '/portal/api/members/webhooks',
      async ({ actor, query }) => {
        const { accountId: creatorId } = requireFields(query, 'accountId')
        const key = { workspaceId: actor.workspaceId, creatorId }
        return presentCreatorWebhooks(await creatorWebhooks.list(app.db.read, key))
      },
      {
        permission: removeRule,
        query: MemberCreationsQuery,
        response: { 200: CreatorWebhooksResponse, ...errorResponses() },
      },
    )
    .get(
      '/portal/api/members/players',
      async ({ actor, query }) =>
        listMemberPlayers(app.db.read, actor, requireFields(query, 'accountId').accountId),
      {
        permission: { caller: 'session', permission: 'members.view' },
        query: MemberPlayersQuery,
        response: { 200: MemberPlayersResponse, ...errorResponses('not_found') },
        detail: { summary: 'List the players who are a member' },
      },
    )
    .patch(
      '/portal/api/members/players',
      async ({ actor, requestContext, body }) => {
        // A list of players has no version: the body has the expected players.
        assertNoVersion(requestContext.ifMatch)
        return app.commit(requestContext, (tx) => replaceMemberPlayers(tx, app.ports, actor, body))
      },
      {
        permission: { caller: 'session', permission: 'members.manage' },
        query: workspaceQuery,
        body: MemberPlayersRequest,
        response: { 200: MemberPlayersResponse, ...writeErrorResponses('not_found', 'version_mismatch') },
        detail: { summary: 'Replace the players who are a member' },
      },
    )
    .patch(
      '/portal/api/members',
      async ({ actor, requestContext, body }) => {
        // A member has no version: the body has the expected roles.
        assertNoVersion(requestContext.ifMatch)
        return app.commit(requestContext, (tx) => setRoles(tx, app.ports, actor, body, creatorWebhooks.pause))
      },
      {
        permission: rolesRule,
        query: workspaceQuery,
        body: MemberRequest,
        response: { 200: MemberResponse, ...writeErrorResponses('not_found', 'version_mismatch') },
      },
    )
    .delete(
      '/portal/api/members',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, (tx) => removeMember(tx, app.ports, actor, query, creatorWebhooks.pause)),
      {
        permission: removeRule,
        query: RemoveMemberQuery,
        response: { 200: MemberResponse, ...writeErrorResponses('not_found') },
      },
    )
    .post(
      '/portal/api/ownership',
      async ({ actor, requestContext, body }) => {
        return app.commit(requestContext, transferOwnership(app, actor, body, creatorWebhooks.pause))
      },
      {
        // No permission covers a transfer: the service requires the rank of the owner.
        permission: requireVerification({ caller: 'session', permission: null }),
        query: workspaceQuery,
        body: OwnershipRequest,
        response: { 200: OwnershipResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Transfer the workspace to another member' },
      },
    )
