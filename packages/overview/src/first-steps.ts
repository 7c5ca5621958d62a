import { type Actor, allows, type Permission, wire } from '@reeve/core'
import { type Queries, type Statement, statement, statementFamily } from '@reeve/db'
import type { Overview } from './model.ts'

type Of = { workspaceId: string }

const twoMembers = statement<Of>()((sql, p) =>
  sql.selectFrom('member').select('account_id').where('workspace_id', '=', p.workspaceId).limit(2),
)
const otherRole = statement<Of>()((sql, p) =>
  sql
    .selectFrom('role')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('is_owner', '=', 0)
    .limit(1),
)
const liveKey = statement<Of>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('revoked_at', 'is', null)
    .limit(1),
)
const anyRecord = statement<Of>()((sql, p) =>
  sql.selectFrom('record').select('id').where('workspace_id', '=', p.workspaceId).limit(1),
)
const liveDepartment = statement<Of>()((sql, p) =>
  sql
    .selectFrom('department')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('deleted_at', 'is', null)
    .limit(1),
)
const anyEvent = statementFamily<Of, { drafts: boolean }>()((sql, p, { drafts }) => {
  const found = sql.selectFrom('event').select('id').where('workspace_id', '=', p.workspaceId).limit(1)
  return drafts ? found : found.where('published', '=', 1)
})

/** Which of the first steps of a workspace are done, as far as the actor may know. */
export async function firstStepsIn(db: Queries, actor: Actor): Promise<Overview['firstSteps']> {
  const { workspaceId } = actor
  const done = async (permission: Permission, found: Statement<Of, unknown>, least = 1) =>
    allows(actor, permission)
      ? wire.boolean.write((await db.all(found, { workspaceId })).length >= least)
      : null
  return {
    member: await done('members.view', twoMembers, 2),
    role: await done('roles.view', otherRole),
    apiKey: await done('api_keys.manage', liveKey),
    record: await done('moderation.view', anyRecord),
    department: await done('departments.view', liveDepartment),
    event: await done('events.view', anyEvent({ drafts: allows(actor, 'events.manage') })),
  }
}
