import { appendAuditEntry } from '@reeve/audit'
import {
  type Actor,
  AppError,
  assertNoProblems,
  assertNoVersion,
  assertSetsField,
  assertVersion,
  type ExpectedVersions,
  type FieldProblem,
  invalidRequest,
  missingFields,
  requireFields,
  requirePermission,
} from '@reeve/core'
import { type EventTable, insertAll, isSameRow, statement, type Transaction, updateAll } from '@reeve/db'
import { countImages } from './images/count.ts'
import { validateImageFields } from './images/event-image.ts'
import { changeableFields, type EventPorts, presentEvent } from './model.ts'
import { eventById } from './read.ts'
import { applyInput, createEventRow, type EventFields } from './row.ts'

const insertEvent = statement<EventTable>()((sql, p) => insertAll(sql, 'event', p))
const updateEventRow = statement<EventTable>()((sql, p) =>
  updateAll(sql, 'event', p, { key: ['workspace_id', 'id'], except: ['created_by', 'created_at'] }),
)
const deleteEventRow = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('event').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)

export type EventChange = EventFields & { readonly ifMatch: ExpectedVersions }

/**
 * Creates an event. Requires `title` and `scheduledFor`.
 * @throws AppError `invalid_request`; `forbidden` if it sets `published` without the permission
 */
export async function createEvent(tx: Transaction, ports: EventPorts, actor: Actor, input: EventChange) {
  assertNoVersion(input.ifMatch)
  if (input.published) requirePermission(actor, 'events.publish')
  const { title, scheduledFor } = input
  const problems = validateImageFields(input)
  if (title === undefined || scheduledFor === undefined) throw invalidEventError(input, problems)
  assertNoProblems(problems)
  const initial = createEventRow(ports, actor, title, scheduledFor)
  const row = await applyInput(tx, ports, input, initial)
  await tx.run(insertEvent, row)
  return recordChange(tx, ports, actor, { action: 'create', row, before: null, after: row })
}

/**
 * Updates the fields that are present. An update that changes nothing keeps the version. A published event is what players and
 * websites see, so changing it requires `events.publish`, as publishing does.
 * @throws AppError `not_found`, `version_mismatch`, `invalid_request`; `forbidden` without the permission to publish
 */
export async function updateEvent(tx: Transaction, ports: EventPorts, actor: Actor, input: EventChange) {
  requireFields(input, 'id')
  assertSetsField(input, changeableFields)
  const before = await requireEvent(tx, actor, input.id)
  const changesPublished = input.published !== undefined && Number(input.published) !== before.published
  if (before.published === 1 || changesPublished) requirePermission(actor, 'events.publish')
  assertVersion(before, input.ifMatch)
  assertNoProblems(validateImageFields(input))
  const next = { ...before, updated_at: ports.now(), version: before.version + 1 }
  const after = await applyInput(tx, ports, input, next)
  if (isSameRow(before, after)) {
    return { event: presentEvent(before, ports.now(), ports.imageUrlCodec) }
  }
  await tx.run(updateEventRow, after)
  const action = !changesPublished ? 'update' : input.published ? 'publish' : 'unpublish'
  return recordChange(tx, ports, actor, { action, row: after, before, after })
}

/**
 * Deletes an event permanently; the audit log records its content.
 * @throws AppError `not_found`, `version_mismatch`; `forbidden` for a published event without the permission to publish
 */
export async function deleteEvent(
  tx: Transaction,
  ports: EventPorts,
  actor: Actor,
  input: { readonly id?: string; readonly ifMatch: ExpectedVersions },
) {
  const before = await requireEvent(tx, actor, input.id)
  if (before.published === 1) requirePermission(actor, 'events.publish')
  assertVersion(before, input.ifMatch)
  await tx.run(deleteEventRow, { workspaceId: before.workspace_id, id: before.id })
  return recordChange(tx, ports, actor, { action: 'delete', row: before, before, after: null })
}

async function requireEvent(tx: Transaction, actor: Actor, id: string | undefined): Promise<EventTable> {
  if (id === undefined) throw missingFields('id')
  const row = await tx.first(eventById, { workspaceId: actor.workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}

/** An error for the required fields that a new event lacks, together with its other problems. */
function invalidEventError(input: EventChange, problems: readonly FieldProblem[]): AppError {
  const absentFields = (['title', 'scheduledFor'] as const).filter((name) => input[name] === undefined)
  return invalidRequest(...(missingFields(...absentFields).options.details ?? []), ...problems)
}

/** Appends the change to the audit log and announces it. @returns the event; a deleted one as it was */
async function recordChange(
  tx: Transaction,
  ports: EventPorts,
  actor: Actor,
  change: { action: string; row: EventTable; before: EventTable | null; after: EventTable | null },
) {
  const { action, row, before, after } = change
  const present = (event: EventTable) => presentEvent(event, ports.now(), ports.imageUrlCodec)
  await appendAuditEntry(tx, ports, actor, {
    action: `events.${action}`,
    target: { kind: 'event', id: row.id },
    before: before && present(before),
    after: after && present(after),
  })
  await countImages(tx, row, before, after)
  const isDraft = before?.published !== 1 && after?.published !== 1
  tx.announce({ kind: 'event', workspaceId: row.workspace_id, id: row.id, isDraft })
  return { event: present(row) }
}
