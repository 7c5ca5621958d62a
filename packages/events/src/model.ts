import { wire } from '@reeve/core'
import type { EventTable } from '@reeve/db'
import { answer, clearable, field, pageFields, request, shown, shownOrNull } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { imageData } from './image.ts'
import { statusAt, statuses, trainingTimes } from './schedule.ts'

export const eventTypes = [
  'event',
  'training',
  'shift',
  'meeting',
  'tryout',
  'other',
] as const satisfies EventTable['event_type'][]

const workspaceId = field(wire.id, 'The workspace; here or in the query')
const id = field(wire.id, 'The event')
const line = (example: string) => wire.text({ max: 100, example })

/** The body of a write. `address` reads and writes the address of an image. */
export const eventRequest = (address: wire.Codec<string>) =>
  request({
    workspaceId,
    id,
    title: field(wire.text({ min: 1, max: 100, example: 'Cadet training' })),
    description: clearable(wire.text({ max: 4000, lines: true, example: 'Bring your uniform.' })),
    scheduledFor: field(wire.time, 'When it begins'),
    published: field(wire.boolean, '`false` by default; to change it takes the permission `events.publish`'),
    eventType: field(wire.oneOf(eventTypes), '`event` by default'),
    imageDataUrl: clearable(imageData, 'The image itself, to be kept here; not together with its address'),
    imageUrl: clearable(address, 'The address of the image'),
    image_url: clearable(address, 'The same as `imageUrl`'),
    trainingStart: clearable(wire.time, 'Where it differs from `scheduledFor`'),
    trainingEnd: clearable(wire.time, 'Where it is not an hour after the start'),
    trainingHost: clearable(line('Ossian')),
    experienceId: clearable(wire.platformId),
    experienceName: clearable(line('Training grounds')),
    experiencePlaceId: clearable(wire.platformId),
    experienceThumbnailUrl: clearable(wire.httpsUrl),
    experienceUrl: clearable(wire.httpsUrl),
  })

export type EventInput = Static<ReturnType<typeof eventRequest>>

export const EventQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  id: field(wire.id, 'One event instead of the list'),
  from: field(wire.time, 'Only events scheduled for then or later'),
  to: field(wire.time, 'Only events scheduled for before then'),
  eventType: field(wire.oneOf(eventTypes)),
  published: field(wire.boolean),
  status: field(wire.oneOf(statuses), 'What they are at the moment of reading'),
  ...pageFields,
})

export type EventQueryInput = Static<typeof EventQuery>

export const EventChoice = request({ workspaceId: field(wire.id, 'The workspace'), id })

const Event = answer(
  {
    id: shown('Id of the event'),
    workspaceId: shown('The workspace it belongs to'),
    title: shown('Its title', 'Cadet training'),
    description: shownOrNull('What it is about'),
    scheduledFor: shown('When it is scheduled for', wire.time.example),
    published: shown('`true` or `false`', 'true'),
    eventType: shown(wire.oneOf(eventTypes).description, 'training'),
    imageUrl: shownOrNull('The address of its image'),
    image_url: shownOrNull('The same as `imageUrl`'),
    trainingStart: shownOrNull('As set; for a training `scheduledFor` where it is not set'),
    trainingEnd: shownOrNull('As set; for a training an hour after its start where it is not set'),
    trainingHost: shownOrNull('Who holds the training'),
    experienceId: shownOrNull('The experience on the game platform'),
    experienceName: shownOrNull('The name of the experience'),
    experiencePlaceId: shownOrNull('The place in the experience'),
    experienceThumbnailUrl: shownOrNull('The address of a picture of the experience'),
    experienceUrl: shownOrNull('The address of the experience'),
    status: shown(
      '`draft` until published; then `scheduled`, `live` and `ended`, at the moment of reading',
      'scheduled',
    ),
    endsAt: shown('When it ends: `trainingEnd`, or an hour after its start', wire.time.example),
    createdBy: shown('Id of the account or key that made it'),
    createdAt: shown('When it was made', wire.time.example),
    updatedAt: shown('When it was last changed', wire.time.example),
    version: shown('Grows with every change; for If-Match', '1'),
  },
  'A scheduled event',
)

export const EventAnswer = answer({ event: Event }, 'The event')
export const EventsAnswer = answer(
  { events: Type.Array(Event), nextCursor: shownOrNull('Give it as `cursor` for the next page') },
  'Events, soonest first',
)

/** A row as the interface shows it at the moment `now`. */
export function shownEvent(
  row: EventTable,
  now: number,
  address: wire.Codec<string>,
): (typeof Event)['static'] {
  const training = trainingTimes(row)
  const imageUrl = row.image_url === null ? null : address.write(row.image_url)
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
    trainingStart: timeOrNull(training.start),
    trainingEnd: timeOrNull(training.end),
    trainingHost: row.training_host,
    experienceId: row.experience_id,
    experienceName: row.experience_name,
    experiencePlaceId: row.experience_place_id,
    experienceThumbnailUrl: row.experience_thumbnail_url,
    experienceUrl: row.experience_url,
    status: statusAt(row, now),
    endsAt: wire.time.write(row.ends_at),
    createdBy: row.created_by,
    createdAt: wire.time.write(row.created_at),
    updatedAt: wire.time.write(row.updated_at),
    version: String(row.version),
  }
}

const timeOrNull = (at: number | null): string | null => (at === null ? null : wire.time.write(at))
