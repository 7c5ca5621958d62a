import { type Ports, wire } from '@reeve/core'
import type { EventTable } from '@reeve/db'
import {
  inputField,
  nextCursor,
  nullableInput,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { imageDataUrlCodec } from './images/data-url.ts'
import { getStatus, getTrainingTimes, statuses } from './schedule.ts'

export interface EventPorts extends Ports {
  /** Reads and writes image URLs, which depend on the public URL of the instance. */
  readonly imageUrlCodec: wire.Codec<string>
}

const eventTypes = [
  'event',
  'training',
  'shift',
  'meeting',
  'tryout',
  'other',
] as const satisfies EventTable['event_type'][]

const workspaceId = inputField(wire.id, 'The workspace; in query or body')
const id = inputField(wire.id, 'The event')
const shortText = (example: string) => wire.name({ max: 100, example })

/** The body of a write. */
export const eventRequest = (imageUrlCodec: wire.Codec<string>) =>
  requestObject({
    workspaceId,
    id,
    title: inputField(wire.name({ min: 1, max: 100, example: 'Cadet training' })),
    description: nullableInput(wire.text({ max: 4000, multiline: true, example: 'Bring your uniform.' })),
    scheduledFor: inputField(wire.time, 'Start time'),
    published: inputField(
      wire.boolean,
      '`false` by default; a change requires the permission `events.publish`',
    ),
    eventType: inputField(wire.oneOf(eventTypes), '`event` by default'),
    imageDataUrl: nullableInput(imageDataUrlCodec, 'The image to store; cannot be combined with `imageUrl`'),
    imageUrl: nullableInput(imageUrlCodec, 'URL of the image'),
    image_url: nullableInput(imageUrlCodec, 'The same as `imageUrl`'),
    trainingStart: nullableInput(wire.time, 'By default `scheduledFor`'),
    trainingEnd: nullableInput(wire.time, 'The same as `endsAt`'),
    trainingHost: nullableInput(shortText('Ossian'), 'Name of a host who is not a member'),
    experienceId: nullableInput(wire.platformId),
    experienceName: nullableInput(shortText('Training grounds')),
    experiencePlaceId: nullableInput(wire.platformId),
    experienceThumbnailUrl: nullableInput(wire.httpsUrl),
    experienceUrl: nullableInput(wire.httpsUrl),
    endsAt: nullableInput(wire.time, 'End time of any event; by default an hour after the start'),
    hostAccountId: nullableInput(
      wire.id,
      'Account of the member who hosts the event; cannot be combined with `trainingHost`, which becomes their name',
    ),
  })

/** The fields that an update can change. */
export const changeableFields = Object.keys(eventRequest(wire.httpsUrl).properties).filter(
  (name) => name !== 'workspaceId' && name !== 'id',
)

export type EventInput = Static<ReturnType<typeof eventRequest>>

export const EventQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'One event instead of the list'),
  from: inputField(wire.time, 'Only events scheduled for then or later'),
  to: inputField(wire.time, 'Only events scheduled for before then'),
  endsAfter: inputField(wire.time, 'Only events that end after then'),
  eventType: inputField(wire.oneOf(eventTypes)),
  published: inputField(wire.boolean),
  status: inputField(wire.oneOf(statuses), 'Status at the time of the request'),
  ...pageFields,
})

export type EventQueryInput = Static<typeof EventQuery>

export const EventIdQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace'), id })

const Event = responseObject(
  {
    id: stringField('Id of the event'),
    workspaceId: stringField('The workspace it belongs to'),
    title: stringField('Its title', 'Cadet training'),
    description: nullableString('What the event is about'),
    scheduledFor: stringField('Start time', wire.time.example),
    published: stringField('`true` or `false`', 'true'),
    eventType: stringField(wire.oneOf(eventTypes).description, 'training'),
    imageUrl: nullableString('URL of its image'),
    image_url: nullableString('The same as `imageUrl`'),
    trainingStart: nullableString('As set; for a training, `scheduledFor` by default'),
    trainingEnd: nullableString('As set; for a training, an hour after its start by default'),
    trainingHost: nullableString('Name of the host; of a member, the name when they were chosen'),
    hostAccountId: nullableString('Account of the host, if it is a member'),
    experienceId: nullableString('The experience on the game platform'),
    experienceName: nullableString('The name of the experience'),
    experiencePlaceId: nullableString('The place in the experience'),
    experienceThumbnailUrl: nullableString('URL of a thumbnail of the experience'),
    experienceUrl: nullableString('URL of the experience'),
    status: stringField(
      '`draft` until published; then `scheduled`, `live` or `ended` at the time of the request',
      'scheduled',
    ),
    endsAt: stringField('End time: `trainingEnd`, or an hour after the start', wire.time.example),
    createdBy: stringField('Id of the account or API key that created it'),
    createdAt: stringField('When it was created', wire.time.example),
    updatedAt: stringField('When it was last changed', wire.time.example),
    version: stringField('Grows with every change; for If-Match', '1'),
  },
  'A scheduled event',
)

export const EventResponse = responseObject({ event: Event }, 'The event')
export const EventsResponse = responseObject(
  { events: Type.Array(Event), nextCursor },
  'Events, soonest first',
)

/** Converts a row to its API form. @param now epoch milliseconds, for the status */
export function presentEvent(
  row: EventTable,
  now: number,
  imageUrlCodec: wire.Codec<string>,
): (typeof Event)['static'] {
  const training = getTrainingTimes(row)
  const imageUrl = row.image_url === null ? null : imageUrlCodec.write(row.image_url)
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    title: row.title,
    description: row.description,
    scheduledFor: wire.time.write(row.scheduled_for),
    published: wire.boolean.write(row.published === 1),
    eventType: row.event_type,
    imageUrl,
    image_url: imageUrl,
    trainingStart: wire.writeNullableTime(training.start),
    trainingEnd: wire.writeNullableTime(training.end),
    trainingHost: row.training_host,
    hostAccountId: row.host_account_id,
    experienceId: row.experience_id,
    experienceName: row.experience_name,
    experiencePlaceId: row.experience_place_id,
    experienceThumbnailUrl: row.experience_thumbnail_url,
    experienceUrl: row.experience_url,
    status: getStatus(row, now),
    endsAt: wire.time.write(row.ends_at),
    createdBy: row.created_by,
    createdAt: wire.time.write(row.created_at),
    updatedAt: wire.time.write(row.updated_at),
    version: String(row.version),
  }
}
