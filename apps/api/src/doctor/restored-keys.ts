import { isUsableKey, type Queries, statement } from '@reeve/db'
import { MAX_NAMED, pluralize } from '../format.ts'
import { type Finding, ok, warning } from './finding.ts'

const restoredKeys = statement<{ now: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('api_key')
    .select(['workspace_id', 'id', 'name', 'restored_at'])
    .where('restored_at', 'is not', null)
    .where((eb) => isUsableKey(eb, p.now))
    .orderBy('workspace_id')
    .orderBy('id')
    .limit(p.limit),
)

/** Finds API keys that a restore has brought back and that nobody has confirmed. */
export async function checkRestoredKeys(read: Queries, now: number): Promise<Finding> {
  const keys = await read.all(restoredKeys, { now, limit: MAX_NAMED + 1 })
  if (keys.length === 0) return ok('restore', 'No API key waits for confirmation after a restore.')
  const named = keys
    .slice(0, MAX_NAMED)
    .map(({ id, name, workspace_id }) => `${name} (${id} of workspace ${workspace_id})`)
  const count =
    keys.length > MAX_NAMED ? `More than ${MAX_NAMED} API keys` : pluralize(keys.length, 'API key')
  return warning(
    'restore',
    `${count} came back with a restore and ${keys.length === 1 ? 'works' : 'work'}, although they can have been revoked since the backup: ${named.join('; ')}.`,
    'Confirm the keys that are still in use (`reeve key confirm`, or in the portal), and revoke the others.',
  )
}
