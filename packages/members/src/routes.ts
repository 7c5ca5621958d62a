import { type AppContext, type Rule, rejectIdempotencyKey } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { addMember, removeMember, setRoles } from './change.ts'
import {
  MemberRequest,
  MemberResponse,
  MembersQuery,
  MembersResponse,
  NewMemberRequest,
  OwnershipRequest,
  OwnershipResponse,
  RemoveMemberQuery,
} from './model.ts'
import { transferOwnership } from './ownership.ts'
import { getMember, listMembers } from './read.ts'

const manageRule = { caller: 'session', permission: 'members.manage' } as const

/** Members can always leave. Removing a member must work in an archived workspace too. */
const removeRule: Rule = {
  caller: 'session',
  allowWhenArchived: true,
  permission: {
    candidates: ['members.manage'],
    select: ({ query }, caller) => (query.accountId === caller.id ? null : 'members.manage'),
  },
}

/** `/portal/api/members` and `/portal/api/ownership`: the members of a workspace, their roles, and its owner. */
export const members = (app: AppContext) =>
  new Elysia({ name: 'members', normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/members',
      async ({ actor, query }) =>
        query.accountId === undefined
          ? listMembers(app.db.read, actor, query)
          : getMember(app.db.read, actor, query.accountId),
      {
        permission: { caller: 'session', permission: 'members.view' },
        query: MembersQuery,
        response: { 200: Type.Union([MembersResponse, MemberResponse]), ...errorResponses('not_found') },
      },
    )
    .post(
      '/portal/api/members',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => addMember(tx, app.ports, actor, body)),
      {
        permission: manageRule,
        query: workspaceQuery,
        body: NewMemberRequest,
        response: { 200: MemberResponse, ...writeErrorResponses('not_found') },
      },
    )
    .patch(
      '/portal/api/members',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => setRoles(tx, app.ports, actor, body)),
      {
        permission: manageRule,
        query: workspaceQuery,
        body: MemberRequest,
        response: { 200: MemberResponse, ...writeErrorResponses('not_found') },
      },
    )
    .delete(
      '/portal/api/members',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, (tx) => removeMember(tx, app.ports, actor, query)),
      {
        permission: removeRule,
        query: RemoveMemberQuery,
        response: { 200: MemberResponse, ...writeErrorResponses('not_found') },
      },
    )
    .post(
      '/portal/api/ownership',
      async ({ actor, requestContext, body }) => {
        return app.commit(requestContext, await transferOwnership(app.db, app.ports, actor, body))
      },
      {
        // No permission covers a transfer: the service requires the rank of the owner.
        permission: rejectIdempotencyKey({ caller: 'session', permission: null }),
        query: workspaceQuery,
        body: OwnershipRequest,
        response: { 200: OwnershipResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Transfer the workspace to another member' },
      },
    )
