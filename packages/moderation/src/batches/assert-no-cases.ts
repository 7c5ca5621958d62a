import { type Actor, addDashes, invalidRequest, normalizeUuid } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import type { BatchCommand } from './parse-request.ts'

const anyRecord = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('record')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids))
    .limit(1),
)

/**
 * A batch on players that names a case would act on a player who does not exist, while the player of the case goes free.
 * @throws AppError `invalid_request` naming `userIds`
 */
export async function assertNoCases(
  db: Queries,
  { workspaceId }: Actor,
  command: BatchCommand,
): Promise<void> {
  if (command.kind !== 'actions' || command.input.targetField !== 'userId') return
  // A player on Minecraft has a UUID too, which is stored without dashes.
  const ids = command.targets.flatMap((target) => {
    const uuid = normalizeUuid(target)
    return uuid === null ? [] : [addDashes(uuid)]
  })
  const found = ids.length === 0 ? undefined : await db.first(anyRecord, { workspaceId, ids })
  if (!found) return
  throw invalidRequest({
    field: 'userIds',
    message: `must not have ${found.id}, which is the ID of a case: choose an action on cases, or name the player of the case`,
  })
}
