import { invalidRequest } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { type ActorChanges, readChanges } from './actor-changes.ts'

/** How many records an undo can be about at most. */
const MAX_RECORDS = 100_000

/** Changes that follow from others. */
const AUTOMATIC: ReadonlySet<string> = new Set(['expire', 'supersede'])

/** Which records an actor has changed since a time, and how often they did what. */
export interface ChangeSummary {
  readonly recordIds: ReadonlySet<string>
  /** By the name of the action, without the automatic ones. */
  readonly actions: ReadonlyMap<string, number>
}

/** Counts the changes of records by an actor. @throws AppError `invalid_request` naming `since` if they are too many */
export async function countActorChanges(
  db: Queries,
  actor: ActorChanges,
  untilSequence: number,
): Promise<ChangeSummary> {
  const recordIds = new Set<string>()
  const actions = new Map<string, number>()
  for await (const changes of readChanges(db, actor, untilSequence)) {
    for (const { action, target_id } of changes) {
      recordIds.add(target_id)
      const name = action.slice(action.indexOf('.') + 1)
      if (!AUTOMATIC.has(name)) actions.set(name, (actions.get(name) ?? 0) + 1)
    }
    if (recordIds.size > MAX_RECORDS) {
      throw invalidRequest({
        field: 'since',
        message: `must be later: more than ${MAX_RECORDS} records were changed since then`,
      })
    }
  }
  return { recordIds, actions }
}
