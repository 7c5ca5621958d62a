import { type Queries, statement } from '@reeve/db'
import type { DueEvent } from './due-event.ts'

/** Appeals that staff did not decide and the player did not withdraw. One that its expiry has closed may not be marked as closed yet. */
const undecidedAppeals = statement<{ workspaceId: string; recordIds: readonly string[] }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('appeal')
      .select(['id', 'record_id'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('record_id', p.recordIds))
      .where((eb) => eb.or([eb('closed_at', 'is', null), eb('state', 'in', ['expired', 'superseded'])])),
)

/**
 * Adds an event for each appeal that closed because its ban ended. Its own entry in the audit log has no event: that of an expired ban is
 * written only once a job closes the appeal.
 */
export async function addClosedAppeals(
  db: Queries,
  workspaceId: string,
  events: readonly DueEvent[],
): Promise<readonly DueEvent[]> {
  const ends = new Map(
    events.filter(({ type }) => type === 'ban.ended').map((event) => [event.resource.id, event]),
  )
  if (ends.size === 0) return events
  const appeals = await db.all(undecidedAppeals, { workspaceId, recordIds: [...ends.keys()] })
  const closed = appeals.flatMap(({ id, record_id }): DueEvent[] => {
    const end = ends.get(record_id)
    return end ? [{ ...end, type: 'appeal.updated', resource: { kind: 'appeal', id }, banEvent: null }] : []
  })
  return [...events, ...closed]
}
