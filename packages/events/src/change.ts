import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertVersion,
  type ExpectedVersions,
  type FieldProblem,
  invalidRequest,
  missingFields,
  requirePermission,
} from '@reeve/core'
import { type EventTable, statement, type Transaction } from '@reeve/db'
import { shownEvent } from './model.ts'
import { pictureProblems } from './picture.ts'
import type { EventPorts } from './ports.ts'
import { eventById } from './read.ts'
import { blankEvent, changed, type GivenFields } from './row.ts'

/** The columns that a change may touch. */
const changeable = (p: EventTable) => ({
  title: p.title,
  description: p.description,
  scheduled_for: p.scheduled_for,
  ends_at: p.ends_at,
  published: p.published,
  event_type: p.event_type,
  image_url: p.image_url,
  training_start: p.training_start,
  training_end: p.training_end,
  training_host: p.training_host,
  experience_id: p.experience_id,
  experience_name: p.experience_name,
  experience_place_id: p.experience_place_id,
  experience_thumbnail_url: p.experience_thumbnail_url,
  experience_url: p.experience_url,
  updated_at: p.updated_at,
  version: p.version,
})
const insert = statement<EventTable>()((sql, p) =>
  sql.insertInto('event').values({
    workspace_id: p.workspace_id,
    id: p.id,
    created_by: p.created_by,
    created_at: p.created_at,
    ...changeable(p),
  }),
)
const update = statement<EventTable>()((sql, p) =>
  sql
    .updateTable('event')
    .set(changeable(p))
    .where('workspace_id', '=', p.workspace_id)
    .where('id', '=', p.id),
)
const remove = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('event').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)

export type EventChange = GivenFields & { readonly ifMatch: ExpectedVersions }

/**
 * Makes an event from `title`, `scheduledFor` and whatever else is given.
 * @throws AppError `invalid_request`; `forbidden` where it is to be published by someone who may not
 */
export async function createEvent(tx: Transaction, ports: EventPorts, actor: Actor, input: EventChange) {
  if (input.published) requirePermission(actor, 'events.publish')
  const { title, scheduledFor } = input
  const problems = pictureProblems(input)
  if (title === undefined || scheduledFor === undefined) throw lackingFields(input, problems)
  needNone(problems)
  const blank = blankEvent(ports, actor, title, scheduledFor)
  const row = await changed(tx, ports, input, blank)
  await tx.run(insert, row)
  return told(tx, ports, actor, { verb: 'create', row, before: null, after: row })
}

/**
 * Changes the fields that are given, and no others.
 * @throws AppError `not_found`, `version_mismatch`, `invalid_request`; `forbidden` where `published` would change by someone
 * who may not publish
 */
export async function updateEvent(tx: Transaction, ports: EventPorts, actor: Actor, input: EventChange) {
  const before = await existing(tx, actor, input.id)
  const publishes = input.published !== undefined && Number(input.published) !== before.published
  if (publishes) requirePermission(actor, 'events.publish')
  assertVersion(before, input.ifMatch)
  needNone(pictureProblems(input))
  const next = { ...before, updated_at: ports.now(), version: before.version + 1 }
  const after = await changed(tx, ports, input, next)
  await tx.run(update, after)
  const verb = !publishes ? 'update' : input.published ? 'publish' : 'unpublish'
  return told(tx, ports, actor, { verb, row: after, before, after })
}

/** Deletes an event for good; the audit log keeps what it was. @throws AppError `not_found`, `version_mismatch` */
export async function deleteEvent(
  tx: Transaction,
  ports: EventPorts,
  actor: Actor,
  input: { readonly id?: string; readonly ifMatch: ExpectedVersions },
) {
  const before = await existing(tx, actor, input.id)
  assertVersion(before, input.ifMatch)
  await tx.run(remove, { workspaceId: before.workspace_id, id: before.id })
  return told(tx, ports, actor, { verb: 'delete', row: before, before, after: null })
}

async function existing(tx: Transaction, actor: Actor, id: string | undefined): Promise<EventTable> {
  if (id === undefined) throw missingFields('id')
  const row = await tx.first(eventById, { workspaceId: actor.workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}

function needNone(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalidRequest(...problems)
}

/** All that a new event lacks, beside what else is wrong with it. */
function lackingFields(input: EventChange, problems: readonly FieldProblem[]): AppError {
  const lacking = (['title', 'scheduledFor'] as const).filter((name) => input[name] === undefined)
  return invalidRequest(...(missingFields(...lacking).options.details ?? []), ...problems)
}

/** Writes the change into the log, tells who listens, and answers with the event, or as it was where it is gone. */
async function told(
  tx: Transaction,
  ports: EventPorts,
  actor: Actor,
  change: { verb: string; row: EventTable; before: EventTable | null; after: EventTable | null },
) {
  const { verb, row, before, after } = change
  const show = (one: EventTable) => shownEvent(one, ports.now(), ports.imageAddress)
  await appendAuditEntry(tx, ports, actor, {
    action: `events.${verb}`,
    target: { kind: 'event', id: row.id },
    before: before && show(before),
    after: after && show(after),
  })
  const isDraft = before?.published !== 1 && after?.published !== 1
  tx.announce({ kind: 'event', workspaceId: row.workspace_id, id: row.id, isDraft })
  return { event: show(row) }
}
