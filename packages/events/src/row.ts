import type { Actor } from '@reeve/core'
import type { EventTable, Transaction } from '@reeve/db'
import type { EventInput } from './model.ts'
import { type KeptImage, pictureAfter } from './picture.ts'
import type { EventPorts } from './ports.ts'
import { endOf, needOrder } from './schedule.ts'

/** The fields of a request, and the image of its `imageDataUrl`, kept. */
export type GivenFields = EventInput & { readonly image: KeptImage | null }

/** A new event with nothing set that may be left unset. */
export function blankEvent(ports: EventPorts, actor: Actor, title: string, scheduledFor: number): EventTable {
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
  return { ...event, ends_at: endOf(event) }
}

const given = <T>(value: T | undefined, otherwise: T): T => (value === undefined ? otherwise : value)

/** The row as a request leaves it. @throws AppError `invalid_request` */
export async function changed(
  tx: Transaction,
  ports: EventPorts,
  input: GivenFields,
  row: EventTable,
): Promise<EventTable> {
  const after = {
    ...row,
    title: given(input.title, row.title),
    description: given(input.description, row.description),
    scheduled_for: given(input.scheduledFor, row.scheduled_for),
    published: input.published === undefined ? row.published : Number(input.published),
    event_type: given(input.eventType, row.event_type),
    training_start: given(input.trainingStart, row.training_start),
    training_end: given(input.trainingEnd, row.training_end),
    training_host: given(input.trainingHost, row.training_host),
    experience_id: given(input.experienceId, row.experience_id),
    experience_name: given(input.experienceName, row.experience_name),
    experience_place_id: given(input.experiencePlaceId, row.experience_place_id),
    experience_thumbnail_url: given(input.experienceThumbnailUrl, row.experience_thumbnail_url),
    experience_url: given(input.experienceUrl, row.experience_url),
  }
  needOrder(after)
  const image_url = await pictureAfter(tx, ports, input, row.image_url)
  return { ...after, image_url, ends_at: endOf(after) }
}
