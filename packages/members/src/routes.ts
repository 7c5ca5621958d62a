import { type AppContext, type Rule, withoutReplay } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { addMember, removeMember, setRoles } from './change.ts'
import {
  LeavingQuery,
  MemberAnswer,
  MemberRequest,
  MembersAnswer,
  MembersQuery,
  NewMemberRequest,
  OwnershipAnswer,
  OwnershipRequest,
} from './model.ts'
import { transferOwnership } from './ownership.ts'
import { getMember, listMembers } from './read.ts'

const manage = { who: 'session', permission: 'members.manage' } as const

/** Whoever wants to leave may; and to shut a person out can wait for neither a new month nor the end of an archive. */
const manageOrLeave: Rule = {
  who: 'session',
  whileArchived: true,
  beyondQuota: true,
  permission: {
    among: ['members.manage'],
    of: ({ query }, caller) => (query.accountId === caller.id ? null : 'members.manage'),
  },
}

/** `/portal/api/members` and `/portal/api/ownership`: the accounts in a workspace, and their roles. */
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
        permission: { who: 'session', permission: 'members.view' },
        query: MembersQuery,
        response: { 200: Type.Union([MembersAnswer, MemberAnswer]), ...errorResponses('not_found') },
      },
    )
    .post(
      '/portal/api/members',
      async ({ actor, call, body }) => app.commit(call, (tx) => addMember(tx, app.ports, actor, body)),
      {
        permission: manage,
        query: workspaceQuery,
        body: NewMemberRequest,
        response: { 200: MemberAnswer, ...writeErrorResponses('not_found') },
      },
    )
    .patch(
      '/portal/api/members',
      async ({ actor, call, body }) => app.commit(call, (tx) => setRoles(tx, app.ports, actor, body)),
      {
        permission: manage,
        query: workspaceQuery,
        body: MemberRequest,
        response: { 200: MemberAnswer, ...writeErrorResponses('not_found') },
      },
    )
    .delete(
      '/portal/api/members',
      async ({ actor, call, query }) => app.commit(call, (tx) => removeMember(tx, app.ports, actor, query)),
      {
        permission: manageOrLeave,
        query: LeavingQuery,
        response: { 200: MemberAnswer, ...writeErrorResponses('not_found') },
      },
    )
    .post(
      '/portal/api/ownership',
      async ({ actor, call, body }) => {
        const once = withoutReplay(call)
        return app.commit(once, await transferOwnership(app.db, app.ports, actor, body))
      },
      {
        // The owner's rank is asked for in the service: no permission stands for it.
        permission: { who: 'session', permission: null },
        query: workspaceQuery,
        body: OwnershipRequest,
        response: { 200: OwnershipAnswer, ...writeErrorResponses('not_found') },
        detail: { summary: 'Hand the workspace over to another member' },
      },
    )
