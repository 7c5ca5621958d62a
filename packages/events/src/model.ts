import { wire } from '@reeve/core'
import type { EventTable } from '@reeve/db'
import {
  formatNullableTime,
  inputField,
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

export const eventTypes = [
  'event',
  'training',
  'shift',
  'meeting',
  'tryout',
  'other',
] as const satisfies EventTable['event_type'][]

const workspaceId = inputField(wire.id, 'The workspace; here or in the query')
const id = inputField(wire.id, 'The event')
const shortText = (example: string) => wire.text({ max: 100, example })

/** The body of a write. `address` reads and writes the address of an image. */
export const eventRequest = (imageUrlCodec: wire.Codec<string>) =>
  requestObject({
    workspaceId,
    id,
    title: inputField(wire.text({ min: 1, max: 100, example: 'Cadet training' })),
    description: nullableInput(wire.text({ max: 4000, multiline: true, example: 'Bring your uniform.' })),
    scheduledFor: inputField(wire.time, 'When it begins'),
    published: inputField(
      wire.boolean,
      '`false` by default; to change it takes the permission `events.publish`',
    ),
    eventType: inputField(wire.oneOf(eventTypes), '`event` by default'),
    imageDataUrl: nullableInput(
      imageDataUrlCodec,
      'The image itself, to be kept here; not together with its address',
    ),
    imageUrl: nullableInput(imageUrlCodec, 'The address of the image'),
    image_url: nullableInput(imageUrlCodec, 'The same as `imageUrl`'),
    trainingStart: nullableInput(wire.time, 'Where it differs from `scheduledFor`'),
    trainingEnd: nullableInput(wire.time, 'Where it is not an hour after the start'),
    trainingHost: nullableInput(shortText('Ossian')),
    experienceId: nullableInput(wire.platformId),
    experienceName: nullableInput(shortText('Training grounds')),
    experiencePlaceId: nullableInput(wire.platformId),
    experienceThumbnailUrl: nullableInput(wire.httpsUrl),
    experienceUrl: nullableInput(wire.httpsUrl),
  })

export type EventInput = Static<ReturnType<typeof eventRequest>>

export const EventQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'One event instead of the list'),
  from: inputField(wire.time, 'Only events scheduled for then or later'),
  to: inputField(wire.time, 'Only events scheduled for before then'),
  eventType: inputField(wire.oneOf(eventTypes)),
  published: inputField(wire.boolean),
  status: inputField(wire.oneOf(statuses), 'What they are at the moment of reading'),
  ...pageFields,
})

export type EventQueryInput = Static<typeof EventQuery>

export const EventIdQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace'), id })

const Event = responseObject(
  {
    id: stringField('Id of the event'),
    workspaceId: stringField('The workspace it belongs to'),
    title: stringField('Its title', 'Cadet training'),
    description: nullableString('What it is about'),
    scheduledFor: stringField('When it is scheduled for', wire.time.example),
    published: stringField('`true` or `false`', 'true'),
    eventType: stringField(wire.oneOf(eventTypes).description, 'training'),
    imageUrl: nullableString('The address of its image'),
    image_url: nullableString('The same as `imageUrl`'),
    trainingStart: nullableString('As set; for a training `scheduledFor` where it is not set'),
    trainingEnd: nullableString('As set; for a training an hour after its start where it is not set'),
    trainingHost: nullableString('Who holds the training'),
    experienceId: nullableString('The experience on the game platform'),
    experienceName: nullableString('The name of the experience'),
    experiencePlaceId: nullableString('The place in the experience'),
    experienceThumbnailUrl: nullableString('The address of a picture of the experience'),
    experienceUrl: nullableString('The address of the experience'),
    status: stringField(
      '`draft` until published; then `scheduled`, `live` and `ended`, at the moment of reading',
      'scheduled',
    ),
    endsAt: stringField('When it ends: `trainingEnd`, or an hour after its start', wire.time.example),
    createdBy: stringField('Id of the account or key that made it'),
    createdAt: stringField('When it was made', wire.time.example),
    updatedAt: stringField('When it was last changed', wire.time.example),
    version: stringField('Grows with every change; for If-Match', '1'),
  },
  'A scheduled event',
)

export const EventResponse = responseObject({ event: Event }, 'The event')
export const EventsResponse = responseObject(
  { events: Type.Array(Event), nextCursor: nullableString('Give it as `cursor` for the next page') },
  'Events, soonest first',
)

/** A row as the interface shows it at the moment `now`. */
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
    trainingStart: formatNullableTime(training.start),
    trainingEnd: formatNullableTime(training.end),
    trainingHost: row.training_host,
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
