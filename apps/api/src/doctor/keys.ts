import { listOrphanedKeys } from '@reeve/auth'
import type { Queries } from '@reeve/db'
import { MAX_NAMED } from '../format.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Finds API keys that still work although the person who created them has left the workspace or cannot sign in. */
export async function checkKeys(read: Queries, now: number): Promise<Finding> {
  const keys = await listOrphanedKeys(read, { now, limit: MAX_NAMED + 1 })
  if (keys.length === 0)
    return ok('keys', 'The creators of all working API keys are members of their workspace.')
  const named = keys
    .slice(0, MAX_NAMED)
    .map(
      ({ workspace_id: workspaceId, id, name, username }) =>
        `${name} (${id}) of workspace ${workspaceId}, by ${username}`,
    )
  const others = keys.length > MAX_NAMED ? '; and more' : ''
  return warning(
    'keys',
    `API keys still work although their creator has left or is disabled: ${named.join('; ')}${others}.`,
    'Ask the workspace whether each is still needed. Somebody who rotates a key in the portal takes it over; `reeve key revoke` ends it.',
  )
}
