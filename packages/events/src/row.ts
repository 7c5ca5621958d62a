import { type Actor, invalidRequest } from '@reeve/core'
import type { EventTable, Transaction } from '@reeve/db'
import { resolveHost } from './host.ts'
import { resolveImageUrl, type StoredImage } from './images/event-image.ts'
import type { EventInput, EventPorts } from './model.ts'
import { assertValidSchedule, getEnd } from './schedule.ts'

/** The fields of a request, and the stored image of its `imageDataUrl`. */
export type EventFields = EventInput & { readonly image: StoredImage | null }

/** A new event with only its required fields set. */
export function createEventRow(
  ports: EventPorts,
  actor: Actor,
  title: string,
  scheduledFor: number,
): EventTable {
  const now = ports.now()
  const event = {
    workspace_id: actor.workspaceId,
    id: ports.newId(),
    title,
    description: null,
    scheduled_for: scheduledFor,
    published: 0,
    event_type: 'event' as const,
    image_url: null,
    training_start: null,
    training_end: null,
    training_host: null,
    host_account_id: null,
    experience_id: null,
    experience_name: null,
    experience_place_id: null,
    experience_thumbnail_url: null,
    experience_url: null,
    created_by: actor.id,
    created_at: now,
    updated_at: now,
    version: 1,
  }
  return { ...event, ends_at: getEnd(event) }
}

const withDefault = <T>(value: T | undefined, fallback: T): T => (value === undefined ? fallback : value)

/** The end time of a request: `endsAt` and `trainingEnd` are one field. @throws AppError `invalid_request` if they differ */
function resolveEnd({ endsAt, trainingEnd }: EventInput): number | null | undefined {
  if (endsAt !== undefined && trainingEnd !== undefined && endsAt !== trainingEnd) {
    throw invalidRequest({ field: 'endsAt', message: 'must be the same as trainingEnd, if both are set' })
  }
  return endsAt === undefined ? trainingEnd : endsAt
}

/** The row after a request. @throws AppError `invalid_request` */
export async function applyInput(
  tx: Transaction,
  ports: EventPorts,
  input: EventFields,
  row: EventTable,
): Promise<EventTable> {
  const after = {
    ...row,
    title: withDefault(input.title, row.title),
    description: withDefault(input.description, row.description),
    scheduled_for: withDefault(input.scheduledFor, row.scheduled_for),
    published: input.published === undefined ? row.published : Number(input.published),
    event_type: withDefault(input.eventType, row.event_type),
    training_start: withDefault(input.trainingStart, row.training_start),
    training_end: withDefault(resolveEnd(input), row.training_end),
    ...(await resolveHost(tx, input, row)),
    experience_id: withDefault(input.experienceId, row.experience_id),
    experience_name: withDefault(input.experienceName, row.experience_name),
    experience_place_id: withDefault(input.experiencePlaceId, row.experience_place_id),
    experience_thumbnail_url: withDefault(input.experienceThumbnailUrl, row.experience_thumbnail_url),
    experience_url: withDefault(input.experienceUrl, row.experience_url),
  }
  assertValidSchedule(after, input.endsAt === undefined ? 'trainingEnd' : 'endsAt')
  const image_url = await resolveImageUrl(tx, ports, input, row.image_url)
  return { ...after, image_url, ends_at: getEnd(after) }
}
