import { type Actor, hasPermission, type Permission, wire } from '@reeve/core'
import { type Queries, type Statement, statement, statementFamily } from '@reeve/db'
import type { Overview } from './model.ts'

type Params = { workspaceId: string }

const twoMembers = statement<Params>()((sql, p) =>
  sql.selectFrom('member').select('account_id').where('workspace_id', '=', p.workspaceId).limit(2),
)
const otherRole = statement<Params>()((sql, p) =>
  sql
    .selectFrom('role')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('is_owner', '=', 0)
    .limit(1),
)
const activeKey = statement<Params>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('revoked_at', 'is', null)
    .limit(1),
)
const anyRecord = statement<Params>()((sql, p) =>
  sql.selectFrom('record').select('id').where('workspace_id', '=', p.workspaceId).limit(1),
)
const activeDepartment = statement<Params>()((sql, p) =>
  sql
    .selectFrom('department')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('deleted_at', 'is', null)
    .limit(1),
)
const anyEvent = statementFamily<Params, { drafts: boolean }>()((sql, p, { drafts }) => {
  const query = sql.selectFrom('event').select('id').where('workspace_id', '=', p.workspaceId).limit(1)
  return drafts ? query : query.where('published', '=', 1)
})

/** Which setup steps of a workspace are done; null for those that the actor cannot view. */
export async function findFirstSteps(db: Queries, actor: Actor): Promise<Overview['firstSteps']> {
  const { workspaceId } = actor
  const checkStep = async (permission: Permission, query: Statement<Params, unknown>, minimum = 1) =>
    hasPermission(actor, permission)
      ? wire.boolean.write((await db.all(query, { workspaceId })).length >= minimum)
      : null
  return {
    member: await checkStep('members.view', twoMembers, 2),
    role: await checkStep('roles.view', otherRole),
    apiKey: await checkStep('api_keys.manage', activeKey),
    record: await checkStep('moderation.view', anyRecord),
    department: await checkStep('departments.view', activeDepartment),
    event: await checkStep('events.view', anyEvent({ drafts: hasPermission(actor, 'events.manage') })),
  }
}
