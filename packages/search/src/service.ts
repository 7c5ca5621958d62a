import { type Actor, hasPermission, type Permission, type Ports, requireFields } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { findApiKeys, findInvitations } from './access.ts'
import { findCases } from './cases.ts'
import { findEvents } from './events.ts'
import type { SearchQueryInput, SearchResults } from './model.ts'
import { findDepartments, findMembers, findRoles } from './names.ts'
import { parseSearchText } from './search-text.ts'

/**
 * Finds what a workspace contains by name; kinds that the actor cannot view are empty.
 * @throws AppError `invalid_request`
 */
export async function searchWorkspace(
  db: Queries,
  ports: Ports,
  actor: Actor,
  input: SearchQueryInput,
): Promise<SearchResults> {
  const { q } = requireFields(input, 'q')
  const text = parseSearchText(q)
  const { workspaceId } = actor
  const ifPermitted = async <Match>(
    permission: Permission,
    find: () => Promise<Match[]>,
  ): Promise<Match[]> => (hasPermission(actor, permission) ? find() : [])
  return {
    cases: await ifPermitted('moderation.view', () => findCases(db, workspaceId, q)),
    members: await ifPermitted('members.view', () => findMembers(db, workspaceId, text)),
    roles: await ifPermitted('roles.view', () => findRoles(db, workspaceId, text)),
    departments: await ifPermitted('departments.view', () => findDepartments(db, workspaceId, text)),
    events: await ifPermitted('events.view', () => findEvents(db, ports, actor, text)),
    apiKeys: await ifPermitted('api_keys.manage', () => findApiKeys(db, ports, workspaceId, text)),
    invitations: await ifPermitted('members.manage', () => findInvitations(db, ports, workspaceId, text)),
  }
}
